import { Injectable } from '@nestjs/common';
import { COMPLIANCE_DIMENSIONS, TOOL_DIMENSIONS } from '#libs/contracts';
import { readAsColumns } from './read-as-columns.js';
import { select, selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { divideDays } from './divided-days.js';
import {
  bucketStarts,
  bucketSums,
  dimensionCondition,
  rangeParameters,
  splitAtItems,
  itemParameters,
  splitByRollup,
  rollupGroups,
  rollupRows,
  rollupSums,
  timestamp,
  type OpenTimes,
} from './rollups.js';
import type { Series, TimeRange } from './time-range.js';
import { NO_AGENT } from './visit-counts.js';

export interface AgentCount {
  agent_id: string;
  /** Agent type when the visits occurred. Empty for {@link NO_AGENT}. */
  agent_type: string;
  result: string;
  visits: number;
  last_at: Date;
}

export interface TopCount {
  /** Page path or status code. Empty for the total across all other values. */
  value: string;
  visits: number;
  /** Visits in the comparison range, if there is one. Never set for the total across all other values. */
  previous_visits?: number;
}

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
const DAY_MS = 24 * HOUR_MS;

/** Coarsest rollup to read for each bucket length. */
const COARSEST_ROLLUP = { '15m': 'quarters', '1h': 'hours', '1d': 'days', '1w': 'days', '1mo': 'days' } as const;
/**
 * Maximum number of full hours to add to or subtract from a daily rollup if a time zone's days don't start at UTC
 * midnight. If more are needed, hourly rollups are read instead.
 */
const MAX_MOVED_HOURS = 4;

export interface TopList {
  of: 'page' | 'status';
  visitors: 'agents' | 'all';
}

/** Visits by agents are counted in their own dimensions and not in the other ones, so `all` reads both. */
const listCondition = ({ of, visitors }: TopList): string =>
  visitors === 'agents' ? `dimension = 'agent_${of}'` : `dimension IN ('${of}', 'agent_${of}')`;

/**
 * Returns SQL that counts visits by page or status. $1 is the project. $2–$7 are the days, hours and quarters as
 * {@link rangeParameters}. Hours without a rollup are read as quarters.
 */
function topSums(dimensions: string, values = 'true', columns = 'value'): string {
  const isCounted = `${dimensions} AND ${values}`;
  const hours = bucketStarts(4, HOUR_MS);
  const inHours = `FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (${hours}))`;
  const quarters = `${bucketStarts(6, QUARTER_MS)} UNION ALL SELECT hour + quarter * interval '15 minutes'
    FROM (${hours} EXCEPT SELECT bucket ${inHours}) unsummed (hour), generate_series(0, 3) quarter`;
  return `${bucketSums(columns, 'visit_day_top_counts', bucketStarts(2, DAY_MS), isCounted)}
    UNION ALL SELECT ${columns}, visits::float8 FROM (
      SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits ${inHours} AND ${dimensions} OFFSET 0
    ) tops WHERE ${values}
    UNION ALL ${bucketSums(columns, 'visit_top_counts', quarters, isCounted)}`;
}

/** A count for one item of a series. `item` is its zero-based index. */
type SeriesCount<T> = T & { item: number; visits: number };

interface SeriesSumOptions {
  columns?: readonly string[];
  condition?: string;
  /** IDs of the agents to include. Replaces `condition`. */
  agentIds?: readonly string[];
}

/**
 * Returns true for full hours at most {@link MAX_MOVED_HOURS} from UTC midnight, which is where days start in time
 * zones close to UTC.
 */
const isNearUtcMidnight = (time: number): boolean => {
  const intoDay = time % DAY_MS;
  return time % HOUR_MS === 0 && Math.min(intoDay, DAY_MS - intoDay) <= MAX_MOVED_HOURS * HOUR_MS;
};

const sumVisits = (counts: readonly { visits: number }[]): number =>
  counts.reduce((sum, { visits }) => sum + visits, 0);

@Injectable()
export class CountsRepository {
  private readonly openTimesCache = new WeakMap<Snapshot, Promise<OpenTimes>>();

  /** Returns visits by agent and result, sorted so that ties always appear in the same order. */
  async byAgent(snapshot: Snapshot, projectId: string, range: TimeRange): Promise<AgentCount[]> {
    const { days, hours, quarters } = splitByRollup(range, await this.getOpenTimes(snapshot, projectId), {
      coarsest: 'days',
    });
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

  async countUnknownVisits(snapshot: Snapshot, projectId: string, range: TimeRange): Promise<number> {
    const { days, hours, quarters } = splitByRollup(range, await this.getOpenTimes(snapshot, projectId), {
      coarsest: 'days',
    });
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

  /** Returns which of the given agents visited in the range. Ignores visits that failed verification. */
  async findAgentsInRange(snapshot: Snapshot, projectId: string, range: TimeRange, agentIds: readonly string[]) {
    const { days, hours, quarters } = splitByRollup(range, await this.getOpenTimes(snapshot, projectId), {
      coarsest: 'days',
    });
    const rows = (table: string, first: number) =>
      rollupRows('agent_id', table, first, `agent_id = ANY ($8::uuid[]) AND result <> 'verification_failed'`);
    const visitingAgents = await selectWithGenericPlan<{ agent_id: string }>(
      snapshot,
      `SELECT DISTINCT agent_id FROM (
         ${rows('visit_day_counts', 2)}
         UNION ALL ${rows('visit_hour_counts', 4)}
         UNION ALL ${rows('visit_counts', 6)}
       ) counted`,
      [projectId, ...rangeParameters(days), ...rangeParameters(hours), ...rangeParameters(quarters), agentIds],
    );
    return new Set(visitingAgents.map(({ agent_id: id }) => id));
  }

  /**
   * Returns the most frequent values. If there are others, the last entry has an empty value and contains their total.
   */
  async topValues(snapshot: Snapshot, projectId: string, range: TimeRange, list: TopList, max: number) {
    const rows = await selectWithGenericPlan<{ value: string; visits: number; total: number }>(
      snapshot,
      `WITH counted AS (
         SELECT value, sum(visits) AS visits FROM (${topSums(listCondition(list))}) tops GROUP BY 1
       )
       SELECT value, visits, (SELECT sum(visits) FROM counted) AS total FROM counted
       WHERE value <> '' ORDER BY visits DESC, value LIMIT $8`,
      [projectId, ...(await this.listRanges(snapshot, projectId, range)), max],
    );
    const named: TopCount[] = rows.map(({ value, visits }) => ({ value, visits }));
    const others = (rows[0]?.total ?? 0) - sumVisits(named);
    return others > 0 ? [...named, { value: '', visits: others }] : named;
  }

  /** Returns visits by status, in total and by agents. */
  async statuses(snapshot: Snapshot, projectId: string, range: TimeRange) {
    return selectWithGenericPlan<{ value: string; visits: number; agent_visits: number }>(
      snapshot,
      `SELECT value, sum(visits) AS visits, coalesce(sum(visits) FILTER (WHERE dimension = 'agent_status'), 0) AS agent_visits
       FROM (${topSums(`dimension IN ('status', 'agent_status')`, 'true', 'dimension, value')}) tops GROUP BY 1`,
      [projectId, ...(await this.listRanges(snapshot, projectId, range))],
    );
  }

  /**
   * Returns visits for each of the given values in another range. For statuses, also returns an entry with an empty
   * value for all other statuses.
   */
  async countValues(snapshot: Snapshot, projectId: string, range: TimeRange, list: TopList, top: readonly TopCount[]) {
    // There are only a few statuses, so reading all of them is cheaper than looking up each one.
    const readsAllValues = list.of === 'status';
    const wanted = 'value = ANY ($8::text[])';
    return selectWithGenericPlan<TopCount>(
      snapshot,
      `SELECT CASE WHEN ${wanted} THEN value ELSE '' END AS value, sum(visits) AS visits
       FROM (${topSums(listCondition(list), readsAllValues ? 'true' : wanted)}) tops GROUP BY 1`,
      [
        projectId,
        ...(await this.listRanges(snapshot, projectId, range)),
        top.flatMap(({ value }) => (value === '' ? [] : [value])),
      ],
    );
  }

  async byType(snapshot: Snapshot, projectId: string, series: Series) {
    return this.sumInSeries<{ agent_type: string }>(snapshot, projectId, series, { columns: ['agent_type'] });
  }

  /** @param agentIds Agents to count, which can include {@link NO_AGENT}. Null counts all agents. */
  async byTypeAndResult(
    snapshot: Snapshot,
    projectId: string,
    series: Series,
    agentIds: readonly string[] | null = null,
  ) {
    const columns = ['agent_type', 'result'];
    return this.sumInSeries<{ agent_type: string; result: string }>(snapshot, projectId, series, {
      columns,
      ...(agentIds !== null && { agentIds }),
    });
  }

  async agentVisitsInSeries(snapshot: Snapshot, projectId: string, series: Series) {
    const condition = `result <> 'unknown_agent'`;
    return this.sumInSeries<object>(snapshot, projectId, series, { condition });
  }

  async agentSeries(snapshot: Snapshot, projectId: string, series: Series, agentIds: readonly string[]) {
    const columns = ['agent_id', 'result'];
    return this.sumInSeries<{ agent_id: string; result: string }>(snapshot, projectId, series, { columns, agentIds });
  }

  private async sumInSeries<T>(
    snapshot: Snapshot,
    projectId: string,
    series: Series,
    { columns = [], condition = 'true', agentIds }: SeriesSumOptions,
  ) {
    const { days, hours, taken, quarters } = await this.splitSeries(snapshot, projectId, series);
    const isCounted = agentIds === undefined ? condition : 'agent_id = ANY ($14::uuid[])';
    const sums = (table: string, first: number) => rollupSums(columns, table, first, isCounted);
    const grouped = ['item', ...columns].join(', ');
    return readAsColumns<SeriesCount<T>>(
      snapshot,
      ['item', ...columns, 'visits'],
      `SELECT ${grouped}, sum(visits) AS visits
       FROM (
         ${sums('visit_day_counts', 2)} UNION ALL ${sums('visit_hour_counts', 5)} UNION ALL ${sums('visit_counts', 8)}
         UNION ALL SELECT ${grouped}, -visits FROM (${sums('visit_hour_counts', 11)}) taken
       ) counted GROUP BY ${grouped} HAVING sum(visits) <> 0`,
      [
        projectId,
        ...[days, hours, quarters, taken].flatMap(itemParameters),
        ...(agentIds === undefined ? [] : [agentIds]),
      ],
      // The best index depends on the number of agents, so don't reuse the plan.
      agentIds === undefined ? selectWithGenericPlan : select,
    );
  }

  /**
   * Returns visits by project, hour and result. Hour 0 starts at `from`, and visits between `since` and `from` have
   * negative hours. Projects without visits are missing.
   */
  visitsByHour(snapshot: Snapshot, projectIds: readonly string[], { from, since }: { from: number; since: number }) {
    return select<{ project_id: string; hour: number; result: string; visits: number }>(
      snapshot,
      `SELECT project_id, floor(extract(epoch FROM bucket - ${timestamp('$2')}) / 3600)::int AS hour, result,
         sum(visits::float8) AS visits
       FROM (
         SELECT project_id, bucket, result, visits FROM visit_hour_counts c
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
   * Returns visits by agent across projects.
   *
   * @param starts First 15-minute bucket of each project, in milliseconds since the epoch, by project ID.
   */
  byAgentSince(snapshot: Snapshot, starts: ReadonlyMap<string, number>) {
    // The hours before the first UTC day and days that aren't rolled up yet are read from 15-minute buckets.
    return select<{ project_id: string; agent_id: string; visits: number }>(
      snapshot,
      `WITH starts AS MATERIALIZED (
         SELECT project_id, ${timestamp('start')} AS start, ${timestamp('day')} AS day
         FROM unnest($1::uuid[], $2::float8[], $3::float8[]) s (project_id, start, day)
       ), open AS MATERIALIZED (
         SELECT project_id, day FROM visit_open_days WHERE project_id = ANY ($1::uuid[])
         UNION
         SELECT project_id, date_bin('1 day', hour, 'epoch') FROM visit_open_hours WHERE project_id = ANY ($1::uuid[])
       )
       SELECT project_id, agent_id, sum(visits::float8) AS visits FROM (
         SELECT c.project_id, agent_id, visits FROM starts s JOIN visit_day_counts c ON c.project_id = s.project_id AND c.bucket >= s.day
         WHERE NOT EXISTS (SELECT FROM open WHERE open.project_id = c.project_id AND open.day = c.bucket)
         UNION ALL
         SELECT c.project_id, agent_id, visits FROM starts s JOIN open ON open.project_id = s.project_id AND open.day >= s.day
           JOIN visit_counts c
           ON c.project_id = open.project_id AND c.bucket >= open.day AND c.bucket < open.day + interval '1 day'
         UNION ALL
         SELECT c.project_id, agent_id, visits FROM starts s JOIN visit_counts c
           ON c.project_id = s.project_id AND c.bucket >= s.start AND c.bucket < s.day
       ) counted WHERE agent_id <> '${NO_AGENT}' GROUP BY 1, 2 ORDER BY 3 DESC`,
      [
        [...starts.keys()],
        [...starts.values()],
        [...starts.values()].map((start) => Math.ceil(start / DAY_MS) * DAY_MS),
      ],
    );
  }

  /**
   * Returns the first and last visit of each project, whether it has tool calls or checkouts, and whether it has
   * payments. `first_at` is the start of a 15-minute bucket. Projects without visits are missing.
   */
  firstAndLastVisits(snapshot: Snapshot, projectIds: readonly string[]) {
    return selectWithGenericPlan<{
      project_id: string;
      first_at: Date;
      last_at: Date;
      has_tools: boolean;
      has_payments: boolean;
    }>(
      snapshot,
      `SELECT p.project_id, (SELECT min(bucket) FROM visit_counts o WHERE o.project_id = p.project_id) AS first_at, last_at,
         ${hasDimension(TOOL_DIMENSIONS.kinds)} AS has_tools, ${hasDimension(COMPLIANCE_DIMENSIONS.payments)} AS has_payments
       FROM unnest($1::uuid[]) p (project_id), LATERAL (
         SELECT max(greatest(c.last_at, c.bucket)) AS last_at FROM visit_counts c
         WHERE c.project_id = p.project_id AND c.bucket = (
           SELECT max(bucket) FROM visit_counts n WHERE n.project_id = p.project_id
         )
       ) newest WHERE last_at IS NOT NULL`,
      [projectIds],
    );
  }

  /** Returns parameters $2–$7 of {@link topSums}. Includes the partial rollups of unfinished days. */
  private async listRanges(snapshot: Snapshot, projectId: string, range: TimeRange) {
    const options = { coarsest: 'days', isSoFar: true } as const;
    const { days, hours, quarters } = splitByRollup(range, await this.getOpenTimes(snapshot, projectId), options);
    return [...rangeParameters(days), ...rangeParameters(hours), ...rangeParameters(quarters)];
  }

  /**
   * Returns the range parameters for counts by dimension: days, then quarters. These counts have no hourly rollup.
   *
   * @param isSoFar Whether to read the partial rollups of unfinished days, whose timestamp is the start of the day.
   */
  async topRanges(snapshot: Snapshot, projectId: string, range: TimeRange, isSoFar = true) {
    const options = { coarsest: 'days', isSoFar } as const;
    const { days, hours, quarters } = splitByRollup(range, await this.getOpenTimes(snapshot, projectId), options);
    return [...rangeParameters(days), ...rangeParameters([...hours, ...quarters])];
  }

  /**
   * Splits a series into the ranges to sum for each item. Items can start or end partway through an hour.
   *
   * @returns the ranges by rollup. `taken` contains hours to subtract, because they are included in a day that belongs
   * to another item.
   */
  async splitSeries(snapshot: Snapshot, projectId: string, series: Series) {
    const { bucket, starts } = series;
    const coarsest = COARSEST_ROLLUP[bucket];
    const cuts = starts.filter((start) => !isNearUtcMidnight(start));
    const ranges = splitByRollup(series, await this.getOpenTimes(snapshot, projectId), { coarsest, cuts });
    const { days, added, taken } = divideDays({ days: ranges.days, hours: [], quarters: [] }, starts);
    return {
      days,
      hours: [...splitAtItems(ranges.hours, starts), ...added],
      taken,
      quarters: splitAtItems(ranges.quarters, starts),
    };
  }

  /** Like {@link splitSeries}, but for counts by dimension, which have no hourly rollup. */
  async splitTopSeries(snapshot: Snapshot, projectId: string, series: Series) {
    const coarsest = series.bucket === '15m' || series.bucket === '1h' ? 'quarters' : 'days';
    return divideDays(splitByRollup(series, await this.getOpenTimes(snapshot, projectId), { coarsest }), series.starts);
  }

  private getOpenTimes(snapshot: Snapshot, projectId: string): Promise<OpenTimes> {
    const cachedOpenTimes = this.openTimesCache.get(snapshot) ?? this.readOpenTimes(snapshot, projectId);
    this.openTimesCache.set(snapshot, cachedOpenTimes);
    return cachedOpenTimes;
  }

  private async readOpenTimes(snapshot: Snapshot, projectId: string): Promise<OpenTimes> {
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

const hasDimension = (dimension: string): string =>
  `EXISTS (SELECT FROM visit_top_counts t WHERE t.project_id = p.project_id AND ${dimensionCondition(`'${dimension}'`)})`;
