import { Injectable } from '@nestjs/common';
import { TOOL_DIMENSIONS } from '#libs/contracts';
import { readAsLists } from './column-lists.js';
import { select, selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { divideDays } from './divided-days.js';
import {
  bucketsOf,
  bucketSums,
  dimensionIs,
  rangeParameters,
  splitAtItems,
  itemParameters,
  splitByRollup,
  rollupGroups,
  rollupRows,
  rollupSums,
  timestamp,
  type OpenTimes,
  type RollupRanges,
} from './rollups.js';
import type { Series, TimeRange } from './time-range.js';
import { NO_AGENT } from './visit-counts.js';

export interface AgentCount {
  agent_id: string;
  /** Agent type at the time of the visits. Empty for {@link NO_AGENT}. */
  agent_type: string;
  result: string;
  visits: number;
  last_at: Date;
}

export interface TopCount {
  /** Empty for the total of all other values. */
  value: string;
  visits: number;
  /** Visits in the comparison range, if any. Never set on the total of all other values. */
  previous_visits?: number;
}

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
const DAY_MS = 24 * HOUR_MS;

/** Coarsest roll-up to read for each item length. */
const COARSEST = { '15m': 'quarters', '1h': 'hours', '1d': 'days', '1w': 'days', '1mo': 'days' } as const;
/** Rest-of-day sums start at multiples of this interval. */
const REST_MS = 3 * HOUR_MS;
/** Maximum hours to move between items. If more would move, all hours of the day are read. */
const MAX_MOVED_HOURS = 4;

export interface TopList {
  of: 'page' | 'status';
  visitors: 'agents' | 'all';
}

/** Agents' visits have their own dimensions, so `all` reads both. */
const isOfList = ({ of, visitors }: TopList): string =>
  visitors === 'agents' ? `dimension = 'agent_${of}'` : `dimension IN ('${of}', 'agent_${of}')`;

/**
 * Returns SQL for visits by page or status. $1 is the project. $2–$7 are days, hours and quarters as
 * {@link rangeParameters}. $8 is the start of the rest-of-day sum, or null.
 *
 * If a rest-of-day or hourly sum is missing, the query falls back to hours, then to quarters.
 */
function topSums(dimensions: string, values = 'true', columns = 'value'): string {
  const isCounted = `${dimensions} AND ${values}`;
  const rest = timestamp('$8');
  const inRest = `FROM visit_rest_top_counts WHERE project_id = $1 AND bucket = ${rest}`;
  const hours = `${bucketsOf(4, HOUR_MS)} UNION ALL SELECT hour
    FROM generate_series(${rest}, date_bin('1 day', ${rest}, 'epoch') + interval '23 hours', interval '1 hour') hour
    WHERE NOT EXISTS (SELECT ${inRest})`;
  const inHours = `FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (${hours}))`;
  const quarters = `${bucketsOf(6, QUARTER_MS)} UNION ALL SELECT hour + quarter * interval '15 minutes'
    FROM (${hours} EXCEPT SELECT bucket ${inHours}) unsummed (hour), generate_series(0, 3) quarter`;
  const unnested = (rows: string): string => `SELECT ${columns}, visits::float8 FROM (
      SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits ${rows} AND ${dimensions} OFFSET 0
    ) tops WHERE ${values}`;
  return `${bucketSums(columns, 'visit_day_top_counts', bucketsOf(2, DAY_MS), isCounted)}
    UNION ALL ${unnested(inRest)} UNION ALL ${unnested(inHours)}
    UNION ALL ${bucketSums(columns, 'visit_top_counts', quarters, isCounted)}`;
}

/** Counts for one item of a series. `item` is its zero-based index. */
type InSeries<T> = T & { item: number; visits: number };

interface SummedCounts {
  columns?: readonly string[];
  /** Table with the hourly counts. Default: `visit_hour_counts`. */
  byHour?: string;
  condition?: string;
  /** Only sums these agents. Replaces `condition`. */
  agentIds?: readonly string[];
}

/** Returns true for full hours up to {@link MAX_MOVED_HOURS} from UTC midnight, as in time zones close to UTC. */
const dividesFewHours = (time: number): boolean => {
  const intoDay = time % DAY_MS;
  return time % HOUR_MS === 0 && Math.min(intoDay, DAY_MS - intoDay) <= MAX_MOVED_HOURS * HOUR_MS;
};

const sumOf = (counts: readonly { visits: number }[]): number => counts.reduce((sum, { visits }) => sum + visits, 0);

@Injectable()
export class CountsRepository {
  private readonly known = new WeakMap<Snapshot, Promise<OpenTimes>>();

  /** Visits by agent and result. Sorted, so ties always appear in the same order. */
  async byAgent(snapshot: Snapshot, projectId: string, range: TimeRange): Promise<AgentCount[]> {
    const { days, hours, quarters } = splitByRollup(range, await this.open(snapshot, projectId), { coarsest: 'days' });
    const columns = 'agent_id, agent_type, result';
    const sums = 'sum(visits::float8) AS visits, max(greatest(last_at, bucket)) AS last_at';
    return selectWithGenericPlan(
      snapshot,
      `SELECT ${columns}, sum(visits) AS visits, max(last_at) AS last_at
       FROM (
         ${rollupGroups(columns, sums, 'visit_day_counts', 2)}
         UNION ALL ${rollupGroups(columns, sums, 'visit_hour_counts', 4)}
         UNION ALL ${rollupGroups(columns, sums, 'visit_counts', 6)}
       ) counted GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      [projectId, ...rangeParameters(days), ...rangeParameters(hours), ...rangeParameters(quarters)],
    );
  }

  async unknownVisits(snapshot: Snapshot, projectId: string, range: TimeRange): Promise<number> {
    const { days, hours, quarters } = splitByRollup(range, await this.open(snapshot, projectId), { coarsest: 'days' });
    const rows = (table: string, first: number) => rollupRows('visits', table, first, `agent_id = '${NO_AGENT}'`);
    const [row] = await selectWithGenericPlan<{ visits: number }>(
      snapshot,
      `SELECT coalesce(sum(visits), 0)::float8 AS visits FROM (
         ${rows('visit_day_counts', 2)}
         UNION ALL ${rows('visit_hour_counts', 4)}
         UNION ALL ${rows('visit_counts', 6)}
       ) counted`,
      [projectId, ...rangeParameters(days), ...rangeParameters(hours), ...rangeParameters(quarters)],
    );
    return row!.visits;
  }

  /** Returns the given agents that visited in the range. Visits that failed verification don't count. */
  async agentsIn(snapshot: Snapshot, projectId: string, range: TimeRange, agentIds: readonly string[]) {
    const { days, hours, quarters } = splitByRollup(range, await this.open(snapshot, projectId), { coarsest: 'days' });
    const rows = (table: string, first: number) =>
      rollupRows('agent_id', table, first, `agent_id = ANY ($8::uuid[]) AND result <> 'verification_failed'`);
    const found = await selectWithGenericPlan<{ agent_id: string }>(
      snapshot,
      `SELECT DISTINCT agent_id FROM (
         ${rows('visit_day_counts', 2)}
         UNION ALL ${rows('visit_hour_counts', 4)}
         UNION ALL ${rows('visit_counts', 6)}
       ) counted`,
      [projectId, ...rangeParameters(days), ...rangeParameters(hours), ...rangeParameters(quarters), agentIds],
    );
    return new Set(found.map(({ agent_id: id }) => id));
  }

  /** Most frequent values. The last entry has an empty value and the visits of all others. */
  async top(snapshot: Snapshot, projectId: string, range: TimeRange, list: TopList, max: number) {
    const rows = await selectWithGenericPlan<{ value: string; visits: number; total: number }>(
      snapshot,
      `WITH counted AS (
         SELECT value, sum(visits) AS visits FROM (${topSums(isOfList(list))}) tops GROUP BY 1
       )
       SELECT value, visits, (SELECT sum(visits) FROM counted) AS total FROM counted
       WHERE value <> '' ORDER BY visits DESC, value LIMIT $9`,
      [projectId, ...(await this.listRanges(snapshot, projectId, range)), max],
    );
    const named: TopCount[] = rows.map(({ value, visits }) => ({ value, visits }));
    const others = (rows[0]?.total ?? 0) - sumOf(named);
    return others > 0 ? [...named, { value: '', visits: others }] : named;
  }

  /** Visits by status, with the number made by agents. */
  async statuses(snapshot: Snapshot, projectId: string, range: TimeRange) {
    return selectWithGenericPlan<{ value: string; visits: number; agent_visits: number }>(
      snapshot,
      `SELECT value, sum(visits) AS visits, coalesce(sum(visits) FILTER (WHERE dimension = 'agent_status'), 0) AS agent_visits
       FROM (${topSums(`dimension IN ('status', 'agent_status')`, 'true', 'dimension, value')}) tops GROUP BY 1`,
      [projectId, ...(await this.listRanges(snapshot, projectId, range))],
    );
  }

  /** Visits of the given values in another range. For statuses, the entry with an empty value contains all others. */
  async ofValues(snapshot: Snapshot, projectId: string, range: TimeRange, list: TopList, top: readonly TopCount[]) {
    // There are so few statuses that reading all is cheaper than looking up each one.
    const isWhole = list.of === 'status';
    const wanted = 'value = ANY ($9::text[])';
    return selectWithGenericPlan<TopCount>(
      snapshot,
      `SELECT CASE WHEN ${wanted} THEN value ELSE '' END AS value, sum(visits) AS visits
       FROM (${topSums(isOfList(list), isWhole ? 'true' : wanted)}) tops GROUP BY 1`,
      [
        projectId,
        ...(await this.listRanges(snapshot, projectId, range)),
        top.flatMap(({ value }) => (value === '' ? [] : [value])),
      ],
    );
  }

  async byType(snapshot: Snapshot, projectId: string, series: Series) {
    const columns = ['agent_type'];
    const byHour = 'visit_hour_type_counts';
    return this.sumInSeries<{ agent_type: string }>(snapshot, projectId, series, { columns, byHour });
  }

  /** @param agentIds only these agents, which may include {@link NO_AGENT}. Null means all agents. */
  async byTypeAndResult(
    snapshot: Snapshot,
    projectId: string,
    series: Series,
    agentIds: readonly string[] | null = null,
  ) {
    const columns = ['agent_type', 'result'];
    return this.sumInSeries<{ agent_type: string; result: string }>(snapshot, projectId, series, {
      columns,
      ...(agentIds === null ? { byHour: 'visit_hour_type_counts' } : { agentIds }),
    });
  }

  async ofAgents(snapshot: Snapshot, projectId: string, series: Series) {
    const condition = `result <> 'unknown_agent'`;
    return this.sumInSeries<object>(snapshot, projectId, series, { byHour: 'visit_hour_type_counts', condition });
  }

  async agentSeries(snapshot: Snapshot, projectId: string, series: Series, agentIds: readonly string[]) {
    const columns = ['agent_id', 'result'];
    return this.sumInSeries<{ agent_id: string; result: string }>(snapshot, projectId, series, { columns, agentIds });
  }

  private async sumInSeries<T>(
    snapshot: Snapshot,
    projectId: string,
    series: Series,
    { columns = [], byHour = 'visit_hour_counts', condition = 'true', agentIds }: SummedCounts,
  ) {
    const { days, hours, taken, quarters } = await this.inSeries(snapshot, projectId, series);
    const isCounted = agentIds === undefined ? condition : 'agent_id = ANY ($14::uuid[])';
    const sums = (table: string, first: number) => rollupSums(columns, table, first, isCounted);
    const grouped = ['item', ...columns].join(', ');
    return readAsLists<InSeries<T>>(
      snapshot,
      ['item', ...columns, 'visits'],
      `SELECT ${grouped}, sum(visits) AS visits
       FROM (
         ${sums('visit_day_counts', 2)} UNION ALL ${sums(byHour, 5)} UNION ALL ${sums('visit_counts', 8)}
         UNION ALL SELECT ${grouped}, -visits FROM (${sums(byHour, 11)}) taken
       ) counted GROUP BY ${grouped} HAVING sum(visits) <> 0`,
      [
        projectId,
        ...[days, hours, quarters, taken].flatMap(itemParameters),
        ...(agentIds === undefined ? [] : [agentIds]),
      ],
      // The best index depends on the number of agents, so the plan isn't reused.
      agentIds === undefined ? selectWithGenericPlan : select,
    );
  }

  /**
   * Visits by project, hour and result. `from` is the start of hour 0. Visits between `since` and `from` have negative
   * hours. A project without visits has no rows.
   */
  hours(snapshot: Snapshot, projectIds: readonly string[], { from, since }: { from: number; since: number }) {
    return select<{ project_id: string; hour: number; result: string; visits: number }>(
      snapshot,
      `SELECT project_id, floor(extract(epoch FROM bucket - ${timestamp('$2')}) / 3600)::int AS hour, result,
         sum(visits::float8) AS visits
       FROM (
         SELECT project_id, bucket, result, visits FROM visit_hour_type_counts c
         WHERE project_id = ANY ($1::uuid[]) AND bucket >= ${timestamp('$2')} AND NOT EXISTS (
           SELECT FROM visit_open_hours o WHERE o.project_id = c.project_id AND o.hour = c.bucket
         )
         UNION ALL
         SELECT o.project_id, bucket, result, visits
         FROM (
           SELECT DISTINCT project_id, hour FROM visit_open_hours
           WHERE project_id = ANY ($1::uuid[]) AND hour >= ${timestamp('$2')}
         ) o JOIN visit_counts c
           ON c.project_id = o.project_id AND c.bucket >= o.hour AND c.bucket < o.hour + interval '1 hour'
         UNION ALL
         SELECT project_id, bucket, result, visits FROM visit_counts
         WHERE project_id = ANY ($1::uuid[]) AND bucket >= ${timestamp('$3')} AND bucket < ${timestamp('$2')}
       ) counted GROUP BY 1, 2, 3`,
      [projectIds, from, since],
    );
  }

  /**
   * Visits by agent across projects.
   *
   * @param from start of a UTC day, in milliseconds.
   */
  sinceDay(snapshot: Snapshot, projectIds: readonly string[], from: number) {
    // Read quarters for days that aren't rolled up yet.
    return select<{ agent_id: string; visits: number }>(
      snapshot,
      `WITH open AS MATERIALIZED (
         SELECT project_id, day FROM visit_open_days WHERE project_id = ANY ($1::uuid[])
         UNION
         SELECT project_id, date_bin('1 day', hour, 'epoch') FROM visit_open_hours WHERE project_id = ANY ($1::uuid[])
       )
       SELECT agent_id, sum(visits::float8) AS visits FROM (
         SELECT agent_id, visits FROM visit_day_counts c
         WHERE project_id = ANY ($1::uuid[]) AND bucket >= ${timestamp('$2')} AND NOT EXISTS (
           SELECT FROM open WHERE open.project_id = c.project_id AND open.day = c.bucket
         )
         UNION ALL
         SELECT agent_id, visits FROM open JOIN visit_counts c
           ON c.project_id = open.project_id AND c.bucket >= open.day AND c.bucket < open.day + interval '1 day'
         WHERE open.day >= ${timestamp('$2')}
       ) counted WHERE agent_id <> '${NO_AGENT}' GROUP BY 1`,
      [projectIds, from],
    );
  }

  /**
   * First and last visit of each project, and whether it has tool calls or checkouts. `first_at` is the start of a
   * 15-minute bucket. A project without visits has no row.
   */
  firstAndLastVisits(snapshot: Snapshot, projectIds: readonly string[]) {
    return selectWithGenericPlan<{ project_id: string; first_at: Date; last_at: Date; has_tools: boolean }>(
      snapshot,
      `SELECT p.project_id, (SELECT min(bucket) FROM visit_counts o WHERE o.project_id = p.project_id) AS first_at, last_at,
         EXISTS (
           SELECT FROM visit_top_counts t WHERE t.project_id = p.project_id AND ${dimensionIs(`'${TOOL_DIMENSIONS.kinds}'`)}
         ) AS has_tools
       FROM unnest($1::uuid[]) p (project_id), LATERAL (
         SELECT max(greatest(c.last_at, c.bucket)) AS last_at FROM visit_counts c
         WHERE c.project_id = p.project_id AND c.bucket = (
           SELECT max(bucket) FROM visit_counts n WHERE n.project_id = p.project_id
         )
       ) newest WHERE last_at IS NOT NULL`,
      [projectIds],
    );
  }

  /**
   * Returns parameters $2–$8 of {@link topSums}. Includes the partial sums of days that aren't over. The last parameter
   * is null if the rest-of-day sum can't be used.
   */
  private async listRanges(snapshot: Snapshot, projectId: string, range: TimeRange) {
    const open = await this.open(snapshot, projectId);
    const day = Math.floor(range.from / DAY_MS) * DAY_MS;
    const [rest, end] = [Math.ceil(range.from / REST_MS) * REST_MS, day + DAY_MS];
    const hasRest = rest > day && rest < end && end <= range.to && !open.days.has(day);
    const parts = hasRest
      ? [
          { ...range, to: rest },
          { ...range, from: end },
        ]
      : [range];
    const split = parts.map((part) => splitByRollup(part, open, { coarsest: 'days', isSoFar: true }));
    const of = (length: keyof RollupRanges) => rangeParameters(split.flatMap((ranges) => ranges[length]));
    return [...of('days'), ...of('hours'), ...of('quarters'), hasRest ? rest : null];
  }

  /**
   * Returns range parameters for counts by dimension: days, then quarters. These counts have no hourly roll-up.
   *
   * @param isSoFar whether to read partial sums of days that aren't over. Their timestamp is the start of the day.
   */
  async topRanges(snapshot: Snapshot, projectId: string, range: TimeRange, isSoFar = true) {
    const options = { coarsest: 'days', isSoFar } as const;
    const { days, hours, quarters } = splitByRollup(range, await this.open(snapshot, projectId), options);
    return [...rangeParameters(days), ...rangeParameters([...hours, ...quarters])];
  }

  /**
   * Splits a series into the ranges to sum for each item. Items can start or end within an hour.
   *
   * @returns the ranges by roll-up. `taken` contains hours to subtract: they are part of a full day but belong to
   * another item.
   */
  async inSeries(snapshot: Snapshot, projectId: string, series: Series) {
    const { bucket, starts } = series;
    const coarsest = COARSEST[bucket];
    const cuts = starts.filter((start) => !dividesFewHours(start));
    const ranges = splitByRollup(series, await this.open(snapshot, projectId), { coarsest, cuts });
    const { days, added, taken } = divideDays({ days: ranges.days, hours: [], quarters: [] }, starts);
    return {
      days,
      hours: [...splitAtItems(ranges.hours, starts), ...added],
      taken,
      quarters: splitAtItems(ranges.quarters, starts),
    };
  }

  /** Like {@link inSeries}, for counts by dimension, which have no hourly roll-up. */
  async topsInSeries(snapshot: Snapshot, projectId: string, series: Series) {
    const coarsest = series.bucket === '15m' || series.bucket === '1h' ? 'quarters' : 'days';
    return divideDays(splitByRollup(series, await this.open(snapshot, projectId), { coarsest }), series.starts);
  }

  private open(snapshot: Snapshot, projectId: string): Promise<OpenTimes> {
    const known = this.known.get(snapshot) ?? this.readOpen(snapshot, projectId);
    this.known.set(snapshot, known);
    return known;
  }

  private async readOpen(snapshot: Snapshot, projectId: string): Promise<OpenTimes> {
    const milliseconds = (column: string): string => `extract(epoch FROM ${column})::float8 * 1000 AS ${column}`;
    const rows = await selectWithGenericPlan<{ hour: number | null; day: number; until: number | null }>(
      snapshot,
      `SELECT ${['hour', 'day', 'until'].map(milliseconds).join(', ')} FROM (
         SELECT hour, date_bin('1 day', hour, 'epoch') AS day, NULL AS until FROM visit_open_hours WHERE project_id = $1
         UNION ALL
         SELECT NULL, day, summed_until FROM visit_open_days WHERE project_id = $1
       ) o`,
      [projectId],
    );
    const hours = rows.flatMap(({ hour }) => hour ?? []);
    const isCurrent = (day: number, until: number): boolean => !hours.some((hour) => hour >= day && hour < until);
    return {
      hours: new Set(hours),
      days: new Set(rows.map(({ day }) => day)),
      summedUntil: new Map(
        rows.flatMap(({ day, until }) => (until !== null && isCurrent(day, until) ? [[day, until]] : [])),
      ),
    };
  }
}
