import { Injectable } from '@nestjs/common';
import { endianness } from 'node:os';
import { setImmediate } from 'node:timers/promises';
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

const DAY_SECONDS = 86_400;

/** Key of unknown visitors, and of visits that match no pattern. All other keys start with `=`. */
export const UNKNOWN_KEY = '-';

/** Returns the value that a group has in common, or null for {@link UNKNOWN_KEY}. */
export const parseLoadKey = (key: string): string | null => (key === UNKNOWN_KEY ? null : key.slice(1));

const byVisitor = (column: string): string => `CASE WHEN agent_id IS NOT NULL THEN coalesce(${column}, '') END`;
const PATH = `split_part(path, '?', 1)`;
const GROUPS: Record<Exclude<LoadGrouping, 'pattern'>, string> = {
  agent: 'agent_id',
  operator: byVisitor('operator'),
  type: byVisitor('agent_type'),
  folder: `CASE WHEN ${PATH} LIKE '/%/%' THEN '/' || split_part(${PATH}, '/', 2) || '/*' ELSE '/' END`,
  page: PAGE_NAME,
};

/** Returns the SQL expression for a visit's group. It's NULL for {@link UNKNOWN_KEY}. */
function toGroup(by: LoadGrouping, patterns: readonly string[], bind: (parameter: unknown) => string): string {
  if (by !== 'pattern') return GROUPS[by];
  const cases = patterns.map((pattern) => `WHEN ${toPathCondition(pattern, bind)} THEN ${bind(pattern)}::text`);
  return cases.length === 0 ? 'NULL::text' : `CASE ${cases.join(' ')} END`;
}

const toKey = (group: string): string => `coalesce('=' || (${group})::text, '${UNKNOWN_KEY}')`;

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

const rank = (column: string): string =>
  `row_number() OVER (PARTITION BY key IS NULL ORDER BY ${column} DESC NULLS LAST, requests DESC, key COLLATE "C")`;
/** Starts with the total and the groups with the most bytes or server time. */
const TOP_FIRST = `ORDER BY key IS NOT NULL, least(${rank('bytes')}, ${rank('time_us')}), key COLLATE "C"`;

/** Sums of a group that can be added up. Percentiles and peaks are computed from the values of its visits. */
type GroupSums = Omit<StoredLoad, 'p95_us' | 'peak_requests' | 'peak_at'> & {
  /** Response times in microseconds. */
  times: Buffer | null;
  slots: Buffer;
};
const SUMS = [
  'requests',
  'bytes',
  'bytes_requests',
  'sent_requests',
  'time_us',
  'timed_requests',
  'not_modified',
  'status_requests',
  'agent_requests',
  'distinct_agent_requests',
  'cache_hits',
  'cache_requests',
] as const;

/** Estimates from a sample. */
export interface LoadEstimate {
  loads: StoredLoad[];
  /** Number of visits that were read and match the `counted` filters. */
  read: number;
}

/** Sums of an operator's visits in one item of a series. */
export interface LoadItem extends Pick<StoredLoad, 'requests' | 'bytes' | 'time_us'> {
  /** Zero-based index of the item. */
  item: number;
  /** Empty for agents without an operator and for unknown visitors. */
  operator_name: string;
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
  async sum(
    snapshot: Snapshot,
    projectId: string,
    { by, patterns = [], filters, from, to }: LoadQuery,
  ): Promise<StoredLoad[]> {
    const parameters: unknown[] = [projectId];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
    const conditions = toSqlConditions({ ...filters, from, to }, bind);
    const epoch = `date_part('epoch', occurred_at)`;
    // Percentiles and peaks are computed from the groups' values, because PostgreSQL would sort all visits several times.
    const groups = await select<GroupSums>(
      snapshot,
      `WITH groups AS MATERIALIZED (
         SELECT ${toKey('value')} AS key, ${sumColumns({
           count: (condition) => `(count(*) FILTER (WHERE ${condition}))::float8`,
           sum: (column) => `sum(${column})::float8`,
         })},
           string_agg(int4send(time_us), '') AS times, string_agg(int4send(slot), '') AS slots,
           array_agg(agent_path) FILTER (WHERE agent_id IS NOT NULL) AS agent_paths
         FROM (
           SELECT ${toGroup(by, patterns, bind)} AS value, floor(${epoch} / ${PEAK_SECONDS})::integer AS slot,
             -- A hash of the agent, path and UTC day.
             hashtextextended(path, uuid_hash_extended(agent_id, floor(${epoch} / ${DAY_SECONDS})::bigint)) AS agent_path,
             ${VALUES}
           FROM visits_full WHERE project_id = $1 AND ${conditions.join(' AND ')}
         ) visits_read GROUP BY value
       ), top AS (SELECT key FROM groups ${TOP_FIRST} LIMIT ${MAX_LOAD_ROWS})
       SELECT * FROM (
         SELECT top.key, ${SUMS.map((name) => `sum(${name}) AS ${name}`).join(', ')},
           string_agg(times, '') AS times, string_agg(slots, '') AS slots
         FROM groups LEFT JOIN top USING (key), LATERAL (
           SELECT count(DISTINCT agent_path)::float8 AS distinct_agent_requests FROM unnest(agent_paths) agent_path
         ) requested
         GROUP BY top.key
       ) largest ${LARGEST_FIRST}`,
      parameters,
    );
    const loads = [await toLoad(null, groups)];
    for (const group of groups) if (group.key !== null) loads.push(await toLoad(group.key, [group]));
    return loads;
  }

  /**
   * Sums up the load of each item that has visits, by operator. The sums can be fractions if only a sample is selected.
   */
  async series(snapshot: Snapshot, projectId: string, selection: VisitSelection): Promise<LoadItem[]> {
    const parameters: unknown[] = [projectId];
    const sources = selectionSql(selection, `${VALUES}, operator`, (parameter) => `$${parameters.push(parameter)}`);
    if (sources.length === 0) return [];
    return select(
      snapshot,
      `SELECT item, coalesce(operator, '') AS operator_name, sum(weight) AS requests, sum(bytes * weight) AS bytes,
         sum(time_us * weight) AS time_us
       FROM (${sources.join(' UNION ALL ')}) visits_read WHERE fits GROUP BY item, operator`,
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
    const sources = selectionSql(selection, `${toKey(toGroup(by, patterns, bind))} AS key, ${VALUES}`, bind);
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
       SELECT * FROM (SELECT * FROM sums ${TOP_FIRST} LIMIT ${MAX_LOAD_ROWS + 1}) largest ${LARGEST_FIRST}`,
      parameters,
    );
    return { loads: rows, read: rows[0]!.read };
  }
}

/** Adds up groups. Bytes and times are null if no visit has one. */
async function toLoad(key: string | null, groups: readonly GroupSums[]): Promise<StoredLoad> {
  const sum = (name: (typeof SUMS)[number]): number => groups.reduce((total, group) => total + (group[name] ?? 0), 0);
  const sums = Object.fromEntries(SUMS.map((name) => [name, sum(name)])) as Record<(typeof SUMS)[number], number>;
  const percentile = computePercentile(readIntegers(groups.map(({ times }) => times)), 0.95);
  // Sorting many values takes a while, so let other requests run in between.
  await setImmediate();
  const peak = findPeak(readIntegers(groups.map(({ slots }) => slots)));
  await setImmediate();
  return {
    key,
    ...sums,
    bytes: sums.bytes_requests === 0 ? null : sums.bytes,
    time_us: sums.timed_requests === 0 ? null : sums.time_us,
    p95_us: percentile,
    ...peak,
  };
}

/** Decodes the results of `int4send`. */
function readIntegers(parts: readonly (Buffer | null)[]): Int32Array {
  const bytes = Buffer.concat(parts.filter((part) => part !== null));
  const values = new Int32Array(bytes.length / 4);
  Buffer.from(values.buffer).set(endianness() === 'LE' ? bytes.swap32() : bytes);
  return values;
}

/** Interpolates like PostgreSQL's `percentile_cont`. Returns null if there are no values. */
function computePercentile(values: Int32Array, share: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted();
  const position = share * (sorted.length - 1);
  const [lower, upper] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
  return lower + (position - Math.floor(position)) * (upper - lower);
}

/** Returns the first of the slots with the most requests. */
function findPeak(slots: Int32Array): Pick<StoredLoad, 'peak_requests' | 'peak_at'> {
  const sorted = slots.toSorted();
  let peak = { slot: 0, requests: 0 };
  let start = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    const slot = sorted[index]!;
    if (slot !== sorted[start]) start = index;
    const requests = index - start + 1;
    if (requests > peak.requests) peak = { slot, requests };
  }
  return peak.requests === 0
    ? { peak_requests: null, peak_at: null }
    : { peak_requests: peak.requests, peak_at: peak.slot * PEAK_SECONDS * 1_000 };
}
