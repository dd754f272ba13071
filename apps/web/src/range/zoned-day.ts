import { fromInput, toInput } from './zoned-input.js';

const DAY_MS = 86_400_000;

/** Returns the calendar day of an instant in a time zone, such as "2026-11-21". */
export const dayOf = (instant: string, timeZone: string): string => toInput(instant, timeZone).slice(0, 10);

/** Returns the start of a day in a time zone, in ISO 8601 (UTC). */
export const startOfDay = (day: string, timeZone: string): string => fromInput(`${day}T00:00`, timeZone)!;

/** @param days Can be negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the same day of another month, or the last day of that month if it is shorter. */
export function addMonths(day: string, months: number): string {
  const date = new Date(day);
  const wanted = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return date.toISOString().slice(0, 10);
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

export const isStartOfDay = (instant: string, timeZone: string): boolean =>
  startOfDay(dayOf(instant, timeZone), timeZone) === new Date(instant).toISOString();
