import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** What is to be copied now, since it is not shown again. @param title as "Send this link". */
export const CopyNow = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert variant="outline" title={`${title}; it is not shown again`} role="status">
    <Stack gap="xs">{children}</Stack>
  </Alert>
);
