import { useClock } from './clock.js';
import { relativeTime } from '../format/relative-time.js';
import { formatted } from '../format/time.js';

/** A time as people say it; the exact one, ISO 8601, on hover. */
export function RelativeTime({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {relativeTime(Date.parse(time), useClock())}
    </time>
  );
}

/** A day and a time, in a zone. */
export const fullTime = (time: string, timeZone: string): string =>
  formatted(time, timeZone, { dateStyle: 'medium', timeStyle: 'medium' });
