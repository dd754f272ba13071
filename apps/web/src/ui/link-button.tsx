import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> & ButtonProps;

/** Internal link that looks like a button, for the main action of a finding. */
export const LinkButton = createLink((props: Props) => <Button component="a" size="xs" variant="default" {...props} />);
