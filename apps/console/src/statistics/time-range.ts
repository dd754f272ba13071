import { MAX_RANGE_DAYS, MAX_TIME, MIN_TIME, type Bucket } from '#libs/contracts';
import { invalidQueryError } from '#libs/platform';
import type { Series, TimeRange } from '#libs/visit-store';
import { ZonedTime } from './zoned-time.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Latest end of a range. A later time would be rounded up into the year 10000. */
const MAX_END_MS = Math.floor(MAX_TIME / QUARTER_MS) * QUARTER_MS;

export type { Series, TimeRange } from '#libs/visit-store';

export interface ComparedSeries {
  current: Series;
  /** Comparison range of the same length. Empty if there's no comparison. */
  previous: Series;
}

/**
 * Returns the requested range, widened to full 15-minute buckets. Defaults to the last 24 hours.
 *
 * @throws {ProblemError} 422 if `from` isn't before `to`, if the range is too long, or if `to` is after MAX_END_MS.
 */
export function resolveRange(query: { from: number | null; to: number | null }, now: number): TimeRange {
  const to = query.to ?? now;
  const from = query.from ?? to - DAY_MS;
  const createFromError = (detail: string) => invalidQueryError([{ pointer: '/from', detail }]);
  if (to > MAX_END_MS) {
    throw invalidQueryError([{ pointer: '/to', detail: `must be ${new Date(MAX_END_MS).toISOString()} or earlier` }]);
  }
  if (from >= to) throw createFromError('must be before to');
  if (to - from > MAX_RANGE_DAYS * DAY_MS) throw createFromError(`must be at most ${MAX_RANGE_DAYS} days before to`);
  return { from: Math.floor(from / QUARTER_MS) * QUARTER_MS, to: Math.ceil(to / QUARTER_MS) * QUARTER_MS };
}

/** Returns the start of the last days in the time zone, including today, rounded down to the hour that counts have. */
export function startOfDays(now: number, days: number, timeZone: string): number {
  const zoned = ZonedTime.forZone(timeZone);
  // Noon is on the intended day even if the clocks change in between.
  const noon = zoned.startOfDay(now) + DAY_MS / 2;
  return Math.floor(zoned.startOfDay(noon - (days - 1) * DAY_MS) / HOUR_MS) * HOUR_MS;
}

/**
 * Returns a comparison range of the same length. It's empty if `start` is `none`.
 *
 * @param start Start of the comparison range. If null, the comparison range ends where the other range starts.
 * @throws {ProblemError} 422 if the comparison range would end after MAX_END_MS.
 */
export function resolveComparisonRange({ from, to }: TimeRange, start: number | 'none' | null): TimeRange {
  if (start === 'none') return { from, to: from };
  const length = to - from;
  const first = start === null ? Math.max(from - length, MIN_TIME) : Math.floor(start / QUARTER_MS) * QUARTER_MS;
  if (first > MAX_END_MS - length) {
    const detail = `must be ${new Date(MAX_END_MS - length).toISOString()} or earlier`;
    throw invalidQueryError([{ pointer: '/compare_from', detail }]);
  }
  return { from: first, to: first + length };
}

/**
 * Splits a range into 15-minute buckets, or into hours, days, weeks or months in the time zone. Returns no items for an
 * empty range.
 */
export function createSeries({ from, to }: TimeRange, timeZone: string): Series {
  const zoned = ZonedTime.forZone(timeZone);
  const bucket = selectBucket(to - from);
  const { first, next } = getItemBoundaries(bucket, zoned);
  const starts: number[] = [];
  if (from < to) for (let start = first(from); start < to; start = next(start)) starts.push(start);
  return { from, to, bucket, timeZone, starts };
}

interface ItemBoundaries {
  /** Returns the start of the item that contains a time. */
  first: (time: number) => number;
  next: (time: number) => number;
}

function getItemBoundaries(bucket: Bucket, zoned: ZonedTime): ItemBoundaries {
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

/**
 * Maximum length of a range in days for each bucket size, chosen so that a series has no more than about 200 items. The
 * 15-minute limit leaves room for a 25-hour day.
 */
const MAX_DAYS_BY_BUCKET: readonly [Bucket, number][] = [
  ['15m', 26 / 24],
  ['1h', 8],
  ['1d', 100],
  ['1w', 750],
];

const selectBucket = (length: number): Bucket =>
  MAX_DAYS_BY_BUCKET.find(([, days]) => length <= days * DAY_MS)?.[0] ?? '1mo';
