import { isoDate } from './line-parser.js';

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, told by their digits: those of 2001 to 2286. */
const SINCE_1970 = /^(\d{10})(?:\.?(\d{3})\d{0,6})?$/;
const APACHE = /^\[?(\d\d\/[A-Z][a-z]{2}\/\d{4})[: ]([\d:.]+)(?: ([+-]\d\d:?\d\d))?\]?$/;
const ISO = /^(\d{4})[-/](\d\d)[-/](\d\d)[T ]([\d:.,]+)(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?$/;
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:[.,](\d{1,9}))?$/;
const ZONE = /^([+-](?:[01]\d|2[0-3])):?([0-5]\d)?$/;

/**
 * Reads a time as servers write it: `17/May/2015:10:05:03 +0200` with or without a fraction, ISO 8601 (also with
 * slashes or a space), or seconds (or milliseconds, microseconds, nanoseconds) since 1970.
 *
 * @param zone of a time that says none. Absent: the local time of the machine that reads, by its `TZ` or the browser's zone.
 * @returns ISO 8601 with the time's own offset; null when it is not a time.
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
  // A leap second is taken as the one before it, as the service's clock has none.
  const time = `${day}T${hours}:${minutes}:${seconds === '60' ? '59' : seconds}`;
  const exact = fraction === undefined ? time : `${time}.${fraction}`;
  if (zone === undefined) return new Date(exact).toISOString();
  if (zone === 'Z' || zone === 'UTC') return `${exact}Z`;
  const offset = ZONE.exec(zone);
  return offset && `${exact}${offset[1]}:${offset[2] ?? '00'}`;
}

/** The day that was asked for last: a log's lines have few. */
let known = { day: '', exists: false };

function existingDay(day: string): string | null {
  if (known.day !== day) {
    const date = new Date(`${day}T00:00:00Z`);
    known = { day, exists: !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) };
  }
  return known.exists ? day : null;
}
