import type { TimeRange } from './time-range.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
const DAY_MS = 24 * HOUR_MS;

export const timestamp = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;

/**
 * Returns an SQL condition for a report dimension. Repeats the partial index's condition so that PostgreSQL can use the
 * index.
 */
export const dimensionCondition = (dimension: string): string =>
  `dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = ${dimension}`;

/** Start times of UTC hours and days without an up-to-date rollup, in milliseconds since the epoch. */
export interface OpenTimes {
  hours: ReadonlySet<number>;
  /** Also contains days that have an open hour. */
  days: ReadonlySet<number>;
  /** End of the partial rollup of counts by dimension, keyed by the start of the open day. */
  summedUntil: ReadonlyMap<number, number>;
}

/** A range split into the rollups to read: full days, full hours, and 15-minute buckets for the rest. */
export interface RollupRanges {
  days: TimeRange[];
  hours: TimeRange[];
  quarters: TimeRange[];
}

interface SplitOptions {
  coarsest: 'days' | 'hours' | 'quarters';
  /**
   * Times at which rollups must be split. A day that contains one is read by hours, and an hour that contains one is
   * read by 15-minute buckets.
   */
  cuts?: readonly number[];
  /**
   * Whether to also use rollups of unfinished days, which contain only part of the day. The range for such a day ends
   * where its rollup ends.
   */
  isSoFar?: boolean;
}

/** Splits a range so that each part is read from the coarsest rollup available. */
export function splitByRollup(
  range: TimeRange,
  open: OpenTimes,
  { coarsest, cuts = [], isSoFar = false }: SplitOptions,
): RollupRanges {
  const ranges: RollupRanges = { days: [], hours: [], quarters: [] };
  if (coarsest === 'quarters') return { ...ranges, quarters: [range] };
  const startsWithCuts = (length: number): ReadonlySet<number> =>
    new Set(cuts.filter((cut) => cut % length !== 0).map((cut) => startOf(cut, length)));
  const [cutDays, cutHours] = [startsWithCuts(DAY_MS), startsWithCuts(HOUR_MS)];
  for (let day = startOf(range.from, DAY_MS); day < range.to; day += DAY_MS) {
    if (coarsest === 'days' && isWithin(day, DAY_MS, range) && !open.days.has(day) && !cutDays.has(day)) {
      append(ranges.days, { from: day, to: day + DAY_MS });
      continue;
    }
    const until = isSoFar ? open.summedUntil.get(day) : undefined;
    const hasPartialDay = until !== undefined && isWithin(day, until - day, range);
    if (hasPartialDay) append(ranges.days, { from: day, to: until });
    for (let hour = hasPartialDay ? until : day; hour < day + DAY_MS; hour += HOUR_MS) {
      const isFullHour = isWithin(hour, HOUR_MS, range) && !open.hours.has(hour) && !cutHours.has(hour);
      const part = { from: Math.max(hour, range.from), to: Math.min(hour + HOUR_MS, range.to) };
      if (part.from < part.to) append(isFullHour ? ranges.hours : ranges.quarters, part);
    }
  }
  return ranges;
}

const startOf = (time: number, length: number): number => Math.floor(time / length) * length;

const isWithin = (start: number, length: number, { from, to }: TimeRange): boolean =>
  start >= from && start + length <= to;

function append(ranges: TimeRange[], part: TimeRange): void {
  const last = ranges.at(-1);
  if (last?.to === part.from) last.to = part.to;
  else ranges.push(part);
}

/**
 * Returns SQL that selects a table's rows in the given ranges. $1 is the project, and the ranges are passed as
 * {@link rangeParameters}.
 *
 * @param first Number of the first range parameter.
 */
export const rollupRows = (columns: string, table: string, first: number, condition = 'true'): string =>
  // OFFSET 0 forces one index scan per range, although the planner doesn't know the ranges.
  `SELECT ${columns} FROM unnest($${first}::float8[], $${first + 1}::float8[]) piece (since, until), LATERAL (
     SELECT * FROM ${table}
     WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
       AND ${condition}
     OFFSET 0
   ) counted`;

/**
 * Like {@link rollupRows}, but aggregates within each range to return fewer rows.
 *
 * @param columns Columns to group by.
 * @param sums Aggregates to select.
 */
export const rollupGroups = (columns: string, sums: string, table: string, first: number, condition = 'true'): string =>
  `SELECT counted.* FROM unnest($${first}::float8[], $${first + 1}::float8[]) piece (since, until), LATERAL (
     SELECT ${columns}, ${sums} FROM ${table}
     WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
       AND ${condition}
     GROUP BY ${columns}
   ) counted`;

/**
 * Returns SQL for the start times of all buckets in the given ranges.
 *
 * @param first Number of the first range parameter.
 * @param bucketMs Bucket length in milliseconds.
 */
export const bucketStarts = (first: number, bucketMs: number): string =>
  `SELECT to_timestamp(start::float8 / 1000) FROM unnest($${first}::float8[], $${first + 1}::float8[]) piece (since, until),
     generate_series(ceil(since / ${bucketMs})::bigint * ${bucketMs}, until::bigint - 1, ${bucketMs}) AS start`;

/**
 * Like {@link rollupGroups}, but sums visits and looks up rows by bucket. If the index contains the bucket before the
 * columns used in the condition, only matching entries are read.
 *
 * @param buckets SQL from {@link bucketStarts}.
 */
export const bucketSums = (columns: string, table: string, buckets: string, condition: string): string =>
  `SELECT ${columns}, sum(visits::float8) AS visits FROM ${table}
   WHERE project_id = $1 AND ${condition} AND bucket = ANY (ARRAY (${buckets}))
   GROUP BY ${columns}`;

/** Returns the range parameters for {@link rollupRows}: start times and end times. */
export const rangeParameters = (ranges: readonly TimeRange[]): [number[], number[]] => [
  ranges.map(({ from }) => from),
  ranges.map(({ to }) => to),
];

/** Part of a range that belongs to one item in a series. `item` is its zero-based index. */
export interface ItemRange extends TimeRange {
  item: number;
}

/** Splits ranges at the start of each item. The ranges must be sorted. */
export function splitAtItems(ranges: readonly TimeRange[], starts: readonly number[]): ItemRange[] {
  const parts: ItemRange[] = [];
  let item = 0;
  for (const { from, to } of ranges) {
    for (let next, start = from; start < to; start = next) {
      while ((starts[item + 1] ?? Infinity) <= start) item += 1;
      next = Math.min(to, starts[item + 1] ?? Infinity);
      parts.push({ item, from: start, to: next });
    }
  }
  return parts;
}

/**
 * Like {@link rollupRows}, but sums visits by item and by the given columns. Ranges are passed as
 * {@link itemParameters}.
 */
export const rollupSums = (columns: readonly string[], table: string, first: number, condition = 'true'): string =>
  `SELECT ${['item', ...columns].join(', ')}, visits
   FROM unnest($${first}::float8[], $${first + 1}::float8[], $${first + 2}::int[]) piece (since, until, item), LATERAL (
     SELECT ${[...columns, 'sum(visits::float8) AS visits'].join(', ')} FROM ${table}
     WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
       AND ${condition}
     ${columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`}
   ) counted`;

/** Returns the range parameters for {@link rollupSums}: start times, end times and items. */
export const itemParameters = (ranges: readonly ItemRange[]): [number[], number[], number[]] => [
  ...rangeParameters(ranges),
  ranges.map(({ item }) => item),
];

export const COUNT_TABLES = [
  'visit_counts',
  'visit_day_counts',
  'visit_hour_counts',
  'visit_top_counts',
  'visit_hour_top_counts',
  'visit_day_top_counts',
] as const;
