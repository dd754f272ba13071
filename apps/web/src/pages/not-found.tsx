import { Center, Stack, Text, Title } from '@mantine/core';
import { TextLink } from '../ui/text-link.js';

/** For an address that leads nowhere. */
export function NotFound() {
  return (
    <Center component="main" p="xl">
      <Stack align="center" gap="xs">
        <Title order={1}>Page not found</Title>
        <Text c="dimmed">The address may be mistyped, or the page may have been removed.</Text>
        <TextLink to="/projects">Go to projects</TextLink>
      </Stack>
    </Center>
  );
}
