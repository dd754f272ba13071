import { Injectable } from '@nestjs/common';
import { getFirstIdAt, type TimelineFilters } from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';
import { PAGE_NAME } from './page.js';
import { toSqlConditions } from './timeline-filters.js';
import type { AgentCount, TopCount } from './counts.repository.js';
import { timestamp, type ItemRange } from './rollups.js';
import { NO_AGENT } from './visit-counts.js';

/** Part of a range to read visits from. */
export interface Slice extends ItemRange {
  /** Number of matching visits, according to the counts. */
  counted: number;
  /** Maximum number of visits to read, or null to read all. */
  max: number | null;
}

/** Visits to read, either by agents or by unknown visitors. */
export interface Population {
  slices: readonly Slice[];
  read: 'all' | 'failed' | { agentIds: readonly string[] };
}

/** Stored visits to read. */
export interface VisitSelection {
  agents: Population | null;
  unknown: Population | null;
  /**
   * Filters on properties that the counts also cover. The sampled visits that match are scaled up to their exact count.
   */
  counted: Partial<TimelineFilters>;
  /** Filters that can only be applied to stored visits. */
  stored: Partial<TimelineFilters>;
}

export interface StoredQuery extends VisitSelection {
  /** Visitors to include in the lists of pages and statuses. */
  lists: 'agents' | 'all';
  maxRows: number;
  /** Additional property to count by item. Counts the same visitors as `lists`. */
  breakdown?: StoredBreakdown | undefined;
}

export type StoredBreakdown = 'status' | 'agent';

/** Visits by item of the series, and by status or agent ID. The value is null for visits without a status. */
export interface ItemCount {
  item: number;
  value: string | null;
  visits: number;
}

export const BREAKDOWN_COLUMNS: Record<StoredBreakdown, string> = { status: 'status', agent: 'agent_id' };

/** Visit counts. If only a sample was read, they are estimates and can be fractions. */
export interface StoredCounts {
  counts: AgentCount[];
  types: { item: number; agent_type: string; result: string; visits: number }[];
  pages: TopCount[];
  statuses: TopCount[];
  /** Counts of the requested breakdown. Empty if none was requested. */
  breakdown: ItemCount[];
  /** Number of visits that were read and match the `counted` filters. */
  read: number;
  /** Number of matching visits according to the counts. Includes the `notStored` visits, which are no longer stored. */
  counted: number;
  notStored: number;
  isEstimated: boolean;
}

interface Row {
  what: 'slice' | 'count' | 'type' | 'page' | 'status' | 'breakdown';
  /** Zero-based index of the series item, or of the slice for `slice` rows. */
  item: number | null;
  agent_id: string | null;
  agent_type: string | null;
  result: string | null;
  value: string | null;
  visits: number;
  /** Total across all pages or statuses. For `slice` rows, the number of visits read. */
  total: number | null;
  last_at: Date | null;
}

type Bind = (parameter: unknown) => string;

const COLUMNS = `agent_id, agent_type, result, ${PAGE_NAME} AS page, status, occurred_at`;
/**
 * Returns where in a slice to start reading, as a fraction of its length. Multiples of the golden ratio are spread
 * evenly, so slices don't all start at the full hour.
 */
export const sliceStartFraction = (index: number): number => (index * 0.618_033_988_75) % 1;

/**
 * Counts stored visits by combinations of properties that the counts don't cover. Reads a sample from each slice and
 * scales it to the slice's exact count.
 */
@Injectable()
export class StoredCountsRepository {
  /** Whether {@link count} limits the number of visits it reads to the `max` of the slices. */
  readonly readsSamples: boolean = true;

  async count(snapshot: Snapshot, projectId: string, query: StoredQuery): Promise<StoredCounts> {
    const parameters: unknown[] = [projectId];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
    const populations = [query.agents, query.unknown];
    const sources = selectionSql(query, COLUMNS, bind);
    if (sources.length === 0) return summarize([], populations, query.maxRows);
    const isListed = query.lists === 'agents' ? 'fits AND agent_id IS NOT NULL' : 'fits';
    const top = (what: string): string =>
      `(SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
        WHERE what = '${what}' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT ${query.maxRows})`;
    const column = query.breakdown && BREAKDOWN_COLUMNS[query.breakdown];
    const rows = await select<Row>(
      snapshot,
      `WITH sums AS MATERIALIZED (
         SELECT CASE ${column ? `WHEN GROUPING(item) + GROUPING(${column}) = 0 THEN 'breakdown' ` : ''}WHEN GROUPING(slice) = 0 THEN 'slice' WHEN GROUPING(agent_id) = 0 THEN 'count'
             WHEN GROUPING(item) = 0 THEN 'type' WHEN GROUPING(page) = 0 THEN 'page' ELSE 'status' END AS what,
           coalesce(slice, item) AS item, agent_id, agent_type, result, coalesce(part::text, page, status::text) AS value,
           (count(*) FILTER (WHERE passes))::float8 AS passed, count(*)::float8 AS size,
           sum(weight) FILTER (WHERE fits) AS visits, sum(weight) FILTER (WHERE ${isListed}) AS listed,
           max(occurred_at) FILTER (WHERE fits) AS last_at
         FROM (${sources.join(' UNION ALL ')}) visits_read
         GROUP BY GROUPING SETS (${column ? `(item, ${column}), ` : ''}(part, slice), (agent_id, agent_type, result), (item, agent_type, result), (page), (status))
       )
       SELECT what, item, agent_id, agent_type, result, value, CASE WHEN what = 'slice' THEN passed ELSE visits END AS visits,
         size AS total, last_at
       FROM sums WHERE what = 'slice' OR what IN ('count', 'type') AND visits > 0
       UNION ALL ${top('page')}
       UNION ALL ${top('status')}${
         column
           ? ` UNION ALL SELECT what, item, NULL, NULL, NULL, ${query.breakdown === 'agent' ? 'agent_id::text' : 'value'}, listed, NULL, NULL
       FROM sums WHERE what = 'breakdown' AND listed > 0`
           : ''
       }`,
      parameters,
    );
    return summarize(rows, populations, query.maxRows);
  }
}

/**
 * Returns a SQL query for each population. Its rows have the columns, and `part` (the index of the population), `slice`,
 * `item`, `weight` (the number of visits that the row represents), `passes` (whether it matches the `counted` filters)
 * and `fits` (whether it matches all filters).
 */
export const selectionSql = (query: VisitSelection, columns: string, bind: Bind): string[] =>
  [query.agents, query.unknown].flatMap((population, part) =>
    population === null ? [] : sourceSql(part, population, query, columns, bind),
  );

function sourceSql(
  part: number,
  { slices, read }: Population,
  query: VisitSelection,
  visitColumns: string,
  bind: Bind,
): string {
  const isUnknown = part === 1;
  const conditions = [isUnknown ? 'agent_id IS NULL' : 'agent_id IS NOT NULL'];
  // Use a literal, because PostgreSQL can't match a parameter to the partial index.
  if (read === 'failed') conditions.push(`result = 'verification_failed'`);
  else if (read !== 'all') conditions.push(...toSqlConditions({ agent: [...read.agentIds] }, bind));
  const all = (filters: string[]): string => (filters.length === 0 ? 'true' : filters.join(' AND '));
  const passes = isUnknown ? 'true' : all(toSqlConditions(query.counted, bind));
  const fits = all(toSqlConditions(query.stored, bind));
  const columns = `${visitColumns}, (${passes}) IS TRUE AS passes, (${passes}) AND (${fits}) AS fits`;
  // The ID condition lets PostgreSQL skip older partitions, because a visit's ID contains its time of receipt, which is
  // never before `occurred_at`.
  const visits = (from: string, to: string): string =>
    `SELECT ${columns} FROM visits_full
     WHERE project_id = $1 AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)}
       AND id >= first_id AND ${conditions.join(' AND ')}`;
  const readsAll = slices.every(({ max }) => max === null);
  // To sample a slice, read backwards from a point in its middle. If there are too few visits, also read forwards from
  // that point.
  const visitsSql = readsAll
    ? `SELECT whole.*, 1::float8 AS weight FROM (${visits('since', 'until')}) whole`
    : `SELECT sampled.*, CASE WHEN count(*) OVER () < max THEN 1
           ELSE counted / nullif(count(*) FILTER (WHERE passes) OVER (), 0) END AS weight
       FROM (
         SELECT * FROM (
           (${visits('since', 'middle')} ORDER BY occurred_at DESC, id DESC LIMIT max)
           UNION ALL
           (${visits('middle', 'until')} ORDER BY occurred_at, id LIMIT max)
         ) both_sides LIMIT max
       ) sampled`;
  return `SELECT ${part} AS part, slice, item, v.*
    FROM unnest(
      ${bind(slices.map((_, index) => index))}::int[], ${bind(slices.map(({ item }) => item))}::int[],
      ${bind(slices.map(({ from }) => from))}::float8[], ${bind(slices.map(({ to }) => to))}::float8[],
      ${bind(slices.map(({ from, to }, index) => Math.floor(from + (to - from) * sliceStartFraction(index + 1))))}::float8[],
      ${bind(slices.map(({ from }) => getFirstIdAt(from)))}::uuid[],
      ${bind(slices.map(({ counted }) => counted))}::float8[], ${bind(slices.map(({ max }) => max))}::int[]
    ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (${visitsSql}) v`;
}

function summarize(rows: readonly Row[], populations: readonly (Population | null)[], maxRows: number): StoredCounts {
  const rowsOfKind = (what: Row['what']): Row[] => rows.filter((row) => row.what === what);
  const sizes = new Map(rowsOfKind('slice').map((row) => [`${row.value} ${row.item}`, row]));
  const sums = { read: 0, counted: 0, notStored: 0, isEstimated: false };
  for (const [part, population] of populations.entries()) {
    for (const [index, { counted, max }] of (population?.slices ?? []).entries()) {
      const { visits: passed = 0, total: size = 0 } = sizes.get(`${part} ${index}`) ?? {};
      const isSampled = max !== null && size! >= max;
      sums.read += passed;
      sums.counted += counted;
      if (isSampled) sums.isEstimated = true;
      else sums.notStored += Math.max(0, counted - passed);
    }
  }
  return {
    counts: rowsOfKind('count').map(({ agent_id: id, agent_type: type, result, visits, last_at: lastAt }) => ({
      agent_id: id ?? NO_AGENT,
      agent_type: type ?? '',
      result: result!,
      visits,
      last_at: lastAt!,
    })),
    types: rowsOfKind('type').map(({ item, agent_type: type, result, visits }) => ({
      item: item!,
      agent_type: type ?? '',
      result: result!,
      visits,
    })),
    pages: toTopCounts(rowsOfKind('page'), maxRows),
    statuses: toTopCounts(rowsOfKind('status'), maxRows),
    breakdown: rowsOfKind('breakdown').map(({ item, value, visits }) => ({ item: item!, value, visits })),
    ...sums,
  };
}

const toTopCounts = (rows: readonly Row[], maxRows: number): TopCount[] =>
  addOtherTotal(
    rows.map(({ value, visits }) => ({ value: value!, visits })),
    rows[0]?.total ?? 0,
    maxRows,
  );

/** Adds an entry with an empty value for all other values, if there are any. Rounds the numbers. */
export function addOtherTotal(rows: readonly TopCount[], total: number, maxRows: number): TopCount[] {
  const topValues = rows.map(({ value, visits }) => ({ value, visits: Math.round(visits) }));
  const rest = Math.round(total - rows.reduce((sum, { visits }) => sum + visits, 0));
  return rows.length === maxRows && rest > 0 ? [...topValues, { value: '', visits: rest }] : topValues;
}
