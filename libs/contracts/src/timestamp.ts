const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/;

/**
 * Times that everything here can hold, in milliseconds since the epoch: the years 0001 to 9999. PostgreSQL reads no
 * year 0, and ISO 8601 has four digits for a year.
 */
export const MIN_TIME = Date.parse('0001-01-01T00:00:00.000Z');
export const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** What a time must be, for people. */
export const TIME_SENTENCE = 'must be an ISO 8601 date or date-time of the years 0001 to 9999';

/**
 * Reads an ISO 8601 date, or date-time with `T` or a space, any fraction of a second and an optional
 * offset (none means UTC). Stricter than `Date.parse`: 2026-02-30 and 25:00 are refused.
 *
 * @returns milliseconds since the epoch, from {@link MIN_TIME} to {@link MAX_TIME}; null when the text is not such a time.
 */
export function parseTimestamp(text: string): number | null {
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
