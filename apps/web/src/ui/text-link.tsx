import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & AnchorProps;

/** A link within the dashboard, checked against its addresses. */
export const TextLink = createLink((props: Props) => <Anchor {...props} />);
