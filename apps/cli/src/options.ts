import { InvalidArgumentError, Option } from 'commander';
import { parseTimestamp } from '#libs/contracts';

/** Returns a parser for integers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number between ${least} and ${most}.`);
    }
    return value;
  };
}

const UNITS: Record<string, number> = { ms: 1, '': 1_000, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses `90`, `90s`, `5m` or `1h` to milliseconds. Default unit: seconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text.trim());
  if (match === null) throw new InvalidArgumentError('It must be a time such as 90s, 5m or 1h.');
  return Number(match[1]) * UNITS[match[2]!]!;
}

export const projectOption = (what = 'the project'): Option =>
  new Option('-p, --project <name|id>', `${what}; not needed when there is only one`);

export const jsonOption = (): Option => new Option('--json', 'print JSON');

/** Collects the values of a repeatable option. */
export const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** Like {@link collect}, but only accepts the given values. */
export function oneOf(allowed: readonly string[]): typeof collect {
  return (value, all) => {
    if (!allowed.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${allowed.join(', ')}.`);
    return collect(value, all);
  };
}

/** Parses `127.0.0.1:514`, `[::1]:514` or `514` (localhost only). */
export function parseAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]:|([^:[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError('It must be an address and a port, such as 127.0.0.1:5514.');
  }
  return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) };
}

/** Validates a date or date-time and returns it unchanged. */
export function parseTime(text: string): string {
  if (parseTimestamp(text) === null) throw new InvalidArgumentError('It must be an ISO 8601 date or date-time.');
  return text;
}

/** Parses a future date or date-time, or a number of days from now: `2027-01-01`, `90d`. Returns ISO 8601. */
export function parseExpiry(text: string, _previous?: unknown, now = Date.now()): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const time = days === undefined ? parseTimestamp(text) : now + Number(days) * DAY_MS;
  if (time !== null && time > now) return new Date(time).toISOString();
  throw new InvalidArgumentError('It must be a date in the future or a number of days: 2027-01-01 or 90d.');
}

const DAY_MS = 86_400_000;

/**
 * Parses a date, a date-time or a time span before now: `2026-11-21`, `2h`, `7d`. Returns milliseconds since the epoch.
 */
export function parseSince(text: string, _previous?: unknown, now = Date.now()): number {
  const time = parseTimestamp(text);
  if (time !== null) return time;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return now - Number(days) * DAY_MS;
  try {
    return now - parseDuration(text);
  } catch {
    throw new InvalidArgumentError('It must be a date, a date-time, or how long ago: 2026-11-21, 90m, 2h or 7d.');
  }
}
