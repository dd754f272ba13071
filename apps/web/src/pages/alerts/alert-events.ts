import type { Alert, AlertEvent, AlertPreview } from '../../api/alerts.js';
import { formatDuration } from '../../format/duration.js';
import { formatTime } from '../../format/time.js';
import { daysBetween, toDay } from '../../range/zoned-day.js';

const QUARTER_MS = 900_000;

/** Returns the time of a new alert's first check, or null if it has been checked. `until` is the time of the last check. */
export function getFirstCheck({ checked_since: since }: Pick<Alert, 'checked_since'>, until: string | null) {
  const first = Math.ceil(Date.parse(since) / QUARTER_MS) * QUARTER_MS;
  return until !== null && Date.parse(until) >= first ? null : new Date(first).toISOString();
}

/** Counts a preview's events by day, oldest first. The last day is today. */
export function countByDay(
  { events }: Pick<AlertPreview, 'events'>,
  { days, now, timeZone }: { days: number; now: number; timeZone: string },
): number[] {
  const today = toDay(new Date(now).toISOString(), timeZone);
  const counts = Array.from({ length: days }, () => 0);
  for (const { fired_at: firedAt } of events) {
    const index = days - 1 - daysBetween(toDay(firedAt, timeZone), today);
    if (index in counts) counts[index]! += 1;
  }
  return counts;
}

/** Returns text such as "lasted 2 h 15 min". Empty for events without a duration, such as a first visit. */
export function describeLength({ fired_at: firedAt, recovered_at: recoveredAt }: AlertEvent): string {
  if (recoveredAt === null) return 'still firing';
  const length = Date.parse(recoveredAt) - Date.parse(firedAt);
  return length <= 0 ? '' : `lasted ${formatDuration(length)}`;
}

/** Returns text such as "Nov 30, 23:00". */
export const formatEventTime = (time: string, timeZone: string): string =>
  formatTime(time, timeZone, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
