import { isoDate } from './line-parser.js';

/** Unix times from 2001 to 2286, in seconds to nanoseconds. The number of digits determines the unit. */
const UNIX_TIME = /^(\d{10})(?:\.?(\d{3})\d{0,6})?$/;
const APACHE = /^\[?(\d\d\/[A-Z][a-z]{2}\/\d{4})[: ]([\d:.]+)(?: ([+-]\d\d:?\d\d))?\]?$/;
const ISO = /^(\d{4})[-/](\d\d)[-/](\d\d)[T ]([\d:.,]+)(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?$/;
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:[.,](\d{1,9}))?$/;
const ZONE = /^([+-](?:[01]\d|2[0-3])):?([0-5]\d)?$/;

/**
 * Parses a time in one of the formats that servers write:
 * - `17/May/2015:10:05:03 +0200`, optionally with a fraction
 * - ISO 8601, also with slashes or a space
 * - Unix time in seconds, milliseconds, microseconds or nanoseconds
 *
 * @param zone Time zone for times that don't include one. Default: the local time zone, as set by `TZ` or the browser.
 * @returns the time in ISO 8601 format with the UTC offset from the text, if any. Null if the text isn't a time.
 */
export function readTime(text: string, zone?: 'Z'): string | null {
  const since = UNIX_TIME.exec(text);
  if (since !== null) return new Date(Number(since[1]) * 1_000 + Number(since[2] ?? 0)).toISOString();
  const apache = APACHE.exec(text);
  if (apache !== null) return joinTime(isoDate(apache[1]!), apache[2]!, apache[3] ?? zone);
  const iso = ISO.exec(text);
  return iso === null ? null : joinTime(existingDay(`${iso[1]}-${iso[2]}-${iso[3]}`), iso[4]!, iso[5] ?? zone);
}

function joinTime(day: string | null, clock: string, zone: string | undefined): string | null {
  const found = CLOCK.exec(clock);
  if (day === null || found === null) return null;
  const [, hours, minutes, seconds, fraction] = found;
  // Round leap seconds down, because JavaScript dates don't support them.
  const time = `${day}T${hours}:${minutes}:${seconds === '60' ? '59' : seconds}`;
  const exact = fraction === undefined ? time : `${time}.${fraction}`;
  if (zone === undefined) return new Date(exact).toISOString();
  if (zone === 'Z' || zone === 'UTC') return `${exact}Z`;
  const offset = ZONE.exec(zone);
  return offset && `${exact}${offset[1]}:${offset[2] ?? '00'}`;
}

/** Result of the last call. Consecutive lines usually have the same day. */
let lastDay = { day: '', exists: false };

function existingDay(day: string): string | null {
  if (lastDay.day !== day) {
    const date = new Date(`${day}T00:00:00Z`);
    lastDay = { day, exists: !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) };
  }
  return lastDay.exists ? day : null;
}
