import { useClock } from './clock.js';
import { formatted } from '../format/time.js';

/** Seconds, and what they are called from there on. */
const SPANS: [number, Intl.RelativeTimeFormatUnit][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [0, 'second'],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** "12 sec. ago", or "in 3 days". */
function ago(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1_000);
  const [size, unit] = SPANS.find(([least]) => Math.abs(seconds) >= least)!;
  return RELATIVE.format(Math.trunc(seconds / Math.max(size, 1)), unit);
}

/** A time as people say it; the exact one, ISO 8601, on hover. */
export function RelativeTime({ time }: { time: string }) {
  const now = useClock();
  const at = Date.parse(time);
  // What happened since the clock was last looked at is not to come.
  const isJustNow = at > now && at <= Date.now() + 1_000;
  return (
    <time dateTime={time} title={time}>
      {ago(at, isJustNow ? at : now)}
    </time>
  );
}

/** A day and a time, in a zone. */
export const fullTime = (time: string, timeZone: string): string =>
  formatted(time, timeZone, { dateStyle: 'medium', timeStyle: 'medium' });
