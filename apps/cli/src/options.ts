import { InvalidArgumentError, Option } from 'commander';
import { parseTimestamp } from '#libs/contracts';

/** Returns a parser for integers within a range, including its bounds. */
export function integerParser(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    }
    return value;
  };
}

const UNITS: Record<string, number> = { ms: 1, '': 1_000, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses a duration such as `250ms`, `90s`, `5m` or `1h` to milliseconds. The default unit is seconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text.trim());
  if (match === null) throw new InvalidArgumentError('It must be a duration such as 90s, 5m or 1h.');
  return Number(match[1]) * UNITS[match[2]!]!;
}

export const projectOption = (what = 'project name or ID'): Option =>
  new Option('-p, --project <name|id>', `${what} (default: the only project)`);

export const jsonOption = (): Option => new Option('--json', 'print JSON');

/** Collects the values of a repeatable option. */
export const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** Returns a parser like {@link collect} that rejects values not in `allowed`. */
export function oneOf(allowed: readonly string[]): typeof collect {
  return (value, all) => {
    if (!allowed.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${allowed.join(', ')}.`);
    return collect(value, all);
  };
}

/** Parses an address to listen on: `127.0.0.1:514`, `[::1]:514`, or `514` for 127.0.0.1. */
export function parseAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]:|([^:[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError('It must be an address and port such as 127.0.0.1:5514.');
  }
  return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) };
}

/** Parses the same times as {@link parseSince}. Returns ISO 8601, and dates and date-times unchanged. */
export function parseTime(text: string, _previous?: unknown, now = Date.now()): string {
  return parseTimestamp(text) === null ? new Date(parseSince(text, undefined, now)).toISOString() : text;
}

/** Describes the values of {@link parseSince} and {@link parseTime} in help texts. */
export const TIME_VALUES = 'a date, a date-time, or how long ago, such as 2h or 7d';

/** Parses a date or date-time in the future, or a number of days from now such as `90d`. Returns an ISO 8601 time. */
export function parseExpiry(text: string, _previous?: unknown, now = Date.now()): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const time = days === undefined ? parseTimestamp(text) : now + Number(days) * DAY_MS;
  if (time !== null && time > now) return new Date(time).toISOString();
  throw new InvalidArgumentError('It must be a future date or a number of days from now, such as 2027-01-01 or 90d.');
}

const DAY_MS = 86_400_000;

/**
 * Parses a date, a date-time or a time span before now such as `2h` or `7d`. Returns milliseconds since the Unix epoch.
 */
export function parseSince(text: string, _previous?: unknown, now = Date.now()): number {
  const time = parseTimestamp(text);
  if (time !== null) return time;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return now - Number(days) * DAY_MS;
  try {
    return now - parseDuration(text);
  } catch {
    throw new InvalidArgumentError(
      'It must be a date, a date-time, or a time span before now, such as 2026-11-21, 90m, 2h or 7d.',
    );
  }
}
