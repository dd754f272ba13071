import { useClock } from './use-clock.js';
import { formatRelativeTime } from '../format/relative-time.js';
import { formatTime } from '../format/time.js';

/** Relative time, such as "2 hours ago". Shows the exact time (ISO 8601) on hover. */
export function RelativeTime({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {formatRelativeTime(Date.parse(time), useClock())}
    </time>
  );
}

export const formatFullTime = (time: string, timeZone: string): string =>
  formatTime(time, timeZone, { dateStyle: 'medium', timeStyle: 'medium' });
