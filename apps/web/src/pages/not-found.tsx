import { Group, Stack, Text, Title } from '@mantine/core';
import { useCurrentProject } from '../shell/use-current-project.js';
import { usePageTitle } from '../ui/use-page-title.js';
import { TextLink } from '../ui/text-link.js';

/** Renders inside the app shell, so the navigation is still available. */
export function NotFound() {
  usePageTitle('Page not found');
  const project = useCurrentProject();
  return (
    <Stack align="center" gap="xs" p="xl">
      <Title order={1}>Page not found</Title>
      <Text c="dimmed" ta="center">
        The address may be mistyped, or the page may no longer exist.
      </Text>
      <Group gap="md">
        {project && (
          <TextLink to="/projects/$projectId/overview" params={{ projectId: project.id }}>
            Overview of {project.name}
          </TextLink>
        )}
        <TextLink to="/projects">All projects</TextLink>
      </Group>
    </Stack>
  );
}
