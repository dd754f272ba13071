import { parseIpAddress, UNIX_SOCKET } from './ip-address.js';
import { toEntry } from './formats/log-format.js';
import { readTime } from './log-time.js';
import { decodeUtf8, isMissing, unescapeField } from './quoted-field.js';

export const MILLISECONDS_IN = { s: 1_000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type DurationUnit = keyof typeof MILLISECONDS_IN;

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Upper limits for Unix times in seconds, milliseconds and microseconds. Larger numbers are in nanoseconds. */
const UNIX_TIME_LIMITS = [1e11, 1e14, 1e17];
/** Durations as written by Google Cloud and Go, such as `0.018s`, `85µs` or `1h2m0.5s`. Unicode has two micro signs. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|[uµμ]s|ms|s|m|h))+$/;
const DURATION_PART = /[\d.]+|[^\d.]+/g;
const MILLISECONDS_IN_PART: Record<string, number> = {
  ...MILLISECONDS_IN,
  µs: 1e-3,
  μs: 1e-3,
  m: 60_000,
  h: 3_600_000,
};

/**
 * Converts a string or number to a string. Returns undefined for other types and missing values ({@link isMissing}).
 */
export function toText(value: unknown): string | undefined {
  // `JSON.parse` reads 1e999 as Infinity.
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' && !isMissing(value) ? value : undefined;
}

/** Converts a number or a decimal string to a number. Returns undefined for anything else. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}

/**
 * Parses a Unix time or any text that {@link readTime} accepts. Times without a time zone are in UTC.
 *
 * Unix times can be numbers or strings. Their magnitude determines the unit: seconds, milliseconds, microseconds or
 * nanoseconds.
 *
 * @returns whole milliseconds since 1970, or NaN if the value isn't a time.
 */
export function toUnixMilliseconds(value: unknown): number {
  const number = toNumber(value);
  return new Date(number === undefined ? parseTimeText(value) : unixTimeToMilliseconds(number)).getTime();
}

/**
 * Like {@link toUnixMilliseconds}, but returns the time in ISO 8601 format (UTC), or null if the value isn't a time
 * between the years 0000 and 9999.
 */
export function toIsoTime(value: unknown): string | null {
  const time = toUnixMilliseconds(value);
  if (Number.isNaN(time)) return null;
  const text = new Date(time).toISOString();
  return text.length === 24 ? text : null;
}

const parseTimeText = (value: unknown): string | number => (typeof value === 'string' && readTime(value, 'Z')) || NaN;

function unixTimeToMilliseconds(number: number): number {
  const unit = UNIX_TIME_LIMITS.findIndex((limit) => number < limit);
  if (unit === 0) return number * 1_000;
  return number / 1_000 ** ((unit === -1 ? UNIX_TIME_LIMITS.length : unit) - 1);
}

/**
 * Converts a duration to milliseconds, rounded to the microsecond.
 *
 * @param value Number in the given unit, a string that contains such a number, or a string with units such as `0.018s`.
 * @returns undefined if the value is negative or isn't a duration.
 */
export function toMilliseconds(value: unknown, unit: DurationUnit): number | undefined {
  const number = toNumber(value);
  const milliseconds = number === undefined ? parseDurationText(value) : number * MILLISECONDS_IN[unit];
  return milliseconds >= 0 && milliseconds < Infinity ? roundToMicroseconds(milliseconds) : undefined;
}

/** Rounds milliseconds to three decimals, which removes floating-point errors from unit conversions. */
export const roundToMicroseconds = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;

function parseDurationText(value: unknown): number {
  if (typeof value !== 'string' || !DURATION.test(value)) return NaN;
  const parts = value.match(DURATION_PART)!;
  let milliseconds = 0;
  for (let at = 0; at < parts.length; at += 2)
    milliseconds += Number(parts[at]) * MILLISECONDS_IN_PART[parts[at + 1]!]!;
  return milliseconds;
}

/**
 * Returns headers by lowercase name. The values of repeated headers are joined with commas.
 *
 * @param headers Object with string or string array values, or a list of `{ name, value }` objects.
 */
export function toHeaders(headers: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  const isList = Array.isArray(headers);
  const named = toEntry(headers);
  for (const key of isList ? headers : Object.keys(named)) {
    const [name, value] = isList ? namedValue(key) : [key as string, named[key as string]];
    const text = Array.isArray(value) ? value.filter((each) => typeof each === 'string').join(', ') : value;
    if (name === '' || typeof text !== 'string' || (text === '' && Array.isArray(value))) continue;
    const lower = name.toLowerCase();
    const before = Object.hasOwn(found, lower) ? found[lower] : undefined;
    found[lower] = before === undefined ? text : `${before}, ${text}`;
  }
  return found;
}

function namedValue(header: unknown): [string, unknown] {
  const { name, value } = toEntry(header);
  return [typeof name === 'string' ? name : '', value];
}

/** Returns a header's value, ignoring the case of keys. `name` must be lowercase. */
export function getHeader(headers: unknown, name: string): string | undefined {
  const named = toEntry(headers);
  for (const key of Object.keys(named)) {
    if (key.length === name.length && key.toLowerCase() === name) return [named[key]].flat().join(', ');
  }
  return undefined;
}

/** Strips the port from an IP address. Returns `unix:` unchanged, and undefined for anything else. */
export function toAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value === UNIX_SOCKET ? value : (parseIpAddress(value) ?? undefined);
}

/** Decodes percent-encoding as UTF-8, or as Latin-1 if it isn't valid UTF-8. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(/(?:%[\dA-Fa-f]{2})+/g, (escapes) =>
    decodeUtf8(unescapeField(escapes.replaceAll('%', '\\x'))),
  );
}
