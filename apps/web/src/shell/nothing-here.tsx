import { Center, Stack, Text, Title } from '@mantine/core';
import { TextLink } from './text-link.js';

/** For an address that leads nowhere. @param isWithin whether head and navigation are around it. */
export function NothingHere({ isWithin = false }: { isWithin?: boolean }) {
  return (
    <Center component={isWithin ? 'div' : 'main'} p="xl">
      <Stack align="center" gap="xs">
        <Title order={1}>There is nothing here</Title>
        <Text c="dimmed">The address may be mistyped, or what was there is gone.</Text>
        <TextLink to="/projects">To the projects</TextLink>
      </Stack>
    </Center>
  );
}
