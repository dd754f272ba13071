import type { Range } from './range.js';
import { addDays, toDay } from './zoned-day.js';
import { fromInput, toInput } from './zoned-input.js';

const DAY_MS = 86_400_000;
const MIDNIGHT = '00:00';

/** Range in terms of days and optional times in a time zone. */
export interface DaySpan {
  first: string;
  last: string;
  /** False for whole days. */
  hasTimes: boolean;
  /** Time on the first day, such as "18:30". */
  start: string;
  /** Time on the last day. Midnight means the end of that day. */
  end: string;
}

/**
 * Splits a range into days and times. A range of at least a day that ends now has no times, because people who select
 * days in place of it expect whole days.
 */
export function toDays({ from, to }: Range, timeZone: string, now: number): DaySpan {
  const [start, end] = [from, to].map((time) => toInput(time, timeZone).slice(11)) as [string, string];
  const isWhole = start === MIDNIGHT && end === MIDNIGHT;
  const isUntilNow = Date.parse(to) >= now && Date.parse(to) - Date.parse(from) >= DAY_MS;
  const hasTimes = !isWhole && !isUntilNow;
  const last = toDay(new Date(Math.min(Date.parse(to), now + 1) - 1).toISOString(), timeZone);
  return {
    first: toDay(from, timeZone),
    last,
    hasTimes,
    ...(hasTimes ? { start, end } : { start: MIDNIGHT, end: MIDNIGHT }),
  };
}

/** Returns the range of days and times in a time zone. Missing times mean midnight. */
export function fromDays({ first, last, hasTimes, start, end }: DaySpan, timeZone: string): Range {
  const [startTime, endTime] = hasTimes ? [start || MIDNIGHT, end || MIDNIGHT] : [MIDNIGHT, MIDNIGHT];
  const endDay = endTime === MIDNIGHT ? addDays(last, 1) : last;
  return { from: fromInput(`${first}T${startTime}`, timeZone)!, to: fromInput(`${endDay}T${endTime}`, timeZone)! };
}
