import { fromInput, toInput } from './zoned-input.js';

const DAY_MS = 86_400_000;

/** The calendar day of an instant in a zone, as "2026-11-21". */
export const dayOf = (instant: string, timeZone: string): string => toInput(instant, timeZone).slice(0, 10);

/** When a day begins in a zone, ISO 8601 in UTC. */
export const startOfDay = (day: string, timeZone: string): string => fromInput(`${day}T00:00`, timeZone)!;

/** @param days negative for days before. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The same day of another month, or the last one of that month where it has fewer days. */
export function addMonths(day: string, months: number): string {
  const date = new Date(day);
  const wanted = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return date.toISOString().slice(0, 10);
}

/** Days from one to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Whether a day begins at this instant. */
export const isStartOfDay = (instant: string, timeZone: string): boolean =>
  startOfDay(dayOf(instant, timeZone), timeZone) === new Date(instant).toISOString();
