import { Injectable } from '@nestjs/common';
import type { Overview } from '#libs/contracts';
import { CountsRepository, NO_AGENT, type TopCount, type TopList } from '#libs/visit-store';
import { AgentNamesRepository } from './agent-names.repository.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentBehaviorsRepository } from '../visits/agent-behaviors.repository.js';
import { OverviewCountsService, type OverviewQuery, type SampleLimits } from './overview-counts.service.js';
import { sumByAgent, toPageCounts, toStatusCounts, VisitsByName, sumTotals, type AgentVisits } from './visit-counts.js';
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

/** Summarizes a range with totals, a time series, and the top agents, operators, pages and statuses. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
    private readonly overviewCounts: OverviewCountsService,
    private readonly behaviors: AgentBehaviorsRepository,
  ) {}

  /** @param limits Overrides the default limits for reading stored visits. */
  async overview(
    projectId: string,
    compared: ComparedSeries,
    { filters, visitors }: OverviewQuery,
    limits?: SampleLimits,
  ): Promise<Overview> {
    const { current, previous } = compared;
    const query: OverviewQuery = { filters: await this.behaviors.resolve(filters), visitors };
    return this.reading.read(async (snapshot) => {
      const all = await this.counts.byAgent(snapshot, projectId, current);
      const allPrevious = await this.counts.byAgent(snapshot, projectId, previous);
      const ids = [...all, ...allPrevious].map(({ agent_id: id }) => id).filter((id) => id !== NO_AGENT);
      const getNames = await this.names.find(snapshot, projectId, [...new Set(ids)]);
      const options = { maxRows: MAX_ROWS, ...(limits && { limits }) };
      const range = { projectId, series: current, counts: all };
      const { counts, types, pages, statuses, sample } = await this.overviewCounts.count(
        snapshot,
        range,
        query,
        getNames,
        options,
      );
      const previousRange = { projectId, series: previous, counts: allPrevious };
      const before = await this.overviewCounts.countTotals(snapshot, previousRange, query, getNames, options);
      // Lists read from stored visits aren't compared, because that would require reading the visits in both ranges.
      const countPreviousTop = async (of: TopList['of'], top: TopCount[]) =>
        allPrevious.length === 0 ? [] : this.counts.countValues(snapshot, projectId, previous, { of, visitors }, top);
      const hasPrevious = sample === null;
      const pagesBefore = hasPrevious ? await countPreviousTop('page', pages) : [];
      const statusesBefore = hasPrevious ? await countPreviousTop('status', statuses) : [];
      const agents = sumByAgent(counts).toSorted((one, other) => other.visits - one.visits);
      const previousAgents = sumByAgent(before.counts);
      const previousVisits = new Map(previousAgents.map(({ agentId, visits }) => [agentId, visits]));
      const byOperator = (visiting: readonly AgentVisits[]): VisitsByName => {
        const operators = new VisitsByName();
        for (const { agentId, visits } of visiting) {
          const { operator_name: operator } = getNames(agentId);
          if (operator !== null) operators.add(operator, visits);
        }
        return operators;
      };
      const previousOperators = byOperator(previousAgents);
      return {
        ...describeComparison(compared),
        sample,
        current: sumTotals(counts),
        previous: sumTotals(before.counts),
        series: typeSeries(current, types),
        previous_series: typeSeries(previous, before.types),
        top_agents: agents.slice(0, MAX_ROWS).map((agent) => {
          const { agent_token, agent_type_name, operator_name } = getNames(agent.agentId);
          const { visits, verified, verification_failed } = agent;
          const names = { agent_token, agent_type_name: agent_type_name ?? agent.type, operator_name };
          const previous_visits = previousVisits.get(agent.agentId) ?? 0;
          return { agent_id: agent.agentId, ...names, visits, previous_visits, verified, verification_failed };
        }),
        top_operators: byOperator(agents)
          .top(MAX_ROWS)
          .map(([operator_name, visits]) => {
            return { operator_name, visits, previous_visits: previousOperators.get(operator_name) };
          }),
        top_pages: toPageCounts(hasPrevious ? addPreviousVisits(pages, pagesBefore) : pages),
        top_statuses: toStatusCounts(hasPrevious ? addPreviousVisits(statuses, statusesBefore) : statuses),
      };
    });
  }
}

function addPreviousVisits(top: readonly TopCount[], before: readonly TopCount[]): TopCount[] {
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
