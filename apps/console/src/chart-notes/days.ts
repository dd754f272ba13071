import type { TimeRange } from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';

/** Range of days that notes can have. */
const MIN_DAY_MS = Date.UTC(1900, 0, 1);
const MAX_DAY_MS = Date.UTC(2099, 11, 31);

/** Returns the first and last local day of a range, such as `2026-11-21`. */
export function daysOf({ from, to }: TimeRange, timeZone: string): [string, string] {
  const zoned = ZonedTime.of(timeZone);
  const dayOf = (time: number): string => {
    const local = Math.min(Math.max(time + zoned.offset(time), MIN_DAY_MS), MAX_DAY_MS);
    return new Date(local).toISOString().slice(0, 10);
  };
  return [dayOf(from), dayOf(to - 1)];
}
