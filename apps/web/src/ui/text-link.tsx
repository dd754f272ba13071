import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & AnchorProps;

/** Internal link, type-checked against the dashboard's routes. */
export const TextLink = createLink((props: Props) => <Anchor {...props} />);
