import { ipAddressIn, UNIX_SOCKET } from './ip-address.js';
import { members } from './formats/log-format.js';
import { readTime } from './log-time.js';
import { decodeBytes, isMissing, unescapeField } from './quoted-field.js';

export const MILLISECONDS_IN = { s: 1_000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type DurationUnit = keyof typeof MILLISECONDS_IN;

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Upper limits for Unix times in seconds, milliseconds and microseconds. Larger numbers are nanoseconds. */
const LARGEST = [1e11, 1e14, 1e17];
/** Durations as written by Google Cloud and Go: `0.018s`, `85µs`, `1h2m0.5s`. Unicode has two micro signs. */
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
 * Returns a string, or a number as a string. Returns undefined for other types and missing values ({@link isMissing}).
 */
export function textOf(value: unknown): string | undefined {
  // `JSON.parse` reads 1e999 as Infinity.
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' && !isMissing(value) ? value : undefined;
}

/** Returns a number, or the number in a string. Returns undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}

/**
 * Parses a Unix time or text that {@link readTime} accepts. Times without a zone are UTC.
 *
 * Unix times can be numbers or strings. Their size determines the unit: seconds, milliseconds, microseconds or
 * nanoseconds.
 *
 * @returns ISO 8601 in UTC, or null if the value isn't a time from year 0000 to 9999.
 */
export function isoTime(value: unknown): string | null {
  const number = numberOf(value);
  const date = new Date(number === undefined ? timeOfText(value) : sinceEpoch(number));
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  return text.length === 24 ? text : null;
}

const timeOfText = (value: unknown): string | number => (typeof value === 'string' && readTime(value, 'Z')) || NaN;

function sinceEpoch(number: number): number {
  const unit = LARGEST.findIndex((limit) => number < limit);
  if (unit === 0) return number * 1_000;
  return number / 1_000 ** ((unit === -1 ? LARGEST.length : unit) - 1);
}

/**
 * Returns a duration in milliseconds, rounded to the microsecond.
 *
 * @param value number in the given unit, also as a string, or a string with units such as `0.018s`.
 * @returns undefined if the value is negative or not a duration.
 */
export function millisecondsOf(value: unknown, unit: DurationUnit): number | undefined {
  const number = numberOf(value);
  const milliseconds = number === undefined ? durationOfText(value) : number * MILLISECONDS_IN[unit];
  return milliseconds >= 0 && milliseconds < Infinity ? inMicroseconds(milliseconds) : undefined;
}

/** Rounds to three decimals, to remove floating-point errors of unit conversions. */
export const inMicroseconds = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;

function durationOfText(value: unknown): number {
  if (typeof value !== 'string' || !DURATION.test(value)) return NaN;
  const parts = value.match(DURATION_PART)!;
  let milliseconds = 0;
  for (let at = 0; at < parts.length; at += 2)
    milliseconds += Number(parts[at]) * MILLISECONDS_IN_PART[parts[at + 1]!]!;
  return milliseconds;
}

/**
 * Returns headers by lowercase name. Values of a repeated header are joined with commas.
 *
 * @param headers object with strings or arrays of strings, or list of `{ name, value }`.
 */
export function headersOf(headers: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  const isList = Array.isArray(headers);
  const named = members(headers);
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
  const { name, value } = members(header);
  return [typeof name === 'string' ? name : '', value];
}

/** Returns the value of one header. `name` must be lowercase. */
export function headerOf(headers: unknown, name: string): string | undefined {
  const named = members(headers);
  for (const key of Object.keys(named)) {
    if (key.length === name.length && key.toLowerCase() === name) return [named[key]].flat().join(', ');
  }
  return undefined;
}

/** Returns an IP address without its port, or `unix:`. Returns undefined for anything else. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value === UNIX_SOCKET ? value : (ipAddressIn(value) ?? undefined);
}

/** Decodes percent-encoded UTF-8. Invalid UTF-8 is decoded as Latin-1. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(/(?:%[\dA-Fa-f]{2})+/g, (escapes) =>
    decodeBytes(unescapeField(escapes.replaceAll('%', '\\x'))),
  );
}
