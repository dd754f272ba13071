import { Button, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { FIND_EVENT } from '../shell/find-shortcut.js';
import { useCurrentProject } from '../shell/use-current-project.js';
import { Icon } from '../ui/icon.js';
import { MissingPage } from '../ui/missing-page.js';
import { usePageTitle } from '../ui/use-page-title.js';
import { TextLink } from '../ui/text-link.js';

const NearestPageLink = lazy(() => import('./nearest-page-link.js'));

/** Renders inside the app shell, so the navigation is still available. */
export function NotFound() {
  usePageTitle('Page not found');
  const { project } = useCurrentProject();
  return (
    <MissingPage title="Page not found" text="The address may be mistyped, or the page may no longer exist.">
      <Text w="100%" ta="center">
        <Suspense>
          <NearestPageLink projectId={project?.id} />
        </Suspense>
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="find" size={14} />}
        onClick={() => window.dispatchEvent(new Event(FIND_EVENT))}
      >
        Find a page
      </Button>
      {project && (
        <TextLink to="/projects/$projectId/overview" params={{ projectId: project.id }}>
          Overview of {project.name}
        </TextLink>
      )}
      <TextLink to="/projects">All projects</TextLink>
    </MissingPage>
  );
}
