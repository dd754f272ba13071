import { ipAddressIn, UNIX_SOCKET } from './ip-address.js';
import { members } from './formats/log-format.js';
import { readTime } from './log-time.js';
import { decodeBytes, isMissing, unescapeField } from './quoted-field.js';

/** Milliseconds in each unit of durations. */
export const MILLISECONDS_IN = { s: 1_000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type DurationUnit = keyof typeof MILLISECONDS_IN;

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Times since 1970 by their unit: what is below the first is one of seconds, then milliseconds, then microseconds. */
const LARGEST = [1e11, 1e14, 1e17];
/** As Google and Go write durations: `0.018s`, `85µs`, `1h2m0.5s`. The micro sign has two code points. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|[uµμ]s|ms|s|m|h))+$/;
/** Numbers and their units. */
const DURATION_PART = /[\d.]+|[^\d.]+/g;
const MILLISECONDS_IN_PART: Record<string, number> = {
  ...MILLISECONDS_IN,
  µs: 1e-3,
  μs: 1e-3,
  m: 60_000,
  h: 3_600_000,
};

/** A text, or a number as one; undefined where a log says nothing: see {@link isMissing}. */
export function textOf(value: unknown): string | undefined {
  // JSON may hold 1e999.
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' && !isMissing(value) ? value : undefined;
}

/** A number, also one that is written as text; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}

/**
 * Reads a time: seconds, milliseconds, microseconds or nanoseconds since 1970 by their size, also as text; or a text as
 * {@link readTime} takes it, which is UTC unless it names a zone.
 *
 * @returns ISO 8601 in UTC; null for what is not a time of the years 0000 to 9999.
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
 * Returns a duration in milliseconds, to the microsecond.
 *
 * @param value in the unit, also as text; or a text that says its units, such as `0.018s`.
 * @returns undefined for what is not a duration, or negative.
 */
export function millisecondsOf(value: unknown, unit: DurationUnit): number | undefined {
  const number = numberOf(value);
  const milliseconds = number === undefined ? durationOfText(value) : number * MILLISECONDS_IN[unit];
  return milliseconds >= 0 && milliseconds < Infinity ? inMicroseconds(milliseconds) : undefined;
}

/** Milliseconds to three decimals, so that units that are computed leave no traces. */
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
 * Returns headers by their names in lower case, each with its values in one.
 *
 * @param headers an object of texts or of arrays of them, or a list of `{ name, value }`.
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

/** Returns the value of one header, as {@link headersOf} does; the name is in lower case. */
export function headerOf(headers: unknown, name: string): string | undefined {
  const named = members(headers);
  for (const key of Object.keys(named)) {
    if (key.length === name.length && key.toLowerCase() === name) return [named[key]].flat().join(', ');
  }
  return undefined;
}

/** An IP address without its port, or `unix:`; undefined for anything else. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value === UNIX_SOCKET ? value : (ipAddressIn(value) ?? undefined);
}

/** Undoes percent-encoding; anything else stays as it is. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(/(?:%[\dA-Fa-f]{2})+/g, (escapes) =>
    decodeBytes(unescapeField(escapes.replaceAll('%', '\\x'))),
  );
}
