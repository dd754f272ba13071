import { Injectable } from '@nestjs/common';
import type { Overview } from '#libs/contracts';
import { CountsRepository, NO_AGENT, type TopCount, type TopList } from '#libs/visit-store';
import { AgentNamesRepository } from './agent-names.repository.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentBehaviorsRepository } from '../visits/agent-behaviors.repository.js';
import { OverviewCountsService, type OverviewQuery, type SampleLimits } from './overview-counts.service.js';
import { buildOverviewSeries } from './overview-series.js';
import { sumByAgent, toPageCounts, toStatusCounts, VisitsByName, sumTotals, type AgentVisits } from './visit-counts.js';
import type { ComparedSeries, Series } from './time-range.js';

const MAX_ROWS = 10;
/** Maximum number of pages in the comparison range to look up the listed pages in. */
const MAX_COMPARED_ROWS = 1_000;

type OverviewSample = NonNullable<Overview['sample']>;

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
    { filters, visitors, breakdown = 'type' }: OverviewQuery,
    limits?: SampleLimits,
  ): Promise<Overview> {
    const { current, previous } = compared;
    const query: OverviewQuery = { filters: await this.behaviors.resolve(filters), visitors, breakdown };
    return this.reading.read(async (snapshot) => {
      const all = await this.counts.byAgent(snapshot, projectId, current);
      const allPrevious = await this.counts.byAgent(snapshot, projectId, previous);
      const ids = [...all, ...allPrevious].map(({ agent_id: id }) => id).filter((id) => id !== NO_AGENT);
      const getNames = await this.names.find(snapshot, projectId, [...new Set(ids)]);
      const options = { maxRows: MAX_ROWS, ...(limits && { limits }) };
      const range = { projectId, series: current, counts: all };
      const { counts, types, pages, statuses, sample, ...read } = await this.overviewCounts.count(
        snapshot,
        range,
        query,
        getNames,
        options,
      );
      const previousRange = { projectId, series: previous, counts: allPrevious };
      const comparesStored = sample !== null && isComparable(sample);
      const stored = comparesStored
        ? await this.overviewCounts.count(snapshot, previousRange, query, getNames, {
            ...options,
            maxRows: MAX_COMPARED_ROWS,
          })
        : null;
      const before =
        stored ?? (await this.overviewCounts.countTotals(snapshot, previousRange, query, getNames, options));
      const countPreviousTop = async (of: TopList['of'], top: TopCount[]) =>
        allPrevious.length === 0 ? [] : this.counts.countValues(snapshot, projectId, previous, { of, visitors }, top);
      const comparedLists =
        sample === null
          ? { pages: await countPreviousTop('page', pages), statuses: await countPreviousTop('status', statuses) }
          : stored?.sample && isComparable(stored.sample)
            ? stored
            : null;
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
      const agentIds = agents.slice(0, MAX_ROWS).map(({ agentId }) => agentId);
      const countItems = (of: Pick<typeof range, 'projectId' | 'series'>) =>
        this.overviewCounts.countBreakdown(snapshot, of, query, agentIds);
      const itemCounts = read.breakdown ?? (await countItems(range));
      const previousItemCounts = before.breakdown ?? (await countItems(previousRange));
      return {
        ...describeComparison(compared),
        sample,
        current: sumTotals(counts),
        previous: sumTotals(before.counts),
        series: buildOverviewSeries(current, types, {
          ...query,
          breakdown,
          agentIds,
          counts: itemCounts,
          lacksVisits: lacksVisits(sample),
        }),
        previous_series: buildOverviewSeries(previous, before.types, {
          ...query,
          breakdown,
          agentIds,
          counts: previousItemCounts,
          lacksVisits: lacksVisits(stored?.sample),
        }),
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
        top_pages: toPageCounts(addPreviousVisits(pages, comparedLists?.pages)),
        top_statuses: toStatusCounts(addPreviousVisits(statuses, comparedLists?.statuses)),
      };
    });
  }
}

/** Estimates of single pages and statuses are too inexact to be compared, and missing visits would look like a change. */
const isComparable = ({ is_estimated: isEstimated, not_stored: notStored }: OverviewSample): boolean =>
  !isEstimated && notStored === 0;

/** Returns true if visits that are no longer stored are only missing from the breakdown and the lists. */
const lacksVisits = (sample: OverviewSample | null | undefined): boolean =>
  sample?.of === 'lists' && sample.not_stored > 0;

/** @param before Counts in the comparison range. Values that are missing have no visits, unless the list is cut off. */
function addPreviousVisits(top: readonly TopCount[], before: readonly TopCount[] | undefined): TopCount[] {
  if (before === undefined) return [...top];
  const visits = new Map(before.map((count) => [count.value, count.visits]));
  const missingVisits = visits.has('') && before.length > MAX_COMPARED_ROWS ? undefined : 0;
  return top.map((count) => {
    const previous = visits.get(count.value) ?? missingVisits;
    return count.value === '' || previous === undefined ? count : { ...count, previous_visits: previous };
  });
}
