import { Anchor } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { Session } from '../../api/journeys.js';
import { formatCount } from '../../format/count.js';
import { getVisitorName as getProgramName } from '../../format/program-name.js';
import { formatDuration } from '../../format/duration.js';
import type { Range } from '../../range/range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { formatFullTime, RelativeTime } from '../../ui/relative-time.js';
import { Verdict } from '../../ui/verdict.js';
import { VISITOR_LABELS } from './session-filters.js';
import classes from './session-table.module.css';

interface SessionTableProps {
  project: Project;
  sessions: readonly Session[];
  range: Range;
  /** Fetches all sessions that match, for the export. */
  readAll: () => Promise<readonly Session[]>;
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

interface DeadEnd {
  kind: 'client' | 'server' | 'loop' | 'refused';
  text: string;
}

const DEAD_ENDS: readonly [kind: DeadEnd['kind'], count: (session: Session) => number, one: string, many: string][] = [
  ['server', (session) => session.server_errors, 'server error', 'server errors'],
  ['client', (session) => session.client_errors, 'client error', 'client errors'],
  ['loop', (session) => session.loops, 'loop', 'loops'],
  ['refused', (session) => session.refused_visits, 'refused', 'refused'],
];

/** Lists a session's dead ends and refusals, such as "2 server errors". */
const listDeadEnds = (session: Session): DeadEnd[] =>
  DEAD_ENDS.flatMap(([kind, getCount, one, many]) => {
    const count = getCount(session);
    return count === 0 ? [] : [{ kind, text: `${formatCount(count)} ${count === 1 ? one : many}` }];
  });

/** Dead ends, each with a mark in the color of its kind. */
export const DeadEnds = ({ session }: { session: Session }) => (
  <span className={classes['ends']}>
    {listDeadEnds(session).map(({ kind, text }) => (
      <span key={kind} className={classes['end']} data-kind={kind}>
        {text}
      </span>
    ))}
  </span>
);

/** First and last page of a session. */
function Path({ session: { entry, exit, visits } }: { session: Session }) {
  return (
    <span className={classes['path']}>
      {entry === null ? (
        <span className={classes['unknown']}>Started earlier</span>
      ) : (
        <span className={classes['page']} title={entry}>
          {entry}
        </span>
      )}
      {visits > 1 && (
        <>
          <span aria-hidden="true" className={classes['unknown']}>
            →
          </span>
          <span className="unseen">to</span>
          <span className={classes['page']} title={exit}>
            {exit}
          </span>
        </>
      )}
    </span>
  );
}

/** Sessions, most recently ended first. */
export function SessionTable({ project, sessions, range, readAll, timeZone, more, onOpen }: SessionTableProps) {
  const columns: readonly TableColumn<Session>[] = [
    {
      key: 'visitor',
      label: 'Visitor',
      isHead: true,
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
            title={session.user_agent_group ?? VISITOR_LABELS[session.visitor]}
            onClick={() => onOpen(session.id)}
          >
            {getVisitorName(session)}
            <span className="unseen">, session that ended {formatFullTime(session.ended_at, timeZone)}</span>
          </Anchor>
        </MarkedName>
      ),
      style: { maxWidth: '13rem' },
    },
    {
      key: 'kind',
      label: 'Kind',
      isOnlyExported: true,
      value: ({ visitor }) => VISITOR_LABELS[visitor],
    },
    {
      key: 'verdict',
      label: 'Verdict',
      value: ({ result }) => result,
      cell: ({ result }) => <Verdict result={result} />,
      style: { whiteSpace: 'nowrap' },
    },
    { key: 'network', label: 'Network', isOnlyExported: true, value: describeDistinction },
    { key: 'entry', label: 'Entry', isOnlyExported: true, value: ({ entry }) => entry ?? '' },
    { key: 'exit', label: 'Exit', isOnlyExported: true, value: ({ exit }) => exit },
    {
      key: 'path',
      label: 'Pages',
      cell: (session) => <Path session={session} />,
    },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: ({ visits }) => visits,
      narrow: { before: 'Visits', isSoft: true },
    },
    {
      key: 'duration',
      label: 'Duration',
      isNumber: true,
      value: ({ duration_ms: duration }) => duration,
      cell: ({ visits, duration_ms: duration, started_earlier: isCut }) =>
        visits > 1 && `${isCut ? 'over ' : ''}${formatDuration(duration)}`,
    },
    {
      key: 'ends',
      label: 'Dead ends',
      value: (session) =>
        listDeadEnds(session)
          .map(({ text }) => text)
          .join(', '),
      cell: (session) =>
        listDeadEnds(session).length === 0 ? <span className="zero">–</span> : <DeadEnds session={session} />,
    },
    {
      key: 'checkout',
      label: 'Checkout steps',
      isNumber: true,
      ...(!sessions.some(({ checkout_visits: messages }) => messages > 0) && { isOnlyExported: true }),
      value: ({ checkout_visits: messages }) => messages,
      cell: ({ checkout_visits: messages }) => (messages === 0 ? <span className="zero">–</span> : messages),
      narrow: { before: 'Checkout steps', isSoft: true },
    },
    {
      key: 'ended',
      label: 'Ended',
      isTime: true,
      value: ({ ended_at: at }) => at,
      cell: ({ ended_at: at }) => <RelativeTime time={at} />,
      narrow: { isSoft: true },
    },
    { key: 'started', label: 'Started', isOnlyExported: true, value: ({ started_at: at }) => at },
  ];
  return (
    <DataTable
      label="Sessions"
      empty="There are no such sessions."
      initial="ended"
      onOpen={({ id }) => onOpen(id)}
      columns={columns}
      rows={sessions}
      readAll={readAll}
      rowKey={({ id }) => id}
      owner={project.name}
      range={range}
      more={more}
      className={classes['table']}
      phone={['visitor verdict', 'path ended', 'ends visits', 'checkout checkout']}
    />
  );
}
