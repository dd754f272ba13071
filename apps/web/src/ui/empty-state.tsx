import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
}

/** Placeholder that explains why there's nothing to show and what to do about it. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Title order={2}>{title}</Title>
      <Text component="div" c="dimmed" size="sm" maw={480}>
        {children}
      </Text>
    </Stack>
  );
}
