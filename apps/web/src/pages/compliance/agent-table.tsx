import { Table, Text } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { ComplianceAgent } from '../../api/compliance.js';
import { percentText } from '../../format/change.js';
import { countText } from '../../format/count.js';
import type { FilterSet } from '../../filters/filter-set.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { SortHeads } from '../../ui/sort-heads.js';
import { TableTools } from '../../ui/table-tools.js';
import { TextLink } from '../../ui/text-link.js';
import { useSorted } from '../../ui/use-sorted.js';
import lines from '../../ui/line-table.module.css';
import { AGENT_COLUMNS, BY_DISALLOWED, judgedOf, shareOf } from './agent-columns.js';
import classes from './agent-table.module.css';
import { COUNTED, ofAgent, visitsLink } from './visit-links.js';

export interface AgentTableProps {
  project: Project;
  agents: readonly ComplianceAgent[];
  /** For the export's name. */
  page: string;
  range: Range;
  /** What its links lead to. */
  linked: LinkedRange;
}

/** Agents, and how they keep to robots.txt. On a narrow screen a row is a block of lines. */
export default function AgentTable({ project, agents, page, range, linked }: AgentTableProps) {
  const { rows, sort, onSort } = useSorted(agents, AGENT_COLUMNS, BY_DISALLOWED);
  return (
    <>
      <TableTools
        columns={AGENT_COLUMNS}
        sort={sort}
        onSort={onSort}
        rows={rows}
        owner={project.name}
        page={page}
        range={range}
      />
      <Table
        className={`${lines['table']} ${classes['table']}`}
        fz="sm"
        verticalSpacing={6}
        horizontalSpacing={6}
        highlightOnHover
      >
        <Table.Thead className={lines['head']}>
          <Table.Tr>
            <SortHeads columns={AGENT_COLUMNS} sort={sort} onSort={onSort} Th={Table.Th} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((agent) => (
            <AgentRow key={agent.agent_id} projectId={project.id} agent={agent} linked={linked} />
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

interface AgentRowProps {
  projectId: string;
  agent: ComplianceAgent;
  linked: LinkedRange;
}

function AgentRow({ projectId, agent, linked }: AgentRowProps) {
  const name = agent.agent_token ?? 'No longer in the catalog';
  const link = visitsLink(projectId, linked);
  const number = (visits: number, set: FilterSet, what: string) =>
    visits === 0 ? (
      <span className={classes['none']}>0</span>
    ) : (
      <TextLink {...link(ofAgent(agent, set))} size="sm">
        {countText(visits)}
        <span className="unseen">
          {' '}
          {what} of {name}
        </span>
      </TextLink>
    );
  return (
    <Table.Tr>
      <Table.Th scope="row" data-cell="agent">
        <TextLink from="/projects/$projectId/compliance" to="." search={withAgent(agent.agent_id)} size="sm">
          {name}
        </TextLink>
        <Text size="xs" c="dimmed" fw={400}>
          {[agent.operator_name, agent.agent_type_name].filter(Boolean).join(' · ')}
        </Text>
      </Table.Th>
      <Table.Td data-cell="judged" className="numbers">
        {countText(judgedOf(agent))}
      </Table.Td>
      <Table.Td data-cell="disallowed" className="numbers">
        {number(agent.disallowed, COUNTED.disallowed, 'disallowed visits')}
      </Table.Td>
      <Table.Td data-cell="share" className="numbers">
        {percentText(shareOf(agent))}
      </Table.Td>
      <Table.Td data-cell="verified" className="numbers">
        {number(agent.disallowed_verified, COUNTED.verified, 'verified disallowed visits')}
      </Table.Td>
      <Table.Td data-cell="served" className="numbers">
        {number(agent.disallowed_served, COUNTED.served, 'disallowed visits served anyway')}
      </Table.Td>
      <Table.Td data-cell="forbidden" className="numbers">
        {number(agent.disallowed_forbidden, COUNTED.forbidden, 'blocked disallowed visits')}
      </Table.Td>
      <Table.Td data-cell="conflicts" className="numbers">
        {number(agent.allowed_forbidden, COUNTED.conflicts, 'allowed visits answered 403')}
      </Table.Td>
      <Table.Td data-cell="read">
        {agent.last_robots_fetch_at === null ? (
          <span className={classes['none']}>Not seen</span>
        ) : (
          <RelativeTime time={agent.last_robots_fetch_at} />
        )}
      </Table.Td>
      <Table.Td data-cell="last">
        {agent.last_disallowed_at !== null && <RelativeTime time={agent.last_disallowed_at} />}
      </Table.Td>
    </Table.Tr>
  );
}

/** The same page, with an agent's details open. */
const withAgent =
  (agent: string) =>
  <T extends object>(search: T): T & { agent: string } => ({ ...search, agent });
