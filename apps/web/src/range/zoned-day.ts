import { fromInput, toInput } from './zoned-input.js';

const DAY_MS = 86_400_000;

/** Returns an instant's calendar day in a time zone, such as "2026-11-21". */
export const toDay = (instant: string, timeZone: string): string => toInput(instant, timeZone).slice(0, 10);

/** Returns the start of a day in a time zone, in ISO 8601 (UTC). */
export const startOfDay = (day: string, timeZone: string): string => fromInput(`${day}T00:00`, timeZone)!;

/** @param days Can be negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns the same day in another month, or that month's last day if the month is shorter.
 * @param months Can be negative.
 */
export function addMonths(day: string, months: number): string {
  const date = new Date(day);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const lastDayOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(dayOfMonth, lastDayOfMonth));
  return date.toISOString().slice(0, 10);
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

export const isStartOfDay = (instant: string, timeZone: string): boolean =>
  startOfDay(toDay(instant, timeZone), timeZone) === new Date(instant).toISOString();
