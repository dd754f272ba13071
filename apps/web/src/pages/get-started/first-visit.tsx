import { Group, Loader, Paper, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, data, type Visit } from '../../api/client.js';
import { projectQuery } from '../../api/queries.js';
import { streamVisits, type StreamState } from '../../api/visit-stream.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';

export function FirstVisit({ projectId }: { projectId: string }) {
  const [liveVisit, setLiveVisit] = useState<Visit | null>(null);
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => streamVisits(projectId, { onVisit: setLiveVisit, onState: setState }), [projectId]);
  const lastVisit = useQuery({
    queryKey: ['projects', projectId, 'last visit'],
    queryFn: async () => {
      const params = { path: { id: projectId }, query: { limit: 1 } };
      return (await data(client.GET('/api/projects/{id}/visits', { params }))).visits[0] ?? null;
    },
  });
  const visit = liveVisit ?? lastVisit.data;
  return (
    <Paper withBorder p="sm" role="status">
      {visit ? (
        <Group gap="sm" fz="sm">
          <Verdict result={visit.identification.result} />
          <Text size="sm">
            {liveVisit ? 'New visit received' : 'Most recent visit'}: {visit.visit.request_method}{' '}
            {visit.visit.request_path} by {visit.identification.agent_token ?? 'an unknown agent'},{' '}
            <RelativeTime time={liveVisit ? visit.received_at : visit.occurred_at} />
          </Text>
          <TextLink to="/projects/$projectId/realtime" params={{ projectId }} search={{ visit: visit.id }} size="sm">
            Show visit
          </TextLink>
        </Group>
      ) : (
        <Group gap="sm" wrap="nowrap">
          {state === 'live' && <Loader size="xs" type="dots" aria-hidden style={{ flex: 'none' }} />}
          <Text size="sm">
            {state === 'live'
              ? `Waiting for the first visit${project.unknown_visitors === 'counted' ? ' by an agent' : ''}. It’ll appear here automatically.`
              : state === 'refused'
                ? 'Too many live pages are open. Close one, and this page reconnects automatically.'
                : state === 'lost'
                  ? 'Connection lost. Reconnecting.'
                  : 'Connecting.'}
          </Text>
        </Group>
      )}
    </Paper>
  );
}
