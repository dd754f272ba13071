import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Help } from './help.js';

interface LeadProps {
  children: ReactNode;
  /** Explanation behind a "?" button. */
  help?: ReactNode;
  /** Subject of the explanation for screen readers. */
  about?: string;
}

/** One-line introduction to a table, with the details behind a "?" button. */
export const Lead = ({ children, help, about = 'these numbers' }: LeadProps) => (
  <Text component="div" size="sm" c="dimmed">
    {children}
    {help !== undefined && <Help about={about}>{help}</Help>}
  </Text>
);
