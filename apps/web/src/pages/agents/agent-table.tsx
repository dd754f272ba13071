import { Table } from '@mantine/core';
import { NO_METHOD } from '#libs/agents/vocabulary';
import type { AgentRow } from '../../api/statistics.js';
import { agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { SortHeads } from '../../ui/sort-heads.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { Sparkline } from '../../ui/sparkline.js';
import { TextLink } from '../../ui/text-link.js';
import { changeText, percentText, verifiedShare } from '../../format/change.js';
import lines from '../../ui/line-table.module.css';
import classes from './agent-table.module.css';

export interface AgentTableProps {
  projectId: string;
  agents: readonly AgentRow[];
  range: LinkedRange;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

const shareOf = ({ verified, visits, is_verifiable: isVerifiable }: AgentRow): number | null =>
  verifiedShare(verified, { of: visits, isVerifiable });

/** The server sorts by their keys. */
export const AGENT_COLUMNS: readonly Column<AgentRow>[] = [
  { key: 'token', label: 'Agent', value: (agent) => agent.agent_token },
  { key: 'type', label: 'Type', value: (agent) => agent.agent_type_name },
  { key: 'operator', label: 'Operator', value: (agent) => agent.operator_name },
  { key: 'visits', label: 'Visits', isNumber: true, value: (agent) => agent.visits },
  { key: 'trend', label: 'Trend' },
  {
    key: 'previous',
    label: 'Visits in the previous period',
    isOnlyExported: true,
    value: (agent) => agent.previous_visits,
  },
  { key: 'verified', label: 'Verified', isNumber: true, value: shareOf },
  { key: 'verified_visits', label: 'Verified visits', isOnlyExported: true, value: (agent) => agent.verified },
  { key: 'spoofed', label: 'Spoofed', isNumber: true, value: (agent) => agent.verification_failed },
  { key: 'last_seen', label: 'Last seen', isLatestFirst: true, value: (agent) => agent.last_seen_at },
];

/** On a narrow screen a row is a block of lines. */
export function AgentTable({ projectId, agents, range, sort, onSort }: AgentTableProps) {
  return (
    <Table className={`${lines['table']} ${classes['table']}`} fz="sm" verticalSpacing={6} highlightOnHover>
      <Table.Thead className={lines['head']}>
        <Table.Tr>
          <SortHeads columns={AGENT_COLUMNS} sort={sort} onSort={onSort} Th={Table.Th} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {agents.map((agent) => (
          <AgentCells key={agent.agent_id} projectId={projectId} agent={agent} range={range} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function AgentCells({ projectId, agent, range }: { projectId: string; agent: AgentRow; range: LinkedRange }) {
  const { agent_id: agentId, visits, previous_visits: previous, verified, verification_failed: failed } = agent;
  const name = agent.agent_token ?? 'No longer in the catalog';
  const visitsOf = listLink(projectId, range);
  return (
    <Table.Tr>
      <Table.Th scope="row" data-cell="name">
        <TextLink {...agentLink(projectId, agentId, range)} size="sm">
          {name}
        </TextLink>
      </Table.Th>
      <Table.Td data-cell="type">{agent.agent_type_name}</Table.Td>
      <Table.Td data-cell="operator">{agent.operator_name}</Table.Td>
      <Table.Td data-cell="visits" className="numbers">
        <TextLink {...visitsOf({ agent: agentId })} size="sm">
          {visits.toLocaleString('en')}
          <span className="unseen"> visits of {name}</span>
        </TextLink>
      </Table.Td>
      <Table.Td data-cell="trend">
        <span className={classes['trend']}>
          <Sparkline values={agent.series} label={`Visits of ${name} over the range`} />
          <span className={`${classes['change']} numbers`} title={`${previous} in the previous period`}>
            {changeText(visits, previous, false)}
          </span>
        </span>
      </Table.Td>
      <Table.Td data-cell="verified" className="numbers">
        <span
          className={verified === 0 ? classes['none'] : undefined}
          title={agent.is_verifiable ? undefined : NO_METHOD}
        >
          {percentText(shareOf(agent))}
        </span>
      </Table.Td>
      <Table.Td data-cell="failed" className="numbers">
        {failed === 0 ? (
          <span className={classes['none']}>0</span>
        ) : (
          <TextLink {...visitsOf({ agent: agentId, result: 'verification_failed' })} c="var(--failed)" size="sm">
            {failed.toLocaleString('en')}
            <span className="unseen"> spoofed visits of {name}</span>
          </TextLink>
        )}
      </Table.Td>
      <Table.Td data-cell="seen">{agent.last_seen_at !== null && <RelativeTime time={agent.last_seen_at} />}</Table.Td>
    </Table.Tr>
  );
}
