import { formatTime } from './time.js';

const DATE_FORMATS = {
  day: { day: 'numeric', month: 'short' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
} as const;

/**
 * Returns how much of the date to show next to a time: nothing if it's today, the day if it's this year, and otherwise
 * the day and year.
 */
export function getDateDetail(time: string, timeZone: string, now: number): 'day' | 'year' | undefined {
  const currentTime = new Date(now).toISOString();
  const isSame = (part: Intl.DateTimeFormatOptions): boolean =>
    formatTime(time, timeZone, part) === formatTime(currentTime, timeZone, part);
  if (isSame(DATE_FORMATS.year)) return undefined;
  return isSame({ year: 'numeric' }) ? 'day' : 'year';
}

/** Formats a time as hours, minutes and seconds, preceded by the date unless it's today. */
export function formatClockTime(time: string, timeZone: string, now: number): string {
  const clock = formatTime(time, timeZone, { timeStyle: 'medium' });
  const dateDetail = getDateDetail(time, timeZone, now);
  return dateDetail === undefined ? clock : `${formatTime(time, timeZone, DATE_FORMATS[dateDetail])}, ${clock}`;
}
