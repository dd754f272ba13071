import { isoDate } from './line-parser.js';

/** Unix times from 2001 to 2286. The number of digits determines the unit, from seconds to nanoseconds. */
const SINCE_1970 = /^(\d{10})(?:\.?(\d{3})\d{0,6})?$/;
const APACHE = /^\[?(\d\d\/[A-Z][a-z]{2}\/\d{4})[: ]([\d:.]+)(?: ([+-]\d\d:?\d\d))?\]?$/;
const ISO = /^(\d{4})[-/](\d\d)[-/](\d\d)[T ]([\d:.,]+)(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?$/;
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:[.,](\d{1,9}))?$/;
const ZONE = /^([+-](?:[01]\d|2[0-3])):?([0-5]\d)?$/;

/**
 * Parses a time as written by servers:
 * - `17/May/2015:10:05:03 +0200`, with or without a fraction
 * - ISO 8601, also with slashes or a space
 * - Unix time in seconds, milliseconds, microseconds or nanoseconds
 *
 * @param zone zone of times without one. Default: local time, as set by `TZ` or the browser.
 * @returns ISO 8601 with the UTC offset from the text, if it has one. Null if the text isn't a time.
 */
export function readTime(text: string, zone?: 'Z'): string | null {
  const since = SINCE_1970.exec(text);
  if (since !== null) return new Date(Number(since[1]) * 1_000 + Number(since[2] ?? 0)).toISOString();
  const apache = APACHE.exec(text);
  if (apache !== null) return joinedTime(isoDate(apache[1]!), apache[2]!, apache[3] ?? zone);
  const iso = ISO.exec(text);
  return iso === null ? null : joinedTime(existingDay(`${iso[1]}-${iso[2]}-${iso[3]}`), iso[4]!, iso[5] ?? zone);
}

function joinedTime(day: string | null, clock: string, zone: string | undefined): string | null {
  const found = CLOCK.exec(clock);
  if (day === null || found === null) return null;
  const [, hours, minutes, seconds, fraction] = found;
  // A leap second becomes the second before it, because JavaScript dates don't support leap seconds.
  const time = `${day}T${hours}:${minutes}:${seconds === '60' ? '59' : seconds}`;
  const exact = fraction === undefined ? time : `${time}.${fraction}`;
  if (zone === undefined) return new Date(exact).toISOString();
  if (zone === 'Z' || zone === 'UTC') return `${exact}Z`;
  const offset = ZONE.exec(zone);
  return offset && `${exact}${offset[1]}:${offset[2] ?? '00'}`;
}

/** Result of the last call. Most lines have the same day as the line before. */
let known = { day: '', exists: false };

function existingDay(day: string): string | null {
  if (known.day !== day) {
    const date = new Date(`${day}T00:00:00Z`);
    known = { day, exists: !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) };
  }
  return known.exists ? day : null;
}
