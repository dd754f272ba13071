import { formatted } from './time.js';

const DATES = {
  day: { day: 'numeric', month: 'short' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
} as const;

/** Returns the date to show with a time: nothing for today, the day in the current year, or the day and year. */
export function datedBy(time: string, timeZone: string, now: number): 'day' | 'year' | undefined {
  const present = new Date(now).toISOString();
  const same = (part: Intl.DateTimeFormatOptions): boolean =>
    formatted(time, timeZone, part) === formatted(present, timeZone, part);
  if (same(DATES.year)) return undefined;
  return same({ year: 'numeric' }) ? 'day' : 'year';
}

/** Formats a time as hours, minutes and seconds. The date is included unless it is today. */
export function clockTime(time: string, timeZone: string, now: number): string {
  const clock = formatted(time, timeZone, { timeStyle: 'medium' });
  const dated = datedBy(time, timeZone, now);
  return dated === undefined ? clock : `${formatted(time, timeZone, DATES[dated])}, ${clock}`;
}
