import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * Notice with content that is shown only once, so users must copy it now.
 * @param title Instruction, such as "Send this link".
 */
export const OneTimeNotice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert variant="outline" title={`${title}. It won't be shown again.`} role="status">
    <Stack gap="xs">{children}</Stack>
  </Alert>
);
