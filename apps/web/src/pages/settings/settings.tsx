import { Alert, Stack, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../../api/queries.js';
import { usePageTitle } from '../../ui/page-title.js';
import { ClientAddress } from './client-address.js';
import { General } from './general.js';
import { Members } from './members.js';
import { RedactedHeaders } from './redacted-headers.js';
import { Tokens } from './tokens.js';
import { UnknownVisitors } from './unknown-visitors.js';

const route = getRouteApi('/app/projects/$projectId/settings');

export function Settings() {
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Settings', project.name);
  const { role = 'owner' } = project;
  const isReader = role === 'viewer';
  return (
    <Stack maw={760}>
      <Title order={1}>Settings</Title>
      {isReader && (
        <Alert variant="outline" color="gray">
          You have view-only access. Ask a project owner for a member role to change settings.
        </Alert>
      )}
      {/* Anew for another project, whose values the fields then have. */}
      <General key={`general ${projectId}`} project={project} isReader={isReader} />
      <Tokens projectId={projectId} isReader={isReader} />
      <ClientAddress key={`address ${projectId}`} project={project} isReader={isReader} />
      <RedactedHeaders key={`headers ${projectId}`} project={project} isReader={isReader} />
      <UnknownVisitors key={`unknown ${projectId}`} project={project} isReader={isReader} />
      <Members projectId={projectId} isOwner={role === 'owner'} />
    </Stack>
  );
}
