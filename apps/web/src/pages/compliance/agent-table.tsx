import { Text } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { ComplianceAgent } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { percentText } from '../../format/change.js';
import { countText } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import { judgedOf, shareOf } from './judged.js';
import { COUNTED, ofAgent, visitsLink } from './visit-links.js';

interface AgentTableProps {
  project: Project;
  agents: readonly ComplianceAgent[];
  /** Name of the page in the export's file name. */
  page: string;
  range: Range;
  /** Range that the links open. */
  linked: LinkedRange;
}

const nameOf = ({ agent_token: token }: ComplianceAgent): string => token ?? 'No longer in the catalog';
const None = ({ children }: { children: string }) => (
  <Text span size="sm" c="dimmed">
    {children}
  </Text>
);

export function AgentTable({ project, agents, page, range, linked }: AgentTableProps) {
  const link = visitsLink(project.id, linked);
  /** Column of counts that link to the counted visits. */
  const counts = (
    column: Pick<TableColumn<ComplianceAgent>, 'key' | 'label' | 'narrow'>,
    visits: (agent: ComplianceAgent) => number,
    [filters, what]: [filters: FilterSet, what: string],
  ): TableColumn<ComplianceAgent> => ({
    ...column,
    isNumber: true,
    value: visits,
    cell: (agent) =>
      visits(agent) === 0 ? (
        <None>0</None>
      ) : (
        <TextLink {...link(ofAgent(agent, filters))} size="sm">
          {countText(visits(agent))}
          <span className="unseen">
            {' '}
            {what} of {nameOf(agent)}
          </span>
        </TextLink>
      ),
  });
  const columns: readonly TableColumn<ComplianceAgent>[] = [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: (agent) => agent.agent_token ?? agent.agent_id,
      cell: (agent) => (
        <>
          <TextLink from="/projects/$projectId/compliance" to="." search={withAgent(agent.agent_id)} size="sm">
            {nameOf(agent)}
          </TextLink>
          <Text size="xs" c="dimmed" fw={400}>
            {[agent.operator_name, agent.agent_type_name].filter(Boolean).join(' · ')}
          </Text>
        </>
      ),
      style: { minWidth: '10rem' },
    },
    { key: 'type', label: 'Type', isOnlyExported: true, value: (agent) => agent.agent_type_name },
    { key: 'operator', label: 'Operator', isOnlyExported: true, value: (agent) => agent.operator_name },
    { key: 'judged', label: 'Judged', isNumber: true, value: judgedOf, narrow: { after: 'judged', isSoft: true } },
    counts({ key: 'disallowed', label: 'Disallowed', narrow: { after: 'disallowed' } }, (agent) => agent.disallowed, [
      COUNTED.disallowed,
      'disallowed visits',
    ]),
    {
      key: 'share',
      label: 'Share',
      isNumber: true,
      value: shareOf,
      cell: (agent) => percentText(shareOf(agent)),
      narrow: { isSoft: true },
    },
    counts(
      { key: 'verified', label: 'Verified', narrow: { after: 'verified' } },
      (agent) => agent.disallowed_verified,
      [COUNTED.verified, 'verified disallowed visits'],
    ),
    counts({ key: 'served', label: 'Served', narrow: { after: 'served' } }, (agent) => agent.disallowed_served, [
      COUNTED.served,
      'disallowed visits served anyway',
    ]),
    counts(
      { key: 'forbidden', label: 'Blocked', narrow: { after: 'blocked' } },
      (agent) => agent.disallowed_forbidden,
      [COUNTED.forbidden, 'blocked disallowed visits'],
    ),
    counts(
      { key: 'conflicts', label: 'Conflicts', narrow: { after: 'conflicts' } },
      (agent) => agent.allowed_forbidden,
      [COUNTED.conflicts, 'allowed visits answered 403'],
    ),
    {
      key: 'read',
      label: 'Read robots.txt',
      isTime: true,
      value: (agent) => agent.last_robots_fetch_at,
      cell: ({ last_robots_fetch_at: at }) => (at === null ? <None>Not seen</None> : <RelativeTime time={at} />),
      narrow: { before: 'robots.txt:', isSoft: true },
    },
    {
      key: 'read_before',
      label: 'Disallowed within 24 hours of reading robots.txt',
      isOnlyExported: true,
      value: (agent) => agent.read_before.visits,
    },
    {
      key: 'read_before_of',
      label: 'Disallowed visits compared with that',
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
    { key: 'no_rules', label: 'Without robots.txt', isOnlyExported: true, value: (agent) => agent.no_rules },
    { key: 'unreachable', label: 'Unreachable robots.txt', isOnlyExported: true, value: (agent) => agent.unreachable },
    { key: 'unknown', label: 'No known version', isOnlyExported: true, value: (agent) => agent.unknown },
    { key: 'spoofed', label: 'Spoofed', isOnlyExported: true, value: (agent) => agent.spoofed },
  ];
  return (
    <DataTable
      label="Agents and robots.txt"
      page={page}
      columns={columns}
      rows={agents}
      rowKey={(agent) => agent.agent_id}
      initial="disallowed"
      owner={project.name}
      range={range}
      phone={['agent disallowed', 'judged share', 'verified served', 'conflicts forbidden', 'read last']}
    />
  );
}

const withAgent =
  (agent: string) =>
  <T extends object>(search: T): T & { agent: string } => ({ ...search, agent });
