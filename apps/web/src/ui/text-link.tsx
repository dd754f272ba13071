import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & AnchorProps;

/** Link within the dashboard, type-checked against its routes. */
export const TextLink = createLink((props: Props) => <Anchor {...props} />);
