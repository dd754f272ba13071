import { Text } from '@mantine/core';
import { use, type ReactNode } from 'react';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import type { ComplianceAgent } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatChangeOfFew, formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { QUIET_AGENTS, useQuietRows } from '../../ui/quiet-rows.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import { countJudged, getDisallowedShare, isTiny } from '../../rules/judged-visits.js';
import { getAgentName } from './verdict-answer.js';
import { COUNT_FILTERS, forAgent, visitsLink } from '../../rules/judged-visit-links.js';

interface AgentTableProps {
  project: Project;
  agents: readonly ComplianceAgent[];
  /** Agents in the comparison range. Undefined until they've loaded. */
  previous: readonly ComplianceAgent[] | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
  /** Page name used in the export's file name. */
  page: string;
  range: Range;
  /** Date range that the links open. */
  linked: LinkedRange;
  timeZone: string;
  /** Introduction, shown next to the table's tools. */
  lead: ReactNode;
}

const DimmedText = ({ children }: { children: string }) => (
  <Text span size="sm" c="dimmed">
    {children}
  </Text>
);

export function AgentTable(props: AgentTableProps) {
  const { project, agents, previous, before, page, range, linked, timeZone, lead } = props;
  const hasEarlierData = use(EarlierDataContext);
  const previousAgents = previous && new Map(previous.map((agent) => [agent.agent_id, agent]));
  const link = visitsLink(project.id, linked);
  const createCountColumn = (
    column: Pick<TableColumn<ComplianceAgent>, 'key' | 'label' | 'narrow'>,
    visits: (agent: ComplianceAgent) => number,
    [filters, what]: [filters: FilterSet, what: string],
  ): TableColumn<ComplianceAgent> => ({
    ...column,
    isNumber: true,
    value: visits,
    cell: (agent) =>
      visits(agent) === 0 ? (
        <span className="zero">–</span>
      ) : (
        <TextLink {...link(forAgent(agent, filters))} size="sm">
          {formatCount(visits(agent))}
          <span className="unseen">
            {' '}
            {what} of {getAgentName(agent)}
          </span>
        </TextLink>
      ),
  });
  const columns: readonly (TableColumn<ComplianceAgent> | false)[] = [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: (agent) => agent.agent_token ?? agent.agent_id,
      cell: (agent) => (
        <MarkedName name={getAgentName(agent)} operator={agent.operator_name}>
          <TextLink from="/projects/$projectId/compliance" to="." search={selectAgent(agent.agent_id)} size="sm">
            {getAgentName(agent)}
          </TextLink>
          <Text size="xs" c="dimmed" fw={400}>
            {[agent.operator_name, agent.agent_type_name].filter(Boolean).join(' · ')}
          </Text>
        </MarkedName>
      ),
      style: { minWidth: '10rem' },
    },
    { key: 'type', label: 'Type', isOnlyExported: true, value: (agent) => agent.agent_type_name },
    { key: 'operator', label: 'Operator', isOnlyExported: true, value: (agent) => agent.operator_name },
    { key: 'judged', label: 'Judged', isNumber: true, value: countJudged, narrow: { after: 'judged', isSoft: true } },
    createCountColumn(
      { key: 'disallowed', label: 'Disallowed', narrow: { after: 'disallowed' } },
      (agent) => agent.disallowed,
      [COUNT_FILTERS.disallowed, 'disallowed visits'],
    ),
    previousAgents !== undefined &&
      hasEarlierData &&
      before !== null && {
        key: 'change',
        label: 'Change',
        isNumber: true,
        cell: ({ agent_id: id, disallowed }) => {
          const earlier = previousAgents.get(id)?.disallowed ?? 0;
          if (disallowed === 0 && earlier === 0) return <span className="zero">–</span>;
          const good = isTiny(disallowed, earlier) ? {} : ({ good: 'down' } as const);
          return (
            <Change current={disallowed} previous={earlier} before={before} format={formatChangeOfFew} {...good} />
          );
        },
      },
    {
      key: 'share',
      label: 'Share',
      isNumber: true,
      value: getDisallowedShare,
      cell: (agent) =>
        agent.disallowed === 0 ? <span className="zero">–</span> : formatPercent(getDisallowedShare(agent)),
      narrow: { after: 'of its visits', isSoft: true },
    },
    {
      key: 'verified',
      label: 'Verified',
      isOnlyExported: true,
      value: (agent) => agent.disallowed_verified,
    },
    createCountColumn({ key: 'served', label: 'Served' }, (agent) => agent.disallowed_served, [
      COUNT_FILTERS.served,
      'disallowed visits served anyway',
    ]),
    createCountColumn({ key: 'forbidden', label: 'Blocked' }, (agent) => agent.disallowed_forbidden, [
      COUNT_FILTERS.forbidden,
      'blocked disallowed visits',
    ]),
    createCountColumn({ key: 'conflicts', label: 'Allowed but blocked' }, (agent) => agent.allowed_forbidden, [
      COUNT_FILTERS.conflicts,
      'allowed visits with status 403',
    ]),
    {
      key: 'read',
      label: 'Read robots.txt',
      isTime: true,
      value: (agent) => agent.last_robots_fetch_at,
      cell: ({ last_robots_fetch_at: at }) =>
        at === null ? <DimmedText>Not seen</DimmedText> : <RelativeTime time={at} />,
    },
    {
      key: 'read_before',
      label: 'Disallowed within 24 hours of reading robots.txt',
      isOnlyExported: true,
      value: (agent) => agent.read_before.visits,
    },
    {
      key: 'read_before_of',
      label: 'Disallowed visits compared with robots.txt fetches',
      isOnlyExported: true,
      value: (agent) => agent.read_before.of,
    },
    { key: 'first', label: 'First disallowed', isOnlyExported: true, value: (agent) => agent.first_disallowed_at },
    {
      key: 'last',
      label: 'Last disallowed',
      isTime: true,
      value: (agent) => agent.last_disallowed_at,
      narrow: { isSoft: true },
    },
    {
      key: 'outcomes',
      label: 'Outcomes',
      isOnlyNarrow: true,
      cell: describeOutcomes,
      narrow: { isSoft: true },
    },
    {
      key: 'actions',
      label: 'Actions',
      cell: (agent) => (
        <AgentActions
          project={project}
          loadFinding={async () =>
            (await import('../../actions/agent-findings.js')).toComplianceFinding(agent, {
              range,
              timeZone,
              visits: link(forAgent(agent, agent.disallowed > 0 ? COUNT_FILTERS.disallowed : COUNT_FILTERS.conflicts)),
            })
          }
          of={getAgentName(agent)}
          isCompact
          canBlock={agent.disallowed_served > 0 && !agent.is_user_triggered}
          requests={[agent]}
        />
      ),
    },
    { key: 'no_rules', label: 'Without robots.txt', isOnlyExported: true, value: (agent) => agent.no_rules },
    { key: 'unreachable', label: 'Unreachable robots.txt', isOnlyExported: true, value: (agent) => agent.unreachable },
    { key: 'unknown', label: 'Unknown version', isOnlyExported: true, value: (agent) => agent.unknown },
    { key: 'spoofed', label: 'Failed verification', isOnlyExported: true, value: (agent) => agent.spoofed },
  ];
  const { rows, button } = useQuietRows(
    agents,
    // Agents that stopped explain the change of the total.
    (agent) =>
      hasFinding(agent) ||
      (hasEarlierData && before !== null && (previousAgents?.get(agent.agent_id)?.disallowed ?? 0) > 0),
    QUIET_AGENTS,
  );
  return (
    <>
      <DataTable
        label="Agents and robots.txt"
        page={page}
        toolbar={lead}
        columns={columns.filter((column) => column !== false)}
        rows={rows}
        readAll={() => Promise.resolve(agents)}
        rowKey={(agent) => agent.agent_id}
        initial="disallowed"
        owner={project.name}
        range={range}
        phone={['agent actions', 'disallowed share', 'outcomes last']}
      />
      {button}
    </>
  );
}

/** A site that blocks visits that its robots.txt allows is a finding, too. */
const hasFinding = ({ disallowed, allowed_forbidden: conflicts }: ComplianceAgent): boolean =>
  disallowed > 0 || conflicts > 0;

const describeOutcomes = (agent: ComplianceAgent): string =>
  (
    [
      [agent.disallowed_served, 'served'],
      [agent.disallowed_forbidden, 'blocked'],
      [agent.allowed_forbidden, 'allowed but blocked'],
    ] as const
  )
    .flatMap(([count, text]) => (count === 0 ? [] : `${formatCount(count)} ${text}`))
    .join(', ');

const selectAgent =
  (agent: string) =>
  <T extends object>(search: T): T & { agent: string } => ({ ...search, agent });
