import { Injectable } from '@nestjs/common';
import type { FilterName, Overview, TimelineFilters } from '#libs/contracts';
import {
  type AgentCount,
  CountsRepository,
  NO_AGENT,
  type Population,
  type StoredCounts,
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
import { countSlices, sliceSeries, getSlices } from './slices.js';
import type { Series } from './time-range.js';

export interface OverviewQuery {
  filters: TimelineFilters;
  /** Visitors to include in the lists of pages and statuses. */
  visitors: 'agents' | 'all';
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
  types: { item: number; agent_type: string; visits: number }[];
  pages: TopCount[];
  statuses: TopCount[];
  sample: Overview['sample'];
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
  ) {}

  async count(
    snapshot: Snapshot,
    range: OverviewRange,
    { filters, visitors }: OverviewQuery,
    getNames: (id: string) => AgentNames,
    { maxRows, limits = SAMPLE_LIMITS }: { maxRows: number; limits?: SampleLimits },
  ): Promise<OverviewCounts> {
    const { projectId, series } = range;
    const { passing, agentIds, byType } = this.filterCounts(snapshot, range, filters, getNames);
    const stored = omitFilters(filters, COUNTABLE_FILTERS);
    const needsVisits = hasFilters(stored);
    if (!hasFilters(filters)) {
      const types = await this.counts.byType(snapshot, projectId, series);
      const pages = await this.counts.topValues(snapshot, projectId, series, { of: 'page', visitors }, maxRows);
      const statuses = await this.counts.topValues(snapshot, projectId, series, { of: 'status', visitors }, maxRows);
      return { counts: passing, types, pages, statuses, sample: null };
    }

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
    const counted = await this.stored.count(snapshot, projectId, {
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
      lists: visitors,
      maxRows,
    });
    const { pages, statuses } = counted;
    const sample = describeSample(needsVisits ? 'all' : 'lists', counted);
    if (!needsVisits) return { counts: passing, types, pages, statuses, sample };
    return { counts: roundVisits(counted.counts), types: roundVisits(counted.types), pages, statuses, sample };
  }

  /** Counts a comparison range by agent and type, without the lists of pages and statuses. */
  async countTotals(
    snapshot: Snapshot,
    range: OverviewRange,
    query: OverviewQuery,
    getNames: (id: string) => AgentNames,
    options: { maxRows: number; limits?: SampleLimits },
  ): Promise<Pick<OverviewCounts, 'counts' | 'types'>> {
    if (hasFilters(omitFilters(query.filters, COUNTABLE_FILTERS)))
      return this.count(snapshot, range, query, getNames, options);
    const { passing, byType } = this.filterCounts(snapshot, range, query.filters, getNames);
    const { projectId, series } = range;
    const isAll = !hasFilters(query.filters);
    return {
      counts: passing,
      types: isAll ? await this.counts.byType(snapshot, projectId, series) : await byType(series),
    };
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
