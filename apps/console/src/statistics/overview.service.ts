import { Injectable } from '@nestjs/common';
import type { Overview } from '#libs/contracts';
import { AgentNamesRepository } from './agent-names.repository.js';
import { CountsRepository } from './counts.repository.js';
import { SnapshotReader } from '../reading/snapshot-reader.repository.js';
import { agentTallies, pageCounts, statusCounts, Tally, totalsOf } from './tally.js';
import { before, type Series } from './time-range.js';

const MOST = 10;

/** A range as it is said in answers. */
export const describeRange = ({ from, to, timeZone, bucket }: Series) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  time_zone: timeZone,
  bucket,
});

/** Everything of a range at a glance. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  overview(projectId: string, series: Series): Promise<Overview> {
    return this.reading.read(async (query) => {
      const counts = await this.counts.byAgent(query, projectId, series);
      const previous = await this.counts.byAgent(query, projectId, before(series));
      const types = await this.counts.byType(query, projectId, series);
      const pages = await this.counts.top(query, projectId, series, 'page', MOST);
      const statuses = await this.counts.top(query, projectId, series, 'status', MOST);
      const agents = agentTallies(counts).toSorted((one, other) => other.visits - one.visits);
      const ids = agents.map(({ agentId }) => agentId);
      const nameOf = await this.names.find(query, projectId, ids);
      const operators = new Tally();
      for (const { agentId, visits } of agents) {
        const { operator_name: operator } = nameOf(agentId);
        if (operator !== null) operators.add(operator, visits);
      }
      return {
        ...describeRange(series),
        current: totalsOf(counts),
        previous: totalsOf(previous),
        series: typeSeries(series, types),
        top_agents: agents.slice(0, MOST).map((agent) => {
          const { agent_token, agent_type_name, operator_name } = nameOf(agent.agentId);
          const { visits, verified, verification_failed } = agent;
          const names = { agent_token, agent_type_name: agent_type_name ?? agent.type, operator_name };
          return { agent_id: agent.agentId, ...names, visits, verified, verification_failed };
        }),
        top_operators: operators.top(MOST).map(([operator_name, visits]) => ({ operator_name, visits })),
        top_pages: pageCounts(pages),
        top_statuses: statusCounts(statuses),
      };
    });
  }
}

function typeSeries(
  { starts }: Series,
  counts: readonly { item: number; agent_type: string; visits: number }[],
): Overview['series'] {
  const items = starts.map((start): Overview['series'][number] => ({
    time: new Date(start).toISOString(),
    visits: 0,
    by_type: {},
  }));
  for (const { item, agent_type: type, visits } of counts) {
    const { by_type: byType } = items[item]!;
    items[item]!.visits += visits;
    byType[type] = (byType[type] ?? 0) + visits;
  }
  return items;
}
