import { resolveComparisonRange, createSeries, type ComparedSeries } from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';

/** Time of day on Mondays at which reports are sent. By then, all visits are counted. */
const DELAY_MS = 8 * 3_600_000;

/** Returns when the next report is due, in milliseconds since the epoch. */
export function getNextReportTime(timeZone: string, now: number): number {
  const zoned = ZonedTime.forZone(timeZone);
  const thisWeek = zoned.startOfWeek(now) + DELAY_MS;
  return thisWeek > now ? thisWeek : zoned.nextWeek(now) + DELAY_MS;
}

/**
 * Returns the first day of a week in local time, such as `2026-11-16`.
 *
 * @param from Start of the week in milliseconds since the epoch.
 */
export const getFirstDay = (timeZone: string, from: number): string =>
  new Date(from + ZonedTime.forZone(timeZone).offset(from)).toISOString().slice(0, 10);

/** Returns the last complete week, compared with the week before it. */
export function getReportedWeek(timeZone: string, now: number): ComparedSeries {
  const zoned = ZonedTime.forZone(timeZone);
  const to = zoned.startOfWeek(now);
  const from = zoned.startOfWeek(to - 1);
  const start = zoned.startOfWeek(from - 1);
  const previous = { ...resolveComparisonRange({ from, to }, start), to: from };
  return { current: createSeries({ from, to }, timeZone), previous: createSeries(previous, timeZone) };
}
