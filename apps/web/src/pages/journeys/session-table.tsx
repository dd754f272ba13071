import { Anchor, Badge, Group, Text } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { Session } from '../../api/journeys.js';
import { formatCount } from '../../format/count.js';
import { getProgramName } from '../../format/program-name.js';
import { formatDuration } from '../../format/duration.js';
import type { Range } from '../../range/range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { formatFullTime, RelativeTime } from '../../ui/relative-time.js';
import { Verdict } from '../../ui/verdict.js';
import { VISITOR_LABELS } from './search.js';

interface SessionTableProps {
  project: Project;
  sessions: readonly Session[];
  range: Range;
  timeZone: string;
  more: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  onOpen: (id: string) => void;
}

export const getVisitorName = ({ agent_token: token, user_agent_group: group }: Session): string =>
  token ?? (group === null ? 'Unknown visitor' : getProgramName(group));

/** Describes how the visitor was distinguished from others with the same name. */
export function describeDistinction({ distinguished_by: by, network }: Session): string {
  if (by === 'network') return network!;
  return by === 'signature_key' ? 'Signed with the same key' : 'No address stored';
}

function describeDeadEnds({ client_errors: client, server_errors: server, loops }: Session): string[] {
  return [
    ...(client > 0 ? [`4xx × ${formatCount(client)}`] : []),
    ...(server > 0 ? [`5xx × ${formatCount(server)}`] : []),
    ...(loops > 0 ? [loops === 1 ? 'Loop' : `Loops × ${formatCount(loops)}`] : []),
  ];
}

/** Sessions, most recently ended first. */
export function SessionTable({ project, sessions, range, timeZone, more, onOpen }: SessionTableProps) {
  const columns: readonly TableColumn<Session>[] = [
    {
      key: 'visitor',
      label: 'Visitor',
      isHead: true,
      isFixed: true,
      value: getVisitorName,
      cell: (session) => (
        <MarkedName name={getVisitorName(session)} operator={session.operator_name}>
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="left"
            display="block"
            truncate
            maw="100%"
            title={session.user_agent_group ?? undefined}
            onClick={() => onOpen(session.id)}
          >
            {getVisitorName(session)}
            <span className="unseen">, session that ended {formatFullTime(session.ended_at, timeZone)}</span>
          </Anchor>
          <Text size="xs" c="dimmed" fw={400}>
            {VISITOR_LABELS[session.visitor]}
          </Text>
        </MarkedName>
      ),
      style: { maxWidth: '16rem' },
    },
    {
      key: 'verdict',
      label: 'Verdict',
      isFixed: true,
      value: ({ result }) => result,
      cell: (session) => (
        <>
          <Verdict result={session.result} />{' '}
          <Text size="xs" c="dimmed" className="numbers" display={{ base: 'inline', md: 'block' }}>
            {describeDistinction(session)}
          </Text>
        </>
      ),
    },
    {
      key: 'entry',
      label: 'Entry',
      isFixed: true,
      value: ({ entry }) => entry ?? '',
      cell: ({ entry }) => entry ?? <Text size="sm">Started earlier</Text>,
      style: { maxWidth: '14rem', overflowWrap: 'anywhere' },
      narrow: {},
    },
    {
      key: 'exit',
      label: 'Exit',
      isFixed: true,
      value: ({ exit }) => exit,
      cell: ({ exit, visits }) => (visits === 1 ? <span className="zero">–</span> : exit),
      style: { maxWidth: '14rem', overflowWrap: 'anywhere' },
      narrow: { before: 'To' },
    },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      isFixed: true,
      value: ({ visits }) => visits,
      narrow: { before: 'Visits', isSoft: true },
    },
    {
      key: 'duration',
      label: 'Duration',
      isNumber: true,
      isFixed: true,
      value: ({ duration_ms: duration }) => duration,
      cell: ({ visits, duration_ms: duration, started_earlier: isCut }) =>
        visits > 1 && `${isCut ? 'over ' : ''}${formatDuration(duration)}`,
    },
    {
      key: 'ends',
      label: 'Dead ends',
      isFixed: true,
      value: (session) => describeDeadEnds(session).join(', '),
      style: { minWidth: '8rem' },
      cell: (session) =>
        describeDeadEnds(session).length > 0 && (
          <Group gap={4}>
            {describeDeadEnds(session).map((text) => (
              <Badge key={text} variant="default" size="sm" tt="none" fw={500}>
                {text}
              </Badge>
            ))}
          </Group>
        ),
    },
    {
      key: 'checkout',
      label: 'Checkout steps',
      isNumber: true,
      isFixed: true,
      ...(!sessions.some(({ checkout_visits: messages }) => messages > 0) && { isOnlyExported: true }),
      value: ({ checkout_visits: messages }) => messages,
      cell: ({ checkout_visits: messages }) => (messages === 0 ? <span className="zero">–</span> : messages),
      narrow: { before: 'Checkout steps' },
    },
    {
      key: 'ended',
      label: 'Ended',
      isFixed: true,
      value: ({ ended_at: at }) => at,
      cell: ({ ended_at: at }) => <RelativeTime time={at} />,
      narrow: { isSoft: true },
    },
    { key: 'started', label: 'Started', isOnlyExported: true, value: ({ started_at: at }) => at },
  ];
  return (
    <DataTable
      label="Sessions"
      empty="Each of these sessions is a single visit."
      columns={columns}
      rows={sessions}
      rowKey={({ id }) => id}
      owner={project.name}
      range={range}
      more={more}
      phone={['visitor ended', 'verdict visits', 'entry entry', 'ends checkout']}
    />
  );
}
