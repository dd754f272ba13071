import { MAX_DAYS_OF_RANGE, MAX_TIME, type Bucket } from '#libs/contracts';
import { unfitQuery } from '#libs/platform';
import { ZonedTime } from './zoned-time.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The last time that a range can end at: rounded up, what comes after would be in the year 10000. */
const MAX_END = Math.floor(MAX_TIME / QUARTER_MS) * QUARTER_MS;

/** A range of whole quarters of an hour, as visits are counted, in milliseconds since the epoch. */
export interface TimeRange {
  from: number;
  /** Exclusive. */
  to: number;
}

/** A range cut into the items of a chart. */
export interface Series extends TimeRange {
  bucket: Bucket;
  timeZone: string;
  /** When each item begins; the first may begin before the range does. */
  starts: number[];
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
  if (to - from > MAX_DAYS_OF_RANGE * DAY_MS) throw refuse(`must be ${MAX_DAYS_OF_RANGE} days before to at most`);
  return { from: Math.floor(from / QUARTER_MS) * QUARTER_MS, to: Math.ceil(to / QUARTER_MS) * QUARTER_MS };
}

/** The range of the same length that ends where this one starts. */
export const before = ({ from, to }: TimeRange): TimeRange => ({ from: 2 * from - to, to: from });

/** Splits a range where hours or days begin in the time zone. */
export function seriesOf({ from, to }: TimeRange, timeZone: string): Series {
  const zoned = new ZonedTime(timeZone);
  const bucket = bucketOf(to - from);
  const next = {
    '15m': (time: number) => time + QUARTER_MS,
    '1h': (time: number) => zoned.nextHour(time),
    '1d': (time: number) => zoned.nextDay(time),
  }[bucket];
  const first = { '15m': from, '1h': zoned.startOfHour(from), '1d': zoned.startOfDay(from) }[bucket];
  const starts: number[] = [];
  for (let start = first; start < to; start = next(start)) starts.push(start);
  return { from, to, bucket, timeZone, starts };
}

/** About a hundred items for a day, even one of 25 hours, and for a week. */
function bucketOf(length: number): Bucket {
  if (length <= 26 * HOUR_MS) return '15m';
  return length <= 8 * DAY_MS ? '1h' : '1d';
}
