import { Injectable } from '@nestjs/common';
import {
  LOAD_SERIES_OPERATORS,
  type Load,
  type LoadGrouping,
  type LoadReport,
  type LoadSeries,
  type TimelineFilters,
} from '#libs/contracts';
import {
  CountsRepository,
  LoadRepository,
  NO_AGENT,
  parseLoadKey,
  type AgentCount,
  type LoadEstimate,
  type LoadItem,
  type Snapshot,
  type StoredLoad,
  type VisitSelection,
} from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentBehaviorsRepository } from '../visits/agent-behaviors.repository.js';
import { AgentNamesRepository, type AgentNames } from './agent-names.repository.js';
import { COUNTABLE_FILTERS, createCountPredicate, hasFilters, omitFilters } from './count-filters.js';
import { OverviewCountsService, type SampleLimits } from './overview-counts.service.js';
import { describeRange } from './overview.service.js';
import type { Series } from './time-range.js';

/** Maximum number of visits to sum up in PostgreSQL, and the sample to read if there are more. */
const SAMPLE_LIMITS: SampleLimits = { exact: 1_500_000, sampled: 100_000, slices: 240 };
const TIMEOUT = {
  timeoutMs: 30_000,
  timeoutDetail: 'Summing up the visits took too long. Choose a shorter range.',
};
const QUARTER_MS = 900_000;

interface CountedSeries {
  projectId: string;
  series: Series;
  counts: readonly AgentCount[];
}

interface LoadRequest {
  by: LoadGrouping;
  /** The project's path patterns. Only required for the grouping `pattern`. */
  patterns?: readonly string[];
  filters: TimelineFilters;
}

/** Reports the load that visits caused, and who or what caused most of it. */
@Injectable()
export class LoadService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly loads: LoadRepository,
    private readonly overviewCounts: OverviewCountsService,
    private readonly names: AgentNamesRepository,
    private readonly behaviors: AgentBehaviorsRepository,
  ) {}

  /** @param limits Overrides the default limits for reading stored visits. */
  async report(
    projectId: string,
    series: Series,
    { by, patterns = [], filters: requested }: LoadRequest,
    limits = SAMPLE_LIMITS,
  ): Promise<LoadReport> {
    const filters = await this.behaviors.resolve(requested);
    const work = async (snapshot: Snapshot): Promise<LoadReport> => {
      const { range, getNames } = await this.readCounts(snapshot, projectId, series);
      const isIncluded = createCountPredicate(filters, getNames);
      const counted = sumVisits(range.counts.filter(isIncluded));
      const isSampled =
        this.loads.readsSamples &&
        counted > limits.exact &&
        (await this.countSinceFirstStored(snapshot, range, isIncluded)) > limits.exact;
      const { from, to } = series;
      const { loads, read } = isSampled
        ? await this.estimate(snapshot, range, { by, patterns, filters }, getNames, limits)
        : { loads: await this.loads.sum(snapshot, projectId, { by, patterns, filters, from, to }), read: counted };
      const [total, ...rows] = loads;
      const isCountable = !hasFilters(omitFilters(filters, COUNTABLE_FILTERS));
      return {
        ...describeRange(series),
        sample: isSampled ? { visits_read: read, visits: counted } : null,
        not_stored: isCountable ? Math.max(0, counted - Math.round(total!.requests)) : null,
        total: toLoad(total!),
        rows: rows.map((row) => {
          const value = parseLoadKey(row.key!);
          const { agent_token, agent_type_name, operator_name } = getNames(
            by === 'agent' && value !== null ? value : '',
          );
          return { value, agent_token, agent_type_name, operator_name, ...toLoad(row) };
        }),
      };
    };
    return this.reading.read(work, TIMEOUT);
  }

  /** @param limits Overrides the default limits for reading stored visits. */
  async series(
    projectId: string,
    series: Series,
    requested: TimelineFilters,
    limits = SAMPLE_LIMITS,
  ): Promise<LoadSeries> {
    const filters = await this.behaviors.resolve(requested);
    const work = async (snapshot: Snapshot): Promise<LoadSeries> => {
      const { range, getNames } = await this.readCounts(snapshot, projectId, series);
      const selection = await this.selectVisits(snapshot, range, filters, getNames, limits);
      const loads = await this.loads.series(snapshot, projectId, selection);
      const loadsByItem = Map.groupBy(loads, ({ item }) => item);
      const operators = findTopOperators(loads);
      const slices = [selection.agents, selection.unknown].flatMap((population) => population?.slices ?? []);
      return {
        ...describeRange(series),
        is_estimated: slices.some(({ max }) => max !== null),
        series: series.starts.map((start, item) => {
          const parts = loadsByItem.get(item) ?? [];
          return {
            time: new Date(start).toISOString(),
            ...toSeriesLoad(parts),
            operators: parts
              .filter(({ operator_name: operator }) => operators.has(operator))
              .map((part) => ({ operator_name: part.operator_name, ...toSeriesLoad([part]) })),
          };
        }),
      };
    };
    return this.reading.read(work, TIMEOUT);
  }

  private async readCounts(snapshot: Snapshot, projectId: string, series: Series) {
    const counts = await this.counts.byAgent(snapshot, projectId, series);
    const ids = new Set(counts.map(({ agent_id: id }) => id).filter((id) => id !== NO_AGENT));
    const getNames = await this.names.find(snapshot, projectId, [...ids]);
    return { range: { projectId, series, counts }, getNames };
  }

  private async selectVisits(
    snapshot: Snapshot,
    range: CountedSeries,
    filters: TimelineFilters,
    getNames: (id: string) => AgentNames,
    limits: SampleLimits,
  ): Promise<VisitSelection> {
    const query = { filters, visitors: 'all' } as const;
    return (await this.overviewCounts.selectVisits(snapshot, range, query, getNames, limits)).query;
  }

  /** Counts only visits since the first stored one, because the retention period of earlier visits has ended. */
  private async countSinceFirstStored(
    snapshot: Snapshot,
    { projectId, series: { from, to }, counts }: CountedSeries,
    isIncluded: (count: AgentCount) => boolean,
  ): Promise<number> {
    const included = counts.filter(isIncluded);
    const first = await this.loads.findFirstStored(
      snapshot,
      projectId,
      { from, to },
      { agents: included.some((count) => !isUnknown(count)), unknown: included.some(isUnknown) },
    );
    const countSince = async (time: number | null, belongs: (count: AgentCount) => boolean): Promise<number> => {
      if (time === null) return 0;
      const countsSince = await this.counts.byAgent(snapshot, projectId, {
        from: Math.floor(time / QUARTER_MS) * QUARTER_MS,
        to,
      });
      return sumVisits(countsSince.filter((count) => belongs(count) && isIncluded(count)));
    };
    return (
      (await countSince(first.agents, (count) => !isUnknown(count))) + (await countSince(first.unknown, isUnknown))
    );
  }

  private async estimate(
    snapshot: Snapshot,
    range: CountedSeries,
    { filters, ...grouping }: LoadRequest,
    getNames: (id: string) => AgentNames,
    limits: SampleLimits,
  ): Promise<LoadEstimate> {
    const selection = await this.selectVisits(snapshot, range, filters, getNames, limits);
    return this.loads.estimate(snapshot, range.projectId, grouping, selection);
  }
}

const isUnknown = ({ agent_id: id }: AgentCount): boolean => id === NO_AGENT;
const sumVisits = (counts: readonly AgentCount[]): number => counts.reduce((sum, { visits }) => sum + visits, 0);

const SERIES_VALUES = ['requests', 'bytes', 'time_us'] as const;

/** Adds up values. Returns null if all are null. */
function sumValues(loads: readonly LoadItem[], name: (typeof SERIES_VALUES)[number]): number | null {
  const values = loads.map((load) => load[name]).filter((value) => value !== null);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

function toSeriesLoad(loads: readonly LoadItem[]) {
  const bytes = sumValues(loads, 'bytes');
  return {
    requests: Math.round(sumValues(loads, 'requests') ?? 0),
    bytes: bytes === null ? null : Math.round(bytes),
    server_time_ms: toMilliseconds(sumValues(loads, 'time_us')),
  };
}

/** Returns the operators with the most requests, bytes or server time. */
function findTopOperators(loads: readonly LoadItem[]): ReadonlySet<string> {
  const named = loads.filter(({ operator_name: operator }) => operator !== '');
  const groups = [...Map.groupBy(named, ({ operator_name: operator }) => operator)];
  const top = SERIES_VALUES.flatMap((name) =>
    groups
      .map(([operator, items]) => ({ operator, value: sumValues(items, name) ?? 0 }))
      .toSorted((one, other) => other.value - one.value)
      .slice(0, LOAD_SERIES_OPERATORS),
  );
  return new Set(top.map(({ operator }) => operator));
}

/** Rounds estimates. */
const toLoad = (row: StoredLoad): Load => ({
  requests: Math.round(row.requests),
  bytes: row.bytes === null ? null : Math.round(row.bytes),
  bytes_requests: Math.round(row.bytes_requests),
  body_requests: Math.round(row.bytes_requests - row.sent_requests),
  sent_requests: Math.round(row.sent_requests),
  server_time_ms: toMilliseconds(row.time_us),
  p95_ms: toMilliseconds(row.p95_us),
  timed_requests: Math.round(row.timed_requests),
  peak:
    row.peak_requests === null || row.peak_at === null
      ? null
      : { requests: row.peak_requests, time: new Date(row.peak_at).toISOString() },
  not_modified: Math.round(row.not_modified),
  status_requests: Math.round(row.status_requests),
  repeats:
    row.distinct_agent_requests === null || row.agent_requests === 0
      ? null
      : row.agent_requests - row.distinct_agent_requests,
  cache_hits: Math.round(row.cache_hits),
  cache_requests: Math.round(row.cache_requests),
});

const toMilliseconds = (microseconds: number | null): number | null =>
  microseconds === null ? null : Math.round(microseconds) / 1_000;
