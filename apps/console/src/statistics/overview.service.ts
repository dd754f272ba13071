import { Injectable } from '@nestjs/common';
import type { Overview } from '#libs/contracts';
import { AgentNamesRepository } from './agent-names.repository.js';
import { CountsRepository, NO_AGENT } from './counts.repository.js';
import { SnapshotReader } from '../reading/snapshot-reader.repository.js';
import { OverviewCountsService, type OverviewAsked, type SampleLimits } from './overview-counts.service.js';
import { visitsByAgent, pageCounts, statusCounts, VisitsByName, totalsOf } from './visit-counts.js';
import { before, seriesOf, type Series } from './time-range.js';

const MAX_ROWS = 10;

/** A range as answers have it. */
export const describeRange = ({ from, to, timeZone, bucket }: Series) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  time_zone: timeZone,
  bucket,
});

/** Sums up a range: totals, series, and the top agents, operators, pages and statuses. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
    private readonly filtered: OverviewCountsService,
  ) {}

  /** @param limits of visits that are read, unless the usual ones. */
  overview(projectId: string, series: Series, asked: OverviewAsked, limits?: SampleLimits): Promise<Overview> {
    return this.reading.read(async (query) => {
      const all = await this.counts.byAgent(query, projectId, series);
      const allBefore = await this.counts.byAgent(query, projectId, before(series));
      const ids = [...all, ...allBefore].map(({ agent_id: id }) => id).filter((id) => id !== NO_AGENT);
      const nameOf = await this.names.find(query, projectId, [...new Set(ids)]);
      const options = { maxRows: MAX_ROWS, ...(limits && { limits }) };
      const range = { projectId, series, counts: all };
      const shown = await this.filtered.count(query, range, asked, nameOf, options);
      const rangeBefore = { projectId, series: seriesOf(before(series), series.timeZone), counts: allBefore };
      const previous = await this.filtered.totals(query, rangeBefore, asked, nameOf, options);
      const { counts, types, pages, statuses, sample } = shown;
      const agents = visitsByAgent(counts).toSorted((one, other) => other.visits - one.visits);
      const operators = new VisitsByName();
      for (const { agentId, visits } of agents) {
        const { operator_name: operator } = nameOf(agentId);
        if (operator !== null) operators.add(operator, visits);
      }
      return {
        ...describeRange(series),
        sample,
        current: totalsOf(counts),
        previous: totalsOf(previous),
        series: typeSeries(series, types),
        top_agents: agents.slice(0, MAX_ROWS).map((agent) => {
          const { agent_token, agent_type_name, operator_name } = nameOf(agent.agentId);
          const { visits, verified, verification_failed } = agent;
          const names = { agent_token, agent_type_name: agent_type_name ?? agent.type, operator_name };
          return { agent_id: agent.agentId, ...names, visits, verified, verification_failed };
        }),
        top_operators: operators.top(MAX_ROWS).map(([operator_name, visits]) => ({ operator_name, visits })),
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
