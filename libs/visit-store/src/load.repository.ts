import { Injectable } from '@nestjs/common';
import { getFirstIdAt, MAX_LOAD_ROWS, PEAK_SECONDS, type LoadGrouping, type TimelineFilters } from '#libs/contracts';
import { PAGE_NAME } from './page.js';
import { RESPONSE_FLAGS } from './response-flags.js';
import { timestamp } from './rollups.js';
import { select, type Snapshot } from './snapshot.js';
import { selectionSql, type VisitSelection } from './stored-counts.repository.js';
import type { TimeRange } from './time-range.js';
import { toPathCondition, toSqlConditions } from './timeline-filters.js';

/** Sums of a group of visits. Values are null if no visit has one. */
export interface StoredLoad {
  /** Key of the group. See {@link parseLoadKey}. Null for the total. */
  key: string | null;
  requests: number;
  bytes: number | null;
  bytes_requests: number;
  sent_requests: number;
  time_us: number | null;
  /** 95th percentile of the response times. */
  p95_us: number | null;
  timed_requests: number;
  /** Most requests in one slot of {@link PEAK_SECONDS}. */
  peak_requests: number | null;
  /** Start of the first such slot, in milliseconds since the epoch. */
  peak_at: number | null;
  not_modified: number;
  status_requests: number;
  agent_requests: number;
  /** Number of distinct combinations of agent, path and UTC day. */
  distinct_agent_requests: number | null;
  cache_hits: number;
  cache_requests: number;
}

export interface LoadQuery extends TimeRange {
  by: LoadGrouping;
  /** Patterns for the grouping `pattern`. Each visit counts for the first one that it matches. */
  patterns?: readonly string[];
  filters: Partial<TimelineFilters>;
}

/** Key of unknown visitors, and of visits that match no pattern. All other keys start with `=`. */
export const UNKNOWN_KEY = '-';

/** Returns the value that a group has in common, or null for {@link UNKNOWN_KEY}. */
export const parseLoadKey = (key: string): string | null => (key === UNKNOWN_KEY ? null : key.slice(1));

const byVisitor = (column: string): string =>
  `CASE WHEN agent_id IS NULL THEN '${UNKNOWN_KEY}' ELSE '=' || coalesce(${column}, '') END`;
const PATH = `split_part(path, '?', 1)`;
const KEYS: Record<Exclude<LoadGrouping, 'pattern'>, string> = {
  agent: byVisitor('agent_id::text'),
  operator: byVisitor('operator'),
  type: byVisitor('agent_type'),
  folder: `CASE WHEN ${PATH} LIKE '/%/%' THEN '=/' || split_part(${PATH}, '/', 2) || '/*' ELSE '=/' END`,
  page: `'=' || ${PAGE_NAME}`,
};

/** Returns the SQL expression for the key of a visit's group. */
function toKey(by: LoadGrouping, patterns: readonly string[], bind: (parameter: unknown) => string): string {
  if (by !== 'pattern') return KEYS[by];
  const cases = patterns.map((pattern) => `WHEN ${toPathCondition(pattern, bind)} THEN ${bind(`=${pattern}`)}::text`);
  return cases.length === 0 ? `'${UNKNOWN_KEY}'` : `CASE ${cases.join(' ')} ELSE '${UNKNOWN_KEY}' END`;
}

const VALUES = 'agent_id, status, response_bytes AS bytes, response_us AS time_us, response_flags AS flags';

/** Returns the sums of {@link VALUES}. */
const sumColumns = (sql: { count: (condition: string) => string; sum: (column: string) => string }): string => `
  ${sql.count('true')} AS requests, ${sql.sum('bytes')} AS bytes, ${sql.count('bytes IS NOT NULL')} AS bytes_requests,
  ${sql.count(`flags & ${RESPONSE_FLAGS.sent} <> 0`)} AS sent_requests,
  ${sql.sum('time_us')} AS time_us, ${sql.count('time_us IS NOT NULL')} AS timed_requests,
  ${sql.count('status = 304')} AS not_modified, ${sql.count('status IS NOT NULL')} AS status_requests,
  ${sql.count('agent_id IS NOT NULL')} AS agent_requests, ${sql.count(`flags & ${RESPONSE_FLAGS.hit} <> 0`)} AS cache_hits,
  ${sql.count(`flags & ${RESPONSE_FLAGS.hit | RESPONSE_FLAGS.miss} <> 0`)} AS cache_requests`;

/** Starts with the total, which has no key. */
const LARGEST_FIRST = 'ORDER BY key IS NOT NULL, bytes DESC NULLS LAST, requests DESC, key COLLATE "C"';

/** Returns a SQL query for the total and the {@link MAX_LOAD_ROWS} groups with the most bytes or server time. */
const selectLargest = (sums: string): string => {
  const rank = (column: string): string =>
    `row_number() OVER (PARTITION BY key IS NULL ORDER BY ${column} DESC NULLS LAST, requests DESC, key COLLATE "C")`;
  return `SELECT * FROM ${sums}
    ORDER BY key IS NOT NULL, least(${rank('bytes')}, ${rank('time_us')}), key COLLATE "C" LIMIT ${MAX_LOAD_ROWS + 1}`;
};

/** Estimates from a sample. */
export interface LoadEstimate {
  loads: StoredLoad[];
  /** Number of visits that were read and match the `counted` filters. */
  read: number;
}

/** Sums of the visits in one item of a series. */
export interface LoadItem extends Pick<StoredLoad, 'requests' | 'bytes' | 'time_us'> {
  /** Zero-based index of the item. */
  item: number;
}

/** Times of the first stored visits in milliseconds since the epoch, or null if there are none. */
interface FirstStored {
  agents: number | null;
  unknown: number | null;
}

/** Sums up the load that stored visits caused. */
@Injectable()
export class LoadRepository {
  /** Whether {@link estimate} reads a sample. If not, {@link sum} can sum up any number of visits. */
  readonly readsSamples: boolean = true;

  /**
   * Returns the total, followed by the {@link MAX_LOAD_ROWS} groups with the most bytes or server time. Groups with the
   * most bytes come first.
   */
  sum(
    snapshot: Snapshot,
    projectId: string,
    { by, patterns = [], filters, from, to }: LoadQuery,
  ): Promise<StoredLoad[]> {
    const parameters: unknown[] = [projectId];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
    const conditions = toSqlConditions({ ...filters, from, to }, bind);
    return select(
      snapshot,
      `WITH visits_read AS MATERIALIZED (
         SELECT ${toKey(by, patterns, bind)} AS key, path, occurred_at, ${VALUES}
         FROM visits_full WHERE project_id = $1 AND ${conditions.join(' AND ')}
       ), sums AS (
         SELECT key, ${sumColumns({
           count: (condition) => `(count(*) FILTER (WHERE ${condition}))::float8`,
           sum: (column) => `sum(${column})::float8`,
         })}
         FROM visits_read GROUP BY GROUPING SETS ((key), ())
       ), top AS MATERIALIZED (
         SELECT row_number() OVER (${LARGEST_FIRST}) - 1 AS n, largest.* FROM (${selectLargest('sums')}) largest
       ), numbered AS (
         SELECT n, v.* FROM visits_read v LEFT JOIN top USING (key)
       ), percentiles AS (
         SELECT n, percentile_cont(0.95) WITHIN GROUP (ORDER BY time_us) AS p95_us
         FROM numbered WHERE n IS NOT NULL GROUP BY n
         UNION ALL
         SELECT 0, percentile_cont(0.95) WITHIN GROUP (ORDER BY time_us) FROM visits_read
       ), slots AS (
         SELECT CASE WHEN GROUPING(n) = 1 THEN 0 ELSE n END AS n, slot, count(*) AS requests
         FROM (SELECT n, date_bin('${PEAK_SECONDS} s', occurred_at, 'epoch') AS slot FROM numbered) s
         GROUP BY GROUPING SETS ((n, slot), (slot))
       ), peaks AS (
         SELECT DISTINCT ON (n) n, requests::float8 AS peak_requests, (extract(epoch FROM slot) * 1000)::float8 AS peak_at
         FROM slots WHERE n IS NOT NULL ORDER BY n, requests DESC, slot
       ), requested AS (
         SELECT n FROM numbered WHERE agent_id IS NOT NULL
         GROUP BY n, key, agent_id, path, (occurred_at AT TIME ZONE 'UTC')::date
       ), paths AS (
         SELECT CASE WHEN GROUPING(n) = 1 THEN 0 ELSE n END AS n, count(*)::float8 AS distinct_agent_requests
         FROM requested GROUP BY GROUPING SETS ((n), ())
       )
       SELECT key, requests, bytes, bytes_requests, sent_requests, time_us, p95_us, timed_requests, peak_requests,
         peak_at, not_modified, status_requests, agent_requests,
         coalesce(distinct_agent_requests, 0) AS distinct_agent_requests, cache_hits, cache_requests
       FROM top LEFT JOIN percentiles USING (n) LEFT JOIN peaks USING (n) LEFT JOIN paths USING (n) ORDER BY n`,
      parameters,
    );
  }

  /** Sums up the load of each item that has visits. The sums can be fractions if only a sample is selected. */
  async series(snapshot: Snapshot, projectId: string, selection: VisitSelection): Promise<LoadItem[]> {
    const parameters: unknown[] = [projectId];
    const sources = selectionSql(selection, VALUES, (parameter) => `$${parameters.push(parameter)}`);
    if (sources.length === 0) return [];
    return select(
      snapshot,
      `SELECT item, sum(weight) AS requests, sum(bytes * weight) AS bytes, sum(time_us * weight) AS time_us
       FROM (${sources.join(' UNION ALL ')}) visits_read WHERE fits GROUP BY item`,
      parameters,
    );
  }

  /**
   * Finds the first visits by agents and by unknown visitors that are still stored.
   *
   * @param populations Populations to search. The others are null.
   */
  async findFirstStored(
    snapshot: Snapshot,
    projectId: string,
    { from, to }: TimeRange,
    populations: Record<keyof FirstStored, boolean>,
  ): Promise<FirstStored> {
    // The ID condition lets PostgreSQL skip older partitions, because a visit's ID contains its time of receipt, which
    // is never before `occurred_at`.
    const first = (condition: string): string =>
      `(SELECT (extract(epoch FROM occurred_at) * 1000)::float8 FROM visits_full
        WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')}
          AND id >= $4::uuid AND ${condition}
        ORDER BY occurred_at LIMIT 1)`;
    const agents = populations.agents ? first('agent_id IS NOT NULL') : 'NULL::float8';
    const unknown = populations.unknown ? first('agent_id IS NULL') : 'NULL::float8';
    const [row] = await select<FirstStored>(snapshot, `SELECT ${agents} AS agents, ${unknown} AS unknown`, [
      projectId,
      from,
      to,
      getFirstIdAt(from),
    ]);
    return row!;
  }

  /**
   * Like {@link sum}, but estimates the sums from a sample. They can be fractions. Values that can't be estimated are
   * null.
   */
  async estimate(
    snapshot: Snapshot,
    projectId: string,
    { by, patterns = [] }: Pick<LoadQuery, 'by' | 'patterns'>,
    selection: VisitSelection,
  ): Promise<LoadEstimate> {
    const parameters: unknown[] = [projectId];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
    const sources = selectionSql(selection, `${toKey(by, patterns, bind)} AS key, ${VALUES}`, bind);
    const rows = await select<StoredLoad & { read: number }>(
      snapshot,
      `WITH sums AS (
         SELECT key, NULL AS p95_us, NULL AS peak_requests, NULL AS peak_at, NULL AS distinct_agent_requests,
           (count(*) FILTER (WHERE passes))::float8 AS read, ${sumColumns({
             count: (condition) => `coalesce(sum(weight) FILTER (WHERE fits AND ${condition}), 0)`,
             sum: (column) => `sum(${column} * weight) FILTER (WHERE fits)`,
           })}
         FROM (${sources.join(' UNION ALL ')}) visits_read
         GROUP BY GROUPING SETS ((key), ()) HAVING GROUPING(key) = 1 OR count(*) FILTER (WHERE fits) > 0
       )
       SELECT * FROM (${selectLargest('sums')}) largest ${LARGEST_FIRST}`,
      parameters,
    );
    return { loads: rows, read: rows[0]!.read };
  }
}
