import type { TimeRange } from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';

/** Earliest and latest day that a note can be attached to. */
const MIN_DAY_MS = Date.UTC(1900, 0, 1);
const MAX_DAY_MS = Date.UTC(2099, 11, 31);

/** Returns the range's first and last local day, each in the format `2026-11-21`. */
export function getLocalDays({ from, to }: TimeRange, timeZone: string): [string, string] {
  const zoned = ZonedTime.forZone(timeZone);
  const toLocalDay = (time: number): string => {
    const local = Math.min(Math.max(time + zoned.offset(time), MIN_DAY_MS), MAX_DAY_MS);
    return new Date(local).toISOString().slice(0, 10);
  };
  return [toLocalDay(from), toLocalDay(to - 1)];
}
