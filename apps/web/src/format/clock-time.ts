import { formatted } from './time.js';

const DATES = {
  day: { day: 'numeric', month: 'short' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
} as const;

/** How much of a date tells a time from those of today: nothing, the day, or the year as well. */
export function datedBy(time: string, timeZone: string, now: number): 'day' | 'year' | undefined {
  const present = new Date(now).toISOString();
  const same = (part: Intl.DateTimeFormatOptions): boolean =>
    formatted(time, timeZone, part) === formatted(present, timeZone, part);
  if (same(DATES.year)) return undefined;
  return same({ year: 'numeric' }) ? 'day' : 'year';
}

/** Hours to seconds in a zone; with the date where it is not today. */
export function clockTime(time: string, timeZone: string, now: number): string {
  const clock = formatted(time, timeZone, { timeStyle: 'medium' });
  const dated = datedBy(time, timeZone, now);
  return dated === undefined ? clock : `${formatted(time, timeZone, DATES[dated])}, ${clock}`;
}
