import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** Notice with content to copy now because it isn't shown again. @param title such as "Send this link". */
export const CopyNow = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert variant="outline" title={`${title}; it is not shown again`} role="status">
    <Stack gap="xs">{children}</Stack>
  </Alert>
);
