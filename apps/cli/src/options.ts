import { InvalidArgumentError, Option } from 'commander';
import { parseTimestamp } from '#libs/contracts';

/** Parser of a whole number within bounds. */
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

/** Parses `90`, `90s`, `5m` or `1h`. @returns milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text.trim());
  if (match === null) throw new InvalidArgumentError('It must be a time such as 90s, 5m or 1h.');
  return Number(match[1]) * UNITS[match[2]!]!;
}

export const projectOption = (what = 'the project'): Option =>
  new Option('-p, --project <name|id>', `${what}; not needed when there is only one`);

export const jsonOption = (): Option => new Option('--json', 'print JSON');

/** Collects an option that may be given several times. */
export const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** As {@link collect}, of some values only. */
export function oneOf(allowed: readonly string[]): typeof collect {
  return (value, all) => {
    if (!allowed.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${allowed.join(', ')}.`);
    return collect(value, all);
  };
}

/** Checks a date or date-time. @returns it as it is. */
export function parseTime(text: string): string {
  if (parseTimestamp(text) === null) throw new InvalidArgumentError('It must be an ISO 8601 date or date-time.');
  return text;
}
