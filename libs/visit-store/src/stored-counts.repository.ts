import { Injectable } from '@nestjs/common';
import { firstIdAt, type TimelineFilters } from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';
import { conditionsOf } from './timeline-filters.js';
import type { AgentCount, TopCount } from './counts.repository.js';
import { timestamp, type ItemRange } from './rollups.js';
import { NO_AGENT } from './visit-counts.js';

/** A part of a range to read visits from. */
export interface Slice extends ItemRange {
  /** Number of matching visits according to the counts. */
  counted: number;
  /** Maximum number of visits to read. Null means all. */
  max: number | null;
}

/** Visits of agents, or of unknown visitors. */
export interface Population {
  slices: readonly Slice[];
  read: 'all' | 'failed' | { agentIds: readonly string[] };
}

interface StoredQuery {
  agents: Population | null;
  unknown: Population | null;
  /** Filters that the counts can apply. Sampled visits that pass them are scaled to the exact count. */
  counted: Partial<TimelineFilters>;
  /** Filters that only stored visits can apply. */
  stored: Partial<TimelineFilters>;
  /** Visitors whose pages and statuses are listed. */
  lists: 'agents' | 'all';
  maxRows: number;
}

/** Numbers of visits. If not all visits were read, they are estimates and can be fractions. */
export interface StoredCounts {
  counts: AgentCount[];
  types: { item: number; agent_type: string; result: string; visits: number }[];
  pages: TopCount[];
  statuses: TopCount[];
  /** Visits read that pass the filters of the counts. */
  read: number;
  /** Matching visits according to the counts. `notStored` is the number of these that are no longer stored. */
  counted: number;
  notStored: number;
  isEstimated: boolean;
}

interface Row {
  what: 'slice' | 'count' | 'type' | 'page' | 'status';
  /** Zero-based index in the series, or in the slices for `slice` rows. */
  item: number | null;
  agent_id: string | null;
  agent_type: string | null;
  result: string | null;
  value: string | null;
  visits: number;
  /** Total of all pages or statuses. For `slice` rows, the number of visits read. */
  total: number | null;
  last_at: Date | null;
}

type Bind = (parameter: unknown) => string;

const COLUMNS = `agent_id, agent_type, result, split_part(path, '?', 1) AS page, status, occurred_at`;
/**
 * Returns where to start reading a slice, as a fraction of its length. The golden ratio spreads the starts evenly, so
 * they aren't always on the hour.
 */
export const middleOf = (index: number): number => (index * 0.618_033_988_75) % 1;

/**
 * Counts stored visits by combinations of properties that the counts don't have. Reads some visits of each slice and
 * scales them to the slice's exact count.
 */
@Injectable()
export class StoredCountsRepository {
  async count(snapshot: Snapshot, projectId: string, asked: StoredQuery): Promise<StoredCounts> {
    const parameters: unknown[] = [projectId];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
    const populations = [asked.agents, asked.unknown];
    const sources = populations.flatMap((population, part) =>
      population === null ? [] : sourceOf(part, population, asked, bind),
    );
    if (sources.length === 0) return sumUp([], populations, asked.maxRows);
    const isListed = asked.lists === 'agents' ? 'fits AND agent_id IS NOT NULL' : 'fits';
    const top = (what: string): string =>
      `(SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
        WHERE what = '${what}' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT ${asked.maxRows})`;
    const rows = await select<Row>(
      snapshot,
      `WITH sums AS MATERIALIZED (
         SELECT CASE WHEN GROUPING(slice) = 0 THEN 'slice' WHEN GROUPING(agent_id) = 0 THEN 'count'
             WHEN GROUPING(item) = 0 THEN 'type' WHEN GROUPING(page) = 0 THEN 'page' ELSE 'status' END AS what,
           coalesce(slice, item) AS item, agent_id, agent_type, result, coalesce(part::text, page, status::text) AS value,
           (count(*) FILTER (WHERE passes))::float8 AS passed, count(*)::float8 AS size,
           sum(weight) FILTER (WHERE fits) AS visits, sum(weight) FILTER (WHERE ${isListed}) AS listed,
           max(occurred_at) FILTER (WHERE fits) AS last_at
         FROM (${sources.join(' UNION ALL ')}) visits_read
         GROUP BY GROUPING SETS ((part, slice), (agent_id, agent_type, result), (item, agent_type, result), (page), (status))
       )
       SELECT what, item, agent_id, agent_type, result, value, CASE WHEN what = 'slice' THEN passed ELSE visits END AS visits,
         size AS total, last_at
       FROM sums WHERE what = 'slice' OR what IN ('count', 'type') AND visits > 0
       UNION ALL ${top('page')}
       UNION ALL ${top('status')}`,
      parameters,
    );
    return sumUp(rows, populations, asked.maxRows);
  }
}

function sourceOf(part: number, { slices, read }: Population, asked: StoredQuery, bind: Bind): string {
  const isUnknown = part === 1;
  const conditions = [isUnknown ? 'agent_id IS NULL' : 'agent_id IS NOT NULL'];
  // A literal, because a parameter wouldn't match the partial index.
  if (read === 'failed') conditions.push(`result = 'verification_failed'`);
  else if (read !== 'all') conditions.push(...conditionsOf({ agent: [...read.agentIds] }, bind));
  const all = (filters: string[]): string => (filters.length === 0 ? 'true' : filters.join(' AND '));
  const passes = isUnknown ? 'true' : all(conditionsOf(asked.counted, bind));
  const fits = all(conditionsOf(asked.stored, bind));
  const columns = `${COLUMNS}, (${passes}) IS TRUE AS passes, (${passes}) AND (${fits}) AS fits`;
  // The ID condition skips older partitions: IDs contain the time of receipt, which is never before `occurred_at`.
  const visits = (from: string, to: string): string =>
    `SELECT ${columns} FROM visits_full
     WHERE project_id = $1 AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)}
       AND id >= first_id AND ${conditions.join(' AND ')}`;
  const isWhole = slices.every(({ max }) => max === null);
  // Read backwards from the middle. If there are too few visits, read forwards, too.
  const found = isWhole
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
      ${bind(slices.map(({ from, to }, index) => Math.floor(from + (to - from) * middleOf(index + 1))))}::float8[],
      ${bind(slices.map(({ from }) => firstIdAt(from)))}::uuid[],
      ${bind(slices.map(({ counted }) => counted))}::float8[], ${bind(slices.map(({ max }) => max))}::int[]
    ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (${found}) v`;
}

function sumUp(rows: readonly Row[], populations: readonly (Population | null)[], maxRows: number): StoredCounts {
  const of = (what: Row['what']): Row[] => rows.filter((row) => row.what === what);
  const sizes = new Map(of('slice').map((row) => [`${row.value} ${row.item}`, row]));
  const sums = { read: 0, counted: 0, notStored: 0, isEstimated: false };
  for (const [part, population] of populations.entries()) {
    for (const [index, { counted, max }] of (population?.slices ?? []).entries()) {
      const { visits: passed = 0, total: size = 0 } = sizes.get(`${part} ${index}`) ?? {};
      const isCut = max !== null && size! >= max;
      sums.read += passed;
      sums.counted += counted;
      if (isCut) sums.isEstimated = true;
      else sums.notStored += Math.max(0, counted - passed);
    }
  }
  return {
    counts: of('count').map(({ agent_id: id, agent_type: type, result, visits, last_at: lastAt }) => ({
      agent_id: id ?? NO_AGENT,
      agent_type: type ?? '',
      result: result!,
      visits,
      last_at: lastAt!,
    })),
    types: of('type').map(({ item, agent_type: type, result, visits }) => ({
      item: item!,
      agent_type: type ?? '',
      result: result!,
      visits,
    })),
    pages: withRest(of('page'), maxRows),
    statuses: withRest(of('status'), maxRows),
    ...sums,
  };
}

/** Adds an entry with an empty value for all others. */
function withRest(rows: readonly Row[], maxRows: number): TopCount[] {
  const named = rows.map(({ value, visits }) => ({ value: value!, visits: Math.round(visits) }));
  const rest = Math.round((rows[0]?.total ?? 0) - rows.reduce((sum, { visits }) => sum + visits, 0));
  return rows.length === maxRows && rest > 0 ? [...named, { value: '', visits: rest }] : named;
}
