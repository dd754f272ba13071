import { MAX_DAYS_OF_RANGE, MAX_TIME, MIN_TIME, type Bucket } from '#libs/contracts';
import { unfitQuery } from '#libs/platform';
import type { Series, TimeRange } from '#libs/visit-store';
import { ZonedTime } from './zoned-time.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Latest end of a range. Rounding up a later time would result in the year 10000. */
const MAX_END = Math.floor(MAX_TIME / QUARTER_MS) * QUARTER_MS;

export type { Series, TimeRange } from '#libs/visit-store';

export interface ComparedSeries {
  current: Series;
  /** Range to compare with. Has the same length, or is empty for no comparison. */
  previous: Series;
}

/**
 * Returns the requested range, extended to full 15-minute buckets. Default: the last 24 hours.
 *
 * @throws ProblemError 422 if `from` is not before `to` or too long before it, or if `to` is after {@link MAX_END}.
 */
export function rangeOf(asked: { from: number | null; to: number | null }, now: number): TimeRange {
  const to = asked.to ?? now;
  const from = asked.from ?? to - DAY_MS;
  const refuse = (detail: string) => unfitQuery([{ pointer: '/from', detail }]);
  if (to > MAX_END) {
    throw unfitQuery([{ pointer: '/to', detail: `must be ${new Date(MAX_END).toISOString()} or earlier` }]);
  }
  if (from >= to) throw refuse('must be before to');
  if (to - from > MAX_DAYS_OF_RANGE * DAY_MS) throw refuse(`must be at most ${MAX_DAYS_OF_RANGE} days before to`);
  return { from: Math.floor(from / QUARTER_MS) * QUARTER_MS, to: Math.ceil(to / QUARTER_MS) * QUARTER_MS };
}

/**
 * Returns a range of the same length to compare with. Empty if `start` is `none`.
 *
 * @param start start of the range. By default, it ends where the other range starts.
 * @throws ProblemError 422 if the range would end after {@link MAX_END}.
 */
export function comparedRangeOf({ from, to }: TimeRange, start: number | 'none' | null): TimeRange {
  if (start === 'none') return { from, to: from };
  const length = to - from;
  const first = start === null ? Math.max(from - length, MIN_TIME) : Math.floor(start / QUARTER_MS) * QUARTER_MS;
  if (first > MAX_END - length) {
    const detail = `must be ${new Date(MAX_END - length).toISOString()} or earlier`;
    throw unfitQuery([{ pointer: '/compare_from', detail }]);
  }
  return { from: first, to: first + length };
}

/**
 * Splits a range into 15-minute buckets, or into hours, days, weeks or months of the time zone. An empty range has no
 * items.
 */
export function seriesOf({ from, to }: TimeRange, timeZone: string): Series {
  const zoned = ZonedTime.of(timeZone);
  const bucket = bucketOf(to - from);
  const { first, next } = itemsOf(bucket, zoned);
  const starts: number[] = [];
  if (from < to) for (let start = first(from); start < to; start = next(start)) starts.push(start);
  return { from, to, bucket, timeZone, starts };
}

interface Items {
  /** Returns the start of the item that contains a time. */
  first: (time: number) => number;
  next: (time: number) => number;
}

function itemsOf(bucket: Bucket, zoned: ZonedTime): Items {
  switch (bucket) {
    case '15m':
      return { first: (time) => time, next: (time) => time + QUARTER_MS };
    case '1h':
      return { first: (time) => zoned.startOfHour(time), next: (time) => zoned.nextHour(time) };
    case '1d':
      return { first: (time) => zoned.startOfDay(time), next: (time) => zoned.nextDay(time) };
    case '1w':
      return { first: (time) => zoned.startOfWeek(time), next: (time) => zoned.nextWeek(time) };
    case '1mo':
      return { first: (time) => zoned.startOfMonth(time), next: (time) => zoned.nextMonth(time) };
  }
}

/** Maximum length of a range in days, by bucket. Results in about 100 items. The first covers a day of 25 hours. */
const MAX_DAYS: readonly [Bucket, number][] = [
  ['15m', 26 / 24],
  ['1h', 8],
  ['1d', 100],
  ['1w', 750],
];

const bucketOf = (length: number): Bucket => MAX_DAYS.find(([, days]) => length <= days * DAY_MS)?.[0] ?? '1mo';
