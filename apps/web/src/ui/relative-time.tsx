import { useClock } from './clock.js';
import { relativeTime } from '../format/relative-time.js';
import { formatted } from '../format/time.js';

/** Relative time, such as "2 hours ago". Shows the exact time (ISO 8601) on hover. */
export function RelativeTime({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {relativeTime(Date.parse(time), useClock())}
    </time>
  );
}

export const fullTime = (time: string, timeZone: string): string =>
  formatted(time, timeZone, { dateStyle: 'medium', timeStyle: 'medium' });
