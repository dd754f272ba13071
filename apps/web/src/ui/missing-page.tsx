import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface MissingPageProps {
  title: string;
  text: string;
  /** Links to other pages. */
  children: ReactNode;
}

/** Content of a page whose address leads nowhere, with links to other pages. */
export function MissingPage({ title, text, children }: MissingPageProps) {
  return (
    <Stack align="center" gap="xs" p="xl">
      <Title order={1}>{title}</Title>
      <Text c="dimmed" ta="center">
        {text}
      </Text>
      <Group gap="md">{children}</Group>
    </Stack>
  );
}
