import { Table } from '@mantine/core';
import { NO_METHOD } from '#libs/agents/vocabulary';
import type { AgentRow } from '../../api/statistics.js';
import { countText } from '../../format/count.js';
import { agentFilter, agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { SortHeads } from '../../ui/sort-heads.js';
import type { Sort } from '../../ui/sorting.js';
import { Sparkline } from '../../ui/sparkline.js';
import { TextLink } from '../../ui/text-link.js';
import { changeText, percentText } from '../../format/change.js';
import { AGENT_COLUMNS, shareOf } from './agent-columns.js';
import lines from '../../ui/line-table.module.css';
import classes from './agent-table.module.css';

export interface AgentTableProps {
  projectId: string;
  agents: readonly AgentRow[];
  range: LinkedRange;
  /** What it is compared with; null for nothing. */
  before: string | null;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** On a narrow screen a row is a block of lines. */
export default function AgentTable({ agents, sort, onSort, ...props }: AgentTableProps) {
  return (
    <Table className={`${lines['table']} ${classes['table']}`} fz="sm" verticalSpacing={6} highlightOnHover>
      <Table.Thead className={lines['head']}>
        <Table.Tr>
          <SortHeads columns={AGENT_COLUMNS} sort={sort} onSort={onSort} Th={Table.Th} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {agents.map((agent) => (
          <AgentCells key={agent.agent_id} agent={agent} {...props} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface AgentCellsProps extends Omit<AgentTableProps, 'agents' | 'sort' | 'onSort'> {
  agent: AgentRow;
}

function AgentCells({ projectId, agent, range, before }: AgentCellsProps) {
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
        <TextLink {...visitsOf({ agent: agentFilter(agent) })} size="sm">
          {countText(visits)}
          <span className="unseen"> visits of {name}</span>
        </TextLink>
      </Table.Td>
      <Table.Td data-cell="trend">
        <span className={classes['trend']}>
          <Sparkline values={agent.series} label={`Visits of ${name} over the range`} />
          {before !== null && (
            <span className={`${classes['change']} numbers`} title={`${countText(previous)} in ${before}`}>
              {changeText(visits, previous, false)}
            </span>
          )}
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
          <TextLink
            {...visitsOf({ agent: agentFilter(agent), result: 'verification_failed' })}
            c="var(--failed)"
            size="sm"
          >
            {countText(failed)}
            <span className="unseen"> spoofed visits of {name}</span>
          </TextLink>
        )}
      </Table.Td>
      <Table.Td data-cell="seen">{agent.last_seen_at !== null && <RelativeTime time={agent.last_seen_at} />}</Table.Td>
    </Table.Tr>
  );
}
