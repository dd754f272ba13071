import { Center, Stack, Text, Title } from '@mantine/core';
import { TextLink } from './text-link.js';

/** For an address that leads nowhere. */
export function NothingHere() {
  return (
    <Center component="main" p="xl">
      <Stack align="center" gap="xs">
        <Title order={1}>There is nothing here</Title>
        <Text c="dimmed">The address may be mistyped, or what was there is gone.</Text>
        <TextLink to="/projects">To the projects</TextLink>
      </Stack>
    </Center>
  );
}
