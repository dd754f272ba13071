import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColorSchemeSwitch } from './color-scheme-switch.js';
import { Brand } from './brand.js';
import { usePageTitle } from '../ui/use-page-title.js';

interface PublicLayoutProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** Page layout for signed-out users. */
export function PublicLayout({ title, lead, children }: PublicLayoutProps) {
  usePageTitle(title);
  return (
    <Box mih="100vh" bg="var(--page)">
      <Group component="header" justify="space-between" p="md">
        <Brand />
        <ColorSchemeSwitch />
      </Group>
      <Center component="main" px="md" pt="5vh" pb="xl">
        <Paper withBorder p="lg" w="100%" maw={420}>
          <Stack gap="md">
            <div>
              <Title order={1}>{title}</Title>
              {lead && (
                <Text component="div" c="dimmed" size="sm" mt={4}>
                  {lead}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Center>
    </Box>
  );
}
