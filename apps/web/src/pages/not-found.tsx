import { Stack, Text, Title } from '@mantine/core';
import { usePageTitle } from '../ui/use-page-title.js';
import { TextLink } from '../ui/text-link.js';

/** Renders inside the app shell, so the navigation is still available. */
export function NotFound() {
  usePageTitle('Page not found');
  return (
    <Stack align="center" gap="xs" p="xl">
      <Title order={1}>Page not found</Title>
      <Text c="dimmed" ta="center">
        The address may be mistyped, or the page may no longer exist.
      </Text>
      <TextLink to="/projects">Go to projects</TextLink>
    </Stack>
  );
}
