import { comparedRangeOf, seriesOf, type ComparedSeries } from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';

/** Time after the start of Monday at which reports are sent. All visits are counted by then. */
const DELAY_MS = 8 * 3_600_000;

/** Returns when the next report after a time is due, in milliseconds since the epoch. */
export function nextReportAt(timeZone: string, now: number): number {
  const zoned = ZonedTime.of(timeZone);
  const thisWeek = zoned.startOfWeek(now) + DELAY_MS;
  return thisWeek > now ? thisWeek : zoned.nextWeek(now) + DELAY_MS;
}

/**
 * Returns the first local day of a week, such as `2026-11-16`.
 *
 * @param from start of the week.
 */
export const firstDayOf = (timeZone: string, from: number): string =>
  new Date(from + ZonedTime.of(timeZone).offset(from)).toISOString().slice(0, 10);

/** Returns the last complete week and the one before. */
export function reportedWeek(timeZone: string, now: number): ComparedSeries {
  const zoned = ZonedTime.of(timeZone);
  const to = zoned.startOfWeek(now);
  const from = zoned.startOfWeek(to - 1);
  const start = zoned.startOfWeek(from - 1);
  const previous = { ...comparedRangeOf({ from, to }, start), to: from };
  return { current: seriesOf({ from, to }, timeZone), previous: seriesOf(previous, timeZone) };
}
