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
import { COUNTED, isAny, OF_AGENTS, only, passesBy, without, type Filters } from './counted-filters.js';
import { countedSlices, slicedSeries, slicesOf } from './slices.js';
import type { Series } from './time-range.js';

export interface OverviewAsked {
  filters: TimelineFilters;
  /** Visitors whose pages and statuses are listed. */
  visitors: 'agents' | 'all';
}

export interface SampleLimits {
  /** Maximum number of visits that are all read. More are sampled. */
  exact: number;
  /** Approximate number of visits in a sample. */
  sampled: number;
  /** Approximate number of slices of the range that a sample is taken from. */
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

interface Range {
  projectId: string;
  series: Series;
  counts: readonly AgentCount[];
}

const BY_TYPE: readonly FilterName[] = ['type', 'result'];

/** Counts the visits in a range that pass filters. Reads stored visits only if the counts aren't enough. */
@Injectable()
export class OverviewCountsService {
  constructor(
    private readonly counts: CountsRepository,
    private readonly stored: StoredCountsRepository,
  ) {}

  async count(
    snapshot: Snapshot,
    range: Range,
    { filters, visitors }: OverviewAsked,
    nameOf: (id: string) => AgentNames,
    { maxRows, limits = SAMPLE_LIMITS }: { maxRows: number; limits?: SampleLimits },
  ): Promise<OverviewCounts> {
    const { projectId, series } = range;
    const { passing, agentIds, byType } = this.passing(snapshot, range, filters, nameOf);
    const stored = without(filters, COUNTED);
    const needsVisits = isAny(stored);
    if (!isAny(filters)) {
      const types = await this.counts.byType(snapshot, projectId, series);
      const pages = await this.counts.top(snapshot, projectId, series, { of: 'page', visitors }, maxRows);
      const statuses = await this.counts.top(snapshot, projectId, series, { of: 'status', visitors }, maxRows);
      return { counts: passing, types, pages, statuses, sample: null };
    }

    const types = await byType(series);
    const knownIds = agentIds?.filter((id) => id !== NO_AGENT) ?? null;
    const read = readOf(filters, knownIds);
    const toRead = {
      agents: sumOf(range.counts.filter(isReadBy(read, knownIds, passing))),
      unknown: needsVisits || visitors === 'all' ? sumOf(passing.filter(isUnknown)) : 0,
    };
    const isWhole = toRead.agents + toRead.unknown <= limits.exact;
    const sliced = isWhole ? series : slicedSeries(series, limits.slices);
    const slices = slicesOf(sliced, series);
    const inSlices = isWhole ? types : await byType(sliced);
    const passed = sumOf(passing.filter((count) => toRead.unknown > 0 || !isUnknown(count)));
    const population = (isOfIt: (count: { result: string }) => boolean, of: Population['read']): Population => ({
      slices: countedSlices(slices, inSlices.filter(isOfIt), isWhole ? null : limits.sampled / passed),
      read: of,
    });
    const counted = await this.stored.count(snapshot, projectId, {
      agents:
        toRead.agents === 0
          ? null
          : population(
              (count) => !isUnknown(count),
              // For several agents, the index isn't ordered by time, so the sample is taken from all agents' visits.
              !isWhole && typeof read === 'object' && read.agentIds.length > 1 ? 'all' : read,
            ),
      unknown: toRead.unknown === 0 ? null : population(isUnknown, 'all'),
      counted: { ...only(filters, BY_TYPE), ...(knownIds !== null && { agent: knownIds }) },
      stored,
      lists: visitors,
      maxRows,
    });
    const { pages, statuses } = counted;
    const sample = describeSample(needsVisits ? 'all' : 'lists', counted);
    if (!needsVisits) return { counts: passing, types, pages, statuses, sample };
    return { counts: rounded(counted.counts), types: rounded(counted.types), pages, statuses, sample };
  }

  /** Counts another range, by agent and by type only. */
  async sums(
    snapshot: Snapshot,
    range: Range,
    asked: OverviewAsked,
    nameOf: (id: string) => AgentNames,
    options: { maxRows: number; limits?: SampleLimits },
  ): Promise<Pick<OverviewCounts, 'counts' | 'types'>> {
    if (isAny(without(asked.filters, COUNTED))) return this.count(snapshot, range, asked, nameOf, options);
    const { passing, byType } = this.passing(snapshot, range, asked.filters, nameOf);
    const { projectId, series } = range;
    const isAll = !isAny(asked.filters);
    return {
      counts: passing,
      types: isAll ? await this.counts.byType(snapshot, projectId, series) : await byType(series),
    };
  }

  /** Applies the filters to the counts. */
  private passing(
    snapshot: Snapshot,
    { projectId, counts }: Range,
    filters: TimelineFilters,
    nameOf: (id: string) => AgentNames,
  ) {
    const passing = counts.filter(passesBy(filters, nameOf));
    const agentIds = isAny(filters, OF_AGENTS) ? [...new Set(passing.map(({ agent_id: id }) => id))] : null;
    const byType = async (items: Series) => {
      const types = await this.counts.byTypeAndResult(snapshot, projectId, items, agentIds);
      return types.filter(passesBy(only(filters, BY_TYPE)));
    };
    return { passing, agentIds, byType };
  }
}

const isUnknown = ({ result }: { result: string }): boolean => result === 'unknown_agent';
const sumOf = (counts: readonly { visits: number }[]): number => counts.reduce((sum, { visits }) => sum + visits, 0);
const rounded = <T extends { visits: number }>(counts: readonly T[]): T[] =>
  counts.map((count) => ({ ...count, visits: Math.round(count.visits) }));

/** Returns which agents' visits to read. Failed verifications have their own index. */
function readOf({ result }: Filters, agentIds: readonly string[] | null): Population['read'] {
  if (result?.every((one) => one === 'verification_failed')) return 'failed';
  return agentIds === null ? 'all' : { agentIds };
}

/** Returns a predicate for the counts whose visits are read. If no visits of agents pass the filters, none are read. */
function isReadBy(read: Population['read'], agentIds: readonly string[] | null, passing: readonly AgentCount[]) {
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
