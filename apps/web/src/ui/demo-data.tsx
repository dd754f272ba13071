import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client, data } from '../api/client.js';
import { projectsQuery, sessionQuery, summariesQuery } from '../api/queries.js';
import { formatCount } from '../format/count.js';
import { Confirm } from './confirm.js';
import { Failure } from './failure.js';
import { Section } from './section.js';
import { TextLink } from './text-link.js';
import { getBrowserTimeZone } from './time-zones.js';

/** Demo data state, polled while the data is loading. Requires an administrator. */
const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: () => data(client.GET('/api/demo')),
  refetchInterval: ({ state }) => (state.data?.state === 'loading' ? 500 : false),
});

/** Controls for loading and removing demo data, for use on empty pages. Renders nothing for non-administrators. */
export function DemoData() {
  const { data: session } = useQuery(sessionQuery);
  return session?.user?.is_admin ? <DemoControls align="center" /> : null;
}

/** Like {@link DemoData}, but as a section with a heading. */
export function DemoSection() {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.user?.is_admin) return null;
  return (
    <Section
      title="Demo data"
      lead="Two months of visits to a fictional shop in a separate project, with crawlers, assistants, impostors and an outage. New visits arrive until you remove it."
    >
      <DemoControls />
    </Section>
  );
}

function DemoControls({ align = 'flex-start' }: { align?: 'center' | 'flex-start' }) {
  const demo = useQuery(demoQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { projectId: currentProjectId } = useParams({ strict: false });
  const [isConfirming, setConfirming] = useState(false);
  const state = demo.data?.state;
  const refresh = async (): Promise<void> => {
    const queryKeys = [demoQuery.queryKey, projectsQuery.queryKey, summariesQuery.queryKey];
    await Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey, exact: true })));
  };
  useEffect(() => void (state === 'loaded' && refresh()), [state]);
  const load = useMutation({
    mutationFn: () => data(client.POST('/api/demo', { body: { time_zone: getBrowserTimeZone() } })),
    onSettled: refresh,
  });
  if (demo.isError) return <Failure error={demo.error} retry={() => void demo.refetch()} />;
  if (demo.data === undefined) return null;
  const { project_id: projectId, visits, done } = demo.data;
  const remove = async (): Promise<void> => {
    if (projectId !== null) await data(client.DELETE('/api/projects/{id}', { params: { path: { id: projectId } } }));
    if (currentProjectId === projectId) await navigate({ to: '/projects', replace: true });
    await refresh();
  };
  return (
    <Stack gap="xs" align={align}>
      <div role="status">
        {state === 'loading' && (
          <Text size="sm" className="numbers">
            Loading demo data: {formatCount(visits)} visits so far
          </Text>
        )}
        {state === 'failed' && (
          <Text size="sm">Only part of the demo data was loaded. Remove it and load it again.</Text>
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
          <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
            Load demo data
          </Button>
        ) : (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => setConfirming(true)}>
            Remove demo data
          </Button>
        )}
      </Group>
      {load.isError && <Failure error={load.error} title="Couldn't load the demo data" />}
      {isConfirming && (
        <Confirm
          title="Remove demo data?"
          label="Remove demo data"
          action={remove}
          onClose={() => setConfirming(false)}
        >
          This deletes the demo project and all of its visits. Your other projects aren't affected.
        </Confirm>
      )}
    </Stack>
  );
}
