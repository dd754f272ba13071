import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client, data } from '../api/client.js';
import { projectsQuery, sessionQuery, summariesQuery } from '../api/queries.js';
import { countText } from '../format/count.js';
import { Confirm } from './confirm.js';
import { Failure } from './failure.js';
import { Section } from './section.js';
import { TextLink } from './text-link.js';
import { ownTimeZone } from './time-zones.js';

/** State of the demo data, polled while it's being loaded. Requires an administrator. */
const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: () => data(client.GET('/api/demo')),
  refetchInterval: ({ state }) => (state.data?.state === 'loading' ? 500 : false),
});

/** Loads and removes demo data, on an empty page. Renders nothing for non-administrators. */
export function DemoData() {
  const { data: session } = useQuery(sessionQuery);
  return session?.user?.is_admin ? <Demo align="center" /> : null;
}

/** Like {@link DemoData}, as a section with a heading. */
export function DemoSection() {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.user?.is_admin) return null;
  return (
    <Section
      title="Demo data"
      lead="A month of a made-up shop’s visits, in a project of their own: crawlers, assistants, impostors and an outage."
    >
      <Demo />
    </Section>
  );
}

function Demo({ align = 'flex-start' }: { align?: 'center' | 'flex-start' }) {
  const demo = useQuery(demoQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { projectId: shown } = useParams({ strict: false });
  const [isAsking, setAsking] = useState(false);
  const state = demo.data?.state;
  const refresh = async (): Promise<void> => {
    const changed = [demoQuery.queryKey, projectsQuery.queryKey, summariesQuery.queryKey];
    await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey, exact: true })));
  };
  useEffect(() => void (state === 'loaded' && refresh()), [state]);
  const loading = useMutation({
    mutationFn: () => data(client.POST('/api/demo', { body: { time_zone: ownTimeZone() } })),
    onSettled: refresh,
  });
  if (demo.isError) return <Failure error={demo.error} retry={() => void demo.refetch()} />;
  if (demo.data === undefined) return null;
  const { project_id: projectId, visits, done } = demo.data;
  const remove = async (): Promise<void> => {
    if (projectId !== null) await data(client.DELETE('/api/projects/{id}', { params: { path: { id: projectId } } }));
    if (shown === projectId) await navigate({ to: '/projects', replace: true });
    await refresh();
  };
  return (
    <Stack gap="xs" align={align}>
      <div role="status">
        {state === 'loading' && (
          <Text size="sm" className="numbers">
            Loading demo data: {countText(visits)} visits so far
          </Text>
        )}
        {state === 'failed' && (
          <Text size="sm">Only part of the demo data was loaded. Remove it, and load it again.</Text>
        )}
        {state === 'loaded' && projectId !== null && (
          <Text size="sm">
            The demo data is in the project{' '}
            <TextLink to="/projects/$projectId/overview" params={{ projectId }} search={{ range: '7d' }} size="sm">
              Demo shop
            </TextLink>
            .
          </Text>
        )}
      </div>
      {state === 'loading' && <Progress value={100 * done} aria-label="Demo data" w="100%" maw={320} />}
      <Group>
        {state === 'absent' ? (
          <Button variant="default" loading={loading.isPending} onClick={() => loading.mutate()}>
            Load demo data
          </Button>
        ) : (
          <Button variant="default" onClick={() => setAsking(true)}>
            Remove demo data
          </Button>
        )}
      </Group>
      {loading.isError && <Failure error={loading.error} title="The demo data was not loaded" />}
      {isAsking && (
        <Confirm title="Remove demo data?" label="Remove demo data" action={remove} onClose={() => setAsking(false)}>
          The demo project and all of its visits are deleted. Your own projects stay as they are.
        </Confirm>
      )}
    </Stack>
  );
}
