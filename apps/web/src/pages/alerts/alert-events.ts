import type { AlertEvent } from '../../api/alerts.js';
import { formatDuration } from '../../format/duration.js';
import { formatTime } from '../../format/time.js';

/** Returns text such as "lasted 2 h 15 min". Empty for events without a duration, such as a first visit. */
export function describeLength({ fired_at: firedAt, recovered_at: recoveredAt }: AlertEvent): string {
  if (recoveredAt === null) return 'still firing';
  const length = Date.parse(recoveredAt) - Date.parse(firedAt);
  return length <= 0 ? '' : `lasted ${formatDuration(length)}`;
}

/** Returns text such as "Nov 30, 23:00". */
export const formatEventTime = (time: string, timeZone: string): string =>
  formatTime(time, timeZone, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
