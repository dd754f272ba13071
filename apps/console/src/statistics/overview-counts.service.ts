import { Injectable } from '@nestjs/common';
import type { FilterName, Overview, OverviewBreakdown, TimelineFilters } from '#libs/contracts';
import {
  type AgentCount,
  CountsRepository,
  type ItemCount,
  NO_AGENT,
  type Population,
  type StoredCounts,
  type VisitSelection,
  StatusSeriesRepository,
  StoredCountsRepository,
  type TopCount,
  type Snapshot,
} from '#libs/visit-store';
import type { AgentNames } from './agent-names.repository.js';
import {
  COUNTABLE_FILTERS,
  hasFilters,
  AGENT_FILTERS,
  pickFilters,
  createCountPredicate,
  omitFilters,
  type Filters,
} from './count-filters.js';
import type { TypeCount } from './overview-series.js';
import { countSlices, sliceSeries, getSlices } from './slices.js';
import type { Series } from './time-range.js';

export interface OverviewQuery {
  filters: TimelineFilters;
  /** Visitors to include in the lists of pages and statuses. */
  visitors: 'agents' | 'all';
  /** Property to break the series down by. Default: `type`. */
  breakdown?: OverviewBreakdown;
}

export interface SampleLimits {
  /** Maximum number of visits to read in full. If there are more, a sample is read. */
  exact: number;
  /** Approximate sample size, in visits. */
  sampled: number;
  /** Approximate number of time slices that the sample is drawn from. */
  slices: number;
}

const SAMPLE_LIMITS: SampleLimits = { exact: 200_000, sampled: 100_000, slices: 240 };

interface OverviewCounts {
  counts: AgentCount[];
  types: TypeCount[];
  pages: TopCount[];
  statuses: TopCount[];
  sample: Overview['sample'];
  /** Stored visits by status or agent. Null if they weren't read for the requested breakdown. */
  breakdown: ItemCount[] | null;
}

interface SelectedVisits {
  /** Counts that match the filters which the counts cover. */
  passing: AgentCount[];
  /** Counts by chart item, agent type and result. */
  types: OverviewCounts['types'];
  query: VisitSelection;
}

interface OverviewRange {
  projectId: string;
  series: Series;
  counts: readonly AgentCount[];
}

const TYPE_FILTERS: readonly FilterName[] = ['type', 'result'];

/** Counts the visits in a range that match the filters. Reads stored visits only if the stored counts don't suffice. */
@Injectable()
export class OverviewCountsService {
  constructor(
    private readonly counts: CountsRepository,
    private readonly stored: StoredCountsRepository,
    private readonly statuses: StatusSeriesRepository,
  ) {}

  async count(
    snapshot: Snapshot,
    range: OverviewRange,
    { filters, visitors, breakdown = 'type' }: OverviewQuery,
    getNames: (id: string) => AgentNames,
    { maxRows, limits = SAMPLE_LIMITS }: { maxRows: number; limits?: SampleLimits },
  ): Promise<OverviewCounts> {
    const { projectId, series } = range;
    if (!hasFilters(filters)) {
      const types = await this.countTypes(snapshot, projectId, series, breakdown);
      const pages = await this.counts.topValues(snapshot, projectId, series, { of: 'page', visitors }, maxRows);
      const statuses = await this.counts.topValues(snapshot, projectId, series, { of: 'status', visitors }, maxRows);
      return { counts: [...range.counts], types, pages, statuses, sample: null, breakdown: null };
    }

    const { passing, types, query } = await this.selectVisits(snapshot, range, { filters, visitors }, getNames, limits);
    const needsVisits = hasFilters(query.stored);
    const readsBreakdown = breakdown === 'status' || (breakdown === 'agent' && needsVisits);
    const counted = await this.stored.count(snapshot, projectId, {
      ...query,
      lists: visitors,
      maxRows,
      ...(readsBreakdown && { breakdown }),
    });
    const lists = {
      pages: counted.pages,
      statuses: counted.statuses,
      breakdown: readsBreakdown ? counted.breakdown : null,
    };
    const sample = describeSample(needsVisits ? 'all' : 'lists', counted);
    if (!needsVisits) return { counts: passing, types, ...lists, sample };
    return { counts: roundVisits(counted.counts), types: roundVisits(counted.types), ...lists, sample };
  }

  /**
   * Counts visits by item and by status or agent, or returns null if the counts don't contain the requested breakdown.
   *
   * @param agentIds Agents to count.
   */
  async countBreakdown(
    snapshot: Snapshot,
    { projectId, series }: Pick<OverviewRange, 'projectId' | 'series'>,
    { filters, visitors, breakdown }: OverviewQuery,
    agentIds: readonly string[],
  ): Promise<ItemCount[] | null> {
    if (breakdown === 'agent') {
      const counts = await this.counts.agentSeries(snapshot, projectId, series, agentIds);
      const isIncluded = createCountPredicate(pickFilters(filters, ['result']));
      return counts
        .filter(({ result }) => isIncluded({ agent_type: '', result }))
        .map(({ item, agent_id: value, visits }) => ({ item, value, visits }));
    }
    if (breakdown !== 'status' || hasFilters(filters)) return null;
    const counts = await this.statuses.series(snapshot, projectId, series, visitors);
    return counts.map(({ item, status: value, visits }) => ({ item, value, visits }));
  }

  /** Selects the stored visits to count: all that can match the filters, or a sample if there are too many. */
  async selectVisits(
    snapshot: Snapshot,
    range: OverviewRange,
    { filters, visitors }: OverviewQuery,
    getNames: (id: string) => AgentNames,
    limits: SampleLimits,
  ): Promise<SelectedVisits> {
    const { series } = range;
    const { passing, agentIds, byType } = this.filterCounts(snapshot, range, filters, getNames);
    const stored = omitFilters(filters, COUNTABLE_FILTERS);
    const needsVisits = hasFilters(stored);
    const types = await byType(series);
    const knownAgentIds = agentIds?.filter((id) => id !== NO_AGENT) ?? null;
    const read = selectVisits(filters, knownAgentIds);
    const visitsToRead = {
      agents: sumVisits(range.counts.filter(createReadPredicate(read, knownAgentIds, passing))),
      unknown: needsVisits || visitors === 'all' ? sumVisits(passing.filter(isUnknown)) : 0,
    };
    const isExact = !this.stored.readsSamples || visitsToRead.agents + visitsToRead.unknown <= limits.exact;
    const sliced = isExact ? series : sliceSeries(series, limits.slices);
    const slices = getSlices(sliced, series);
    const sliceCounts = isExact ? types : await byType(sliced);
    const matchingVisits = sumVisits(passing.filter((count) => visitsToRead.unknown > 0 || !isUnknown(count)));
    const createPopulation = (belongs: (count: { result: string }) => boolean, of: Population['read']): Population => ({
      slices: countSlices(slices, sliceCounts.filter(belongs), isExact ? null : limits.sampled / matchingVisits),
      read: of,
    });
    const query = {
      agents:
        visitsToRead.agents === 0
          ? null
          : createPopulation(
              (count) => !isUnknown(count),
              // A sample of several agents' visits can't be read efficiently, because the index is ordered by agent and
              // then by time. Sample the visits by all agents instead.
              !isExact && typeof read === 'object' && read.agentIds.length > 1 ? 'all' : read,
            ),
      unknown: visitsToRead.unknown === 0 ? null : createPopulation(isUnknown, 'all'),
      counted: { ...pickFilters(filters, TYPE_FILTERS), ...(knownAgentIds !== null && { agent: knownAgentIds }) },
      stored,
    };
    return { passing, types, query };
  }

  /** Counts a comparison range by agent and type, without the lists of pages and statuses. */
  async countTotals(
    snapshot: Snapshot,
    range: OverviewRange,
    query: OverviewQuery,
    getNames: (id: string) => AgentNames,
    options: { maxRows: number; limits?: SampleLimits },
  ): Promise<Pick<OverviewCounts, 'counts' | 'types' | 'breakdown'>> {
    if (hasFilters(omitFilters(query.filters, COUNTABLE_FILTERS)))
      return this.count(snapshot, range, query, getNames, options);
    const { passing, byType } = this.filterCounts(snapshot, range, query.filters, getNames);
    const { projectId, series } = range;
    const isAll = !hasFilters(query.filters);
    return {
      counts: passing,
      types: isAll ? await this.countTypes(snapshot, projectId, series, query.breakdown) : await byType(series),
      breakdown: null,
    };
  }

  private countTypes(
    snapshot: Snapshot,
    projectId: string,
    series: Series,
    breakdown: OverviewBreakdown = 'type',
  ): Promise<TypeCount[]> {
    return breakdown === 'type'
      ? this.counts.byType(snapshot, projectId, series)
      : this.counts.byTypeAndResult(snapshot, projectId, series);
  }

  private filterCounts(
    snapshot: Snapshot,
    { projectId, counts }: OverviewRange,
    filters: TimelineFilters,
    getNames: (id: string) => AgentNames,
  ) {
    const passing = counts.filter(createCountPredicate(filters, getNames));
    const agentIds = hasFilters(filters, AGENT_FILTERS) ? [...new Set(passing.map(({ agent_id: id }) => id))] : null;
    const byType = async (items: Series) => {
      const types = await this.counts.byTypeAndResult(snapshot, projectId, items, agentIds);
      return types.filter(createCountPredicate(pickFilters(filters, TYPE_FILTERS)));
    };
    return { passing, agentIds, byType };
  }
}

const isUnknown = ({ result }: { result: string }): boolean => result === 'unknown_agent';
const sumVisits = (counts: readonly { visits: number }[]): number =>
  counts.reduce((sum, { visits }) => sum + visits, 0);
const roundVisits = <T extends { visits: number }>(counts: readonly T[]): T[] =>
  counts.map((count) => ({ ...count, visits: Math.round(count.visits) }));

/** Selects the visits to read. Failed verifications have their own index. */
function selectVisits({ result }: Filters, agentIds: readonly string[] | null): Population['read'] {
  if (result?.every((one) => one === 'verification_failed')) return 'failed';
  return agentIds === null ? 'all' : { agentIds };
}

/** Returns a predicate for the counts whose visits must be read. It matches nothing if no agent passes the filters. */
function createReadPredicate(
  read: Population['read'],
  agentIds: readonly string[] | null,
  passing: readonly AgentCount[],
) {
  const isNone = !passing.some((count) => !isUnknown(count));
  return ({ agent_id: id, result }: AgentCount): boolean => {
    if (isNone || id === NO_AGENT) return false;
    return read === 'failed' ? result === 'verification_failed' : (agentIds?.includes(id) ?? true);
  };
}

const describeSample = (of: 'lists' | 'all', { read, counted, notStored, isEstimated }: StoredCounts) => ({
  of,
  visits_read: read,
  visits: counted,
  not_stored: notStored,
  is_estimated: isEstimated,
});
