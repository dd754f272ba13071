import { MAX_DAYS_OF_RANGE, type Bucket } from '#libs/contracts';
import { unfitQuery } from '#libs/platform';
import { ZonedTime } from './zoned-time.js';

const QUARTER = 900_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Of full quarters of an hour, as visits are counted. Milliseconds since the epoch. */
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
 * Returns the range that `from` and `to` ask for, the last day where they don't.
 *
 * @throws ProblemError 422 for those that make no range.
 */
export function rangeOf(asked: { from: number | null; to: number | null }, now: number): TimeRange {
  const to = asked.to ?? now;
  const from = asked.from ?? to - DAY;
  const refuse = (detail: string) => unfitQuery([{ pointer: '/from', detail }]);
  if (from >= to) throw refuse('must be before to');
  if (to - from > MAX_DAYS_OF_RANGE * DAY) throw refuse(`must be ${MAX_DAYS_OF_RANGE} days before to at most`);
  return { from: Math.floor(from / QUARTER) * QUARTER, to: Math.ceil(to / QUARTER) * QUARTER };
}

/** As long a range that ends where this one starts. */
export const before = ({ from, to }: TimeRange): TimeRange => ({ from: 2 * from - to, to: from });

/** Cuts a range where hours or days begin in the zone. */
export function seriesOf({ from, to }: TimeRange, timeZone: string): Series {
  const zoned = new ZonedTime(timeZone);
  const bucket = bucketOf(to - from);
  const next = {
    '15m': (time: number) => time + QUARTER,
    '1h': (time: number) => zoned.nextHour(time),
    '1d': (time: number) => zoned.nextDay(time),
  }[bucket];
  const first = { '15m': from, '1h': zoned.startOfHour(from), '1d': zoned.startOfDay(from) }[bucket];
  const starts: number[] = [];
  for (let start = first; start < to; start = next(start)) starts.push(start);
  return { from, to, bucket, timeZone, starts };
}

/** A day, also one of 25 hours, has some hundred items, and so has a week. */
function bucketOf(length: number): Bucket {
  if (length <= 26 * HOUR) return '15m';
  return length <= 8 * DAY ? '1h' : '1d';
}
