import { Injectable } from '@nestjs/common';
import type { Overview } from '#libs/contracts';
import { CountsRepository, NO_AGENT, type TopCount, type TopList } from '#libs/visit-store';
import { AgentNamesRepository } from './agent-names.repository.js';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { OverviewCountsService, type OverviewAsked, type SampleLimits } from './overview-counts.service.js';
import { visitsByAgent, pageCounts, statusCounts, VisitsByName, totalsOf, type AgentVisits } from './visit-counts.js';
import type { ComparedSeries, Series } from './time-range.js';

const MAX_ROWS = 10;

export const describeRange = ({ from, to, timeZone, bucket }: Series) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  time_zone: timeZone,
  bucket,
});

export const describeComparison = ({ current, previous }: ComparedSeries) => ({
  ...describeRange(current),
  compared_from: new Date(previous.from).toISOString(),
  compared_to: new Date(previous.to).toISOString(),
});

/** Summarizes a range: totals, series, and the top agents, operators, pages and statuses. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
    private readonly filtered: OverviewCountsService,
  ) {}

  /** @param limits overrides the default limits for reading stored visits. */
  overview(
    projectId: string,
    compared: ComparedSeries,
    asked: OverviewAsked,
    limits?: SampleLimits,
  ): Promise<Overview> {
    const { current, previous } = compared;
    return this.reading.read(async (snapshot) => {
      const all = await this.counts.byAgent(snapshot, projectId, current);
      const allBefore = await this.counts.byAgent(snapshot, projectId, previous);
      const ids = [...all, ...allBefore].map(({ agent_id: id }) => id).filter((id) => id !== NO_AGENT);
      const nameOf = await this.names.find(snapshot, projectId, [...new Set(ids)]);
      const options = { maxRows: MAX_ROWS, ...(limits && { limits }) };
      const range = { projectId, series: current, counts: all };
      const { counts, types, pages, statuses, sample } = await this.filtered.count(
        snapshot,
        range,
        asked,
        nameOf,
        options,
      );
      const rangeBefore = { projectId, series: previous, counts: allBefore };
      const before = await this.filtered.sums(snapshot, rangeBefore, asked, nameOf, options);
      // Lists from stored visits have no comparison, because it would require reading visits of both ranges.
      const { visitors } = asked;
      const ofTop = async (of: TopList['of'], top: TopCount[]) =>
        allBefore.length === 0 ? [] : this.counts.ofValues(snapshot, projectId, previous, { of, visitors }, top);
      const hasPrevious = sample === null;
      const pagesBefore = hasPrevious ? await ofTop('page', pages) : [];
      const statusesBefore = hasPrevious ? await ofTop('status', statuses) : [];
      const agents = visitsByAgent(counts).toSorted((one, other) => other.visits - one.visits);
      const previousAgents = visitsByAgent(before.counts);
      const previousVisits = new Map(previousAgents.map(({ agentId, visits }) => [agentId, visits]));
      const byOperator = (visiting: readonly AgentVisits[]): VisitsByName => {
        const operators = new VisitsByName();
        for (const { agentId, visits } of visiting) {
          const { operator_name: operator } = nameOf(agentId);
          if (operator !== null) operators.add(operator, visits);
        }
        return operators;
      };
      const previousOperators = byOperator(previousAgents);
      return {
        ...describeComparison(compared),
        sample,
        current: totalsOf(counts),
        previous: totalsOf(before.counts),
        series: typeSeries(current, types),
        previous_series: typeSeries(previous, before.types),
        top_agents: agents.slice(0, MAX_ROWS).map((agent) => {
          const { agent_token, agent_type_name, operator_name } = nameOf(agent.agentId);
          const { visits, verified, verification_failed } = agent;
          const names = { agent_token, agent_type_name: agent_type_name ?? agent.type, operator_name };
          const previous_visits = previousVisits.get(agent.agentId) ?? 0;
          return { agent_id: agent.agentId, ...names, visits, previous_visits, verified, verification_failed };
        }),
        top_operators: byOperator(agents)
          .top(MAX_ROWS)
          .map(([operator_name, visits]) => {
            return { operator_name, visits, previous_visits: previousOperators.of(operator_name) };
          }),
        top_pages: pageCounts(hasPrevious ? withPrevious(pages, pagesBefore) : pages),
        top_statuses: statusCounts(hasPrevious ? withPrevious(statuses, statusesBefore) : statuses),
      };
    });
  }
}

/** Adds the visits in the comparison range to the top values. */
function withPrevious(top: readonly TopCount[], before: readonly TopCount[]): TopCount[] {
  const visits = new Map(before.map((count) => [count.value, count.visits]));
  return top.map((count) => (count.value === '' ? count : { ...count, previous_visits: visits.get(count.value) ?? 0 }));
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
