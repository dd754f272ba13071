import type { TimeRange } from './time-range.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
const DAY_MS = 24 * HOUR_MS;

/** SQL that reads a parameter, in milliseconds since the epoch, as a timestamp. */
export const timestamp = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;

/** SQL of the counts of a report, with the condition of their index, literally. */
export const dimensionIs = (dimension: string): string =>
  `dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = ${dimension}`;

/** Hours and days (UTC) whose roll-ups are missing or out of date, in milliseconds since the epoch. */
export interface OpenTimes {
  hours: ReadonlySet<number>;
  /** Includes those with an open hour. */
  days: ReadonlySet<number>;
  /** Of open days, until when the roll-up of counts by dimension has them. */
  summedUntil: ReadonlyMap<number, number>;
}

/** A range by the roll-up that each part of it is read from: whole days, whole hours, and quarters for the rest. */
export interface RollupRanges {
  days: TimeRange[];
  hours: TimeRange[];
  quarters: TimeRange[];
}

interface SplitOptions {
  /** The coarsest roll-up that may be used. */
  coarsest: 'days' | 'hours' | 'quarters';
  /** A day that has one of these times within it is read by hours, and an hour by quarters. */
  cuts?: readonly number[];
  /** Whether days may be read as far as they are summed up: then the range of the last one ends there. */
  isSoFar?: boolean;
}

/** Splits a range so that each part is read from the coarsest roll-up that has it. */
export function splitByRollup(
  range: TimeRange,
  open: OpenTimes,
  { coarsest, cuts = [], isSoFar = false }: SplitOptions,
): RollupRanges {
  const ranges: RollupRanges = { days: [], hours: [], quarters: [] };
  if (coarsest === 'quarters') return { ...ranges, quarters: [range] };
  const cutWithin = (length: number): ReadonlySet<number> =>
    new Set(cuts.filter((cut) => cut % length !== 0).map((cut) => startOf(cut, length)));
  const [cutDays, cutHours] = [cutWithin(DAY_MS), cutWithin(HOUR_MS)];
  for (let day = startOf(range.from, DAY_MS); day < range.to; day += DAY_MS) {
    if (coarsest === 'days' && isWithin(day, DAY_MS, range) && !open.days.has(day) && !cutDays.has(day)) {
      append(ranges.days, { from: day, to: day + DAY_MS });
      continue;
    }
    const until = isSoFar ? open.summedUntil.get(day) : undefined;
    const isSummed = until !== undefined && isWithin(day, until - day, range);
    if (isSummed) append(ranges.days, { from: day, to: until });
    for (let hour = isSummed ? until : day; hour < day + DAY_MS; hour += HOUR_MS) {
      const isWhole = isWithin(hour, HOUR_MS, range) && !open.hours.has(hour) && !cutHours.has(hour);
      const part = { from: Math.max(hour, range.from), to: Math.min(hour + HOUR_MS, range.to) };
      if (part.from < part.to) append(isWhole ? ranges.hours : ranges.quarters, part);
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
 * Returns SQL that reads the rows of a table within ranges. It takes the project as $1, and {@link rangeParameters}.
 *
 * @param first number of the first range parameter.
 */
export const rollupRows = (columns: string, table: string, first: number, condition = 'true'): string =>
  // OFFSET makes the planner scan the index range by range, although it does not know the ranges.
  `SELECT ${columns} FROM unnest($${first}::float8[], $${first + 1}::float8[]) piece (since, until), LATERAL (
     SELECT * FROM ${table}
     WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
       AND ${condition}
     OFFSET 0
   ) counted`;

/**
 * As {@link rollupRows}, with the rows of each range grouped, so that few of them are passed on.
 *
 * @param columns what they are grouped by.
 * @param sums what else is read, as aggregates.
 */
export const rollupGroups = (columns: string, sums: string, table: string, first: number, condition = 'true'): string =>
  `SELECT counted.* FROM unnest($${first}::float8[], $${first + 1}::float8[]) piece (since, until), LATERAL (
     SELECT ${columns}, ${sums} FROM ${table}
     WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
       AND ${condition}
     GROUP BY ${columns}
   ) counted`;

/**
 * SQL of the buckets within ranges.
 *
 * @param first number of the first range parameter.
 * @param bucketMs from one bucket to the next.
 */
export const bucketsOf = (first: number, bucketMs: number): string =>
  `SELECT to_timestamp(start::float8 / 1000) FROM unnest($${first}::float8[], $${first + 1}::float8[]) piece (since, until),
     generate_series(ceil(since / ${bucketMs})::bigint * ${bucketMs}, until::bigint - 1, ${bucketMs}) AS start`;

/**
 * As {@link rollupGroups}, with visits summed, looked up by bucket: of an index that has the bucket before what the condition asks
 * for, only that is read.
 *
 * @param buckets as {@link bucketsOf} has them.
 */
export const bucketSums = (columns: string, table: string, buckets: string, condition: string): string =>
  `SELECT ${columns}, sum(visits::float8) AS visits FROM ${table}
   WHERE project_id = $1 AND ${condition} AND bucket = ANY (ARRAY (${buckets}))
   GROUP BY ${columns}`;

/** The parameters of {@link rollupRows}: where the ranges begin, and where they end. */
export const rangeParameters = (ranges: readonly TimeRange[]): [number[], number[]] => [
  ranges.map(({ from }) => from),
  ranges.map(({ to }) => to),
];

/** The part of a range that belongs to one item of a series; `item` is its index, from 0. */
export interface ItemRange extends TimeRange {
  item: number;
}

/** Splits ranges, given in order, where the items of a series begin. */
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

/** As {@link rollupRows}, with visits summed by item and columns, if any. It takes {@link itemParameters}. */
export const rollupSums = (columns: readonly string[], table: string, first: number, condition = 'true'): string =>
  `SELECT ${['item', ...columns].join(', ')}, visits
   FROM unnest($${first}::float8[], $${first + 1}::float8[], $${first + 2}::int[]) piece (since, until, item), LATERAL (
     SELECT ${[...columns, 'sum(visits::float8) AS visits'].join(', ')} FROM ${table}
     WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
       AND ${condition}
     ${columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`}
   ) counted`;

/** The parameters of {@link rollupSums}: where the ranges begin, where they end, and their items. */
export const itemParameters = (ranges: readonly ItemRange[]): [number[], number[], number[]] => [
  ...rangeParameters(ranges),
  ranges.map(({ item }) => item),
];
