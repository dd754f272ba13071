import { MAX_DAYS_OF_RANGE, MAX_TIME, MIN_TIME, type Bucket } from '#libs/contracts';
import { unfitQuery } from '#libs/platform';
import type { Series, TimeRange } from '#libs/visit-store';
import { ZonedTime } from './zoned-time.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The last time that a range can end at: rounded up, what comes after would be in the year 10000. */
const MAX_END = Math.floor(MAX_TIME / QUARTER_MS) * QUARTER_MS;

export type { Series, TimeRange } from '#libs/visit-store';

/** A range, and the one that it is compared with. */
export interface ComparedSeries {
  current: Series;
  /** As long, so that its items are. */
  previous: Series;
}

/**
 * Returns the range that `from` and `to` ask for; by default the last 24 hours.
 *
 * @throws ProblemError 422 when `from` is not before `to`, or too long before it, or `to` is after {@link MAX_END}.
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
 * Returns the range of the same length to compare another one with: from `start` on, or, without one, right before it;
 * for `none` an empty one.
 *
 * @throws ProblemError 422 when it would end after {@link MAX_END}.
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

/** Splits a range where hours, days, weeks or months begin in the time zone; an empty one has no items. */
export function seriesOf({ from, to }: TimeRange, timeZone: string): Series {
  const zoned = ZonedTime.of(timeZone);
  const bucket = bucketOf(to - from);
  const { first, next } = itemsOf(bucket, zoned);
  const starts: number[] = [];
  if (from < to) for (let start = first(from); start < to; start = next(start)) starts.push(start);
  return { from, to, bucket, timeZone, starts };
}

interface Items {
  /** When the item that holds a time begins. */
  first: (time: number) => number;
  /** When the item after it begins. */
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

/** The longest ranges, in days, that are shown by each bucket: about a hundred items, even for a day of 25 hours. */
const MAX_DAYS: readonly [Bucket, number][] = [
  ['15m', 26 / 24],
  ['1h', 8],
  ['1d', 100],
  ['1w', 750],
];

const bucketOf = (length: number): Bucket => MAX_DAYS.find(([, days]) => length <= days * DAY_MS)?.[0] ?? '1mo';
