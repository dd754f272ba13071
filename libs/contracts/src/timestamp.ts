const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/;

/**
 * Earliest and latest supported times, in milliseconds since the epoch. PostgreSQL doesn't accept year 0, and years in
 * ISO 8601 have four digits.
 */
export const MIN_TIME = Date.parse('0001-01-01T00:00:00.000Z');
export const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Problem detail for an invalid time. */
export const TIME_FAULT = 'must be an ISO 8601 date or date-time of the years 0001 to 9999';

/**
 * Parses an ISO 8601 date, or a date-time with `T` or a space, any fraction of a second and an optional offset (default:
 * UTC). Unlike `Date.parse`, rejects invalid dates and times such as 2026-02-30 and 25:00.
 *
 * @returns Milliseconds since the epoch, from {@link MIN_TIME} to {@link MAX_TIME}, or null if the text is invalid.
 */
export function parseTimestamp(text: string): number | null {
  return parseCommonFormat(text) ?? parseAnyFormat(text);
}

/** Days per month, starting at index 1. The fast path doesn't support leap days. */
const DAYS_PER_MONTH = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Fast path for `2026-11-21T08:30:00Z`, optionally with milliseconds or an offset such as `+02:00`. Returns null for other formats. */
function parseCommonFormat(text: string): number | null {
  const { length } = text;
  const end = length === 25 || length === 29 ? length - 6 : length - 1;
  if ((end !== 19 && end !== 23) || (end === 23 && text[19] !== '.') || text[10] !== 'T') return null;
  if (text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return null;
  const offset = parseOffset(text, end);
  const year = parseDigits(text, 0, 4);
  const month = parseDigits(text, 5, 7);
  const day = parseDigits(text, 8, 10);
  const hour = parseDigits(text, 11, 13);
  const minute = parseDigits(text, 14, 16);
  const second = parseDigits(text, 17, 19);
  const millisecond = end === 23 ? parseDigits(text, 20, 23) : 0;
  // Date.UTC maps years below 100 to the 20th century.
  if (!(year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= DAYS_PER_MONTH[month]!)) return null;
  if (!(hour <= 23 && minute <= 59 && second <= 59 && millisecond >= 0)) return null;
  const time = Date.UTC(year, month - 1, day, hour, minute, second, millisecond) - offset * 60_000;
  return time <= MAX_TIME ? time : null;
}

/** Parses the offset at the end of a text, such as `Z` or `+02:00`, to minutes. Returns NaN for anything else. */
function parseOffset(text: string, from: number): number {
  const sign = text[from];
  if (sign === 'Z') return from === text.length - 1 ? 0 : Number.NaN;
  if ((sign !== '+' && sign !== '-') || text[from + 3] !== ':') return Number.NaN;
  const hours = parseDigits(text, from + 1, from + 3);
  const minutes = parseDigits(text, from + 4, from + 6);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return sign === '-' ? -hours * 60 - minutes : hours * 60 + minutes;
}

/** Parses a range of digits in a text. Returns NaN if it contains anything else. */
function parseDigits(text: string, from: number, to: number): number {
  let number = 0;
  for (let index = from; index < to; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function parseAnyFormat(text: string): number | null {
  const match = TIMESTAMP.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const shift = offsetInMinutes(offset);
  if (shift === null) return null;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  date.setUTCHours(Number(hour), Number(minute) - shift, Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  const time = date.getTime();
  return time < MIN_TIME || time > MAX_TIME ? null : time;
}

function offsetInMinutes(offset: string): number | null {
  if (offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
