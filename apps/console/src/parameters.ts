import { isStorableText, parseTimestamp, TIME_SENTENCE, type Fault } from '#libs/contracts';
import { ProblemError } from '#libs/platform';

/** The query of a request: names, with one value or several. */
export type Parameters = Record<string, string | string[] | undefined>;

const DEFAULT_LIMIT = 50;
const MAX_ITEMS = 1_000;

/**
 * Reads parameters one by one, and says of all that don't fit at once. A blank one is the same as an absent one, and one
 * that PostgreSQL can't take never fits.
 */
export class ParameterReader {
  private readonly faults: Fault[] = [];
  private readonly taken = new Set<string>();

  constructor(private readonly parameters: Parameters) {}

  /** All values of a parameter; `null` when there is none. */
  values(name: string): string[] | null {
    this.taken.add(name);
    const given = [this.parameters[name] ?? []].flat().filter((value) => value !== '');
    if (!given.every(isStorableText)) {
      this.faults.push({ pointer: `/${name}`, detail: 'must not hold a NUL character or half of a surrogate pair' });
      return null;
    }
    return given.length === 0 ? null : given;
  }

  /** @param detail what a value must be. @param read `null` for a value that doesn't fit. */
  each<T>(name: string, detail: string, read: (value: string) => T | null): T[] | null {
    const values = this.values(name)?.map(read);
    if (!values?.includes(null)) return (values as T[] | undefined) ?? null;
    this.faults.push({ pointer: `/${name}`, detail });
    return null;
  }

  /** The last value counts. */
  one<T>(name: string, detail: string, read: (value: string) => T | null): T | null {
    return this.each(name, detail, read)?.at(-1) ?? null;
  }

  /** Says that a parameter does not fit, for what only shows beside others. */
  refuse(name: string, detail: string): void {
    this.faults.push({ pointer: `/${name}`, detail });
  }

  members<T extends string>(name: string, allowed: readonly T[]): T[] | null {
    return this.each(name, `must be one of: ${allowed.join(', ')}`, memberOf(allowed));
  }

  /** Milliseconds since the epoch. */
  time(name: string): number | null {
    return this.one(name, TIME_SENTENCE, parseTimestamp);
  }

  /** @param read `null` for a text that is not a cursor of this list. */
  cursor<T>(read: (text: string) => T | null): T | null {
    return this.one('cursor', 'is not valid: start again without one', read);
  }

  /** Items of a page. */
  limit(): number {
    const limit = this.one('limit', `must be a whole number from 1 to ${MAX_ITEMS}`, (value) => {
      const number = /^\d{1,4}$/.test(value) ? Number(value) : 0;
      return number >= 1 && number <= MAX_ITEMS ? number : null;
    });
    return limit ?? DEFAULT_LIMIT;
  }

  /** @throws ProblemError 422 that names those that don't fit, and those that nobody took. */
  finish(): void {
    for (const name of Object.keys(this.parameters)) {
      if (this.taken.has(name)) continue;
      const known = [...this.taken].join(', ');
      this.faults.push({ pointer: `/${name}`, detail: `is not a parameter; known are: ${known}` });
    }
    if (this.faults.length === 0) return;
    const detail = this.faults.map((fault) => `${fault.pointer.slice(1)} ${fault.detail}`).join('; ');
    throw new ProblemError('invalid-body', `The parameters do not fit: ${detail}.`, { errors: this.faults });
  }
}

export const memberOf =
  <const T extends string>(allowed: readonly T[]) =>
  (value: string): T | null =>
    allowed.find((one) => one === value) ?? null;
