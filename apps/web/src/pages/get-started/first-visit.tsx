import { Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, data, type Visit } from '../../api/client.js';
import { projectQuery } from '../../api/queries.js';
import { streamVisits, type StreamState } from '../../api/visit-stream.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';
import { welcomeText } from './welcome-text.js';

interface FirstVisitProps {
  projectId: string;
  /** Whether the project had no visits when the page was opened. */
  isNew: boolean;
}

/** Shows the most recent visit, or a welcome for the first one. Waits for visits while the page is open. */
export function FirstVisit({ projectId, isNew }: FirstVisitProps) {
  // Stays the first visit, so its welcome doesn't change when more visits arrive.
  const [firstVisit, setFirstVisit] = useState<Visit | null>(null);
  const [liveVisit, setLiveVisit] = useState<Visit | null>(null);
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => {
    const onVisit = (visit: Visit): void => {
      setFirstVisit((first) => first ?? visit);
      setLiveVisit(visit);
    };
    return streamVisits(projectId, { onVisit, onState: setState });
  }, [projectId]);
  const lastVisit = useQuery({
    queryKey: ['projects', projectId, 'last visit'],
    queryFn: async () => {
      const params = { path: { id: projectId }, query: { limit: 1 } };
      return (await data(client.GET('/api/projects/{id}/visits', { params }))).visits[0] ?? null;
    },
  });
  const visit = liveVisit ?? lastVisit.data;
  const isWelcome = isNew && firstVisit !== null;
  return (
    <>
      {/* Doesn't contain the most recent visit, so screen readers don't announce every new one. */}
      {!visit && lastVisit.isPending && <Text size="sm">Looking for visits…</Text>}
      <div role="status">
        {isWelcome && <Welcome projectId={projectId} visit={firstVisit} />}
        {!isWelcome && !visit && !lastVisit.isPending && <Waiting projectId={projectId} state={state} />}
      </div>
      {!isWelcome && visit && (
        <Group gap="sm" fz="sm">
          <Verdict result={visit.identification.result} />
          <Text size="sm">
            {liveVisit ? 'New visit received' : 'Most recent visit'}: {visit.visit.request_method}{' '}
            {visit.visit.request_path}
            {visit.identification.agent_token != null && ` by ${visit.identification.agent_token}`},{' '}
            <RelativeTime time={liveVisit ? visit.received_at : visit.occurred_at} />
          </Text>
          <VisitLink projectId={projectId} visit={visit} />
        </Group>
      )}
    </>
  );
}

interface WelcomeProps {
  projectId: string;
  visit: Visit;
}

function Welcome({ projectId, visit }: WelcomeProps) {
  const { agent_token: token, operator_name: operator } = visit.identification;
  return (
    <Stack gap={4}>
      <MarkedName name={token ?? 'Unknown'} operator={operator} size={36}>
        <Text fz={22} fw={600} lh={1.2}>
          {welcomeText(visit.identification)}
        </Text>
        <Text size="sm" c="dimmed">
          {visit.visit.request_method} {visit.visit.request_path}, <RelativeTime time={visit.received_at} />
        </Text>
      </MarkedName>
      <Group gap="md" mt={4}>
        <VisitLink projectId={projectId} visit={visit} />
        <TextLink to="/projects/$projectId/overview" params={{ projectId }} size="sm">
          Go to the overview
        </TextLink>
      </Group>
    </Stack>
  );
}

const VisitLink = ({ projectId, visit }: WelcomeProps) => (
  <TextLink to="/projects/$projectId/realtime" params={{ projectId }} search={{ visit: visit.id }} size="sm">
    Show visit
  </TextLink>
);

const NOT_LIVE: Record<Exclude<StreamState, 'live'>, string> = {
  connecting: 'Connecting.',
  lost: 'Connection lost. Reconnecting.',
  refused: 'Too many live pages are open. Close one, and this page reconnects automatically.',
};

function Waiting({ projectId, state }: { projectId: string; state: StreamState }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const who = project.unknown_visitors === 'counted' ? ' by an agent' : '';
  return (
    <Group gap="sm" wrap="nowrap">
      {state === 'live' && <Loader size="xs" type="dots" aria-hidden style={{ flex: 'none' }} />}
      <Text size="sm">
        {state === 'live' ? `Waiting for the first visit${who}. It’ll appear here automatically.` : NOT_LIVE[state]}
      </Text>
    </Group>
  );
}
