import type { ParsedLine } from '../log-line.js';

/** An access log format. All formats are listed in `formats.ts`. */
interface Description {
  /** Value of `--format`: lowercase with hyphens. */
  name: string;
  /** Display name, such as `Caddy, JSON`. */
  title: string;
  /** How visits can be verified. Signatures require request headers. */
  verifiedBy: 'addresses' | 'addresses and signatures';
  /** Missing data and required settings, in full sentences for users. Empty if there are none. */
  limits: string;
}

/**
 * Reads the lines of one log in order. Lines have one character per byte and no line end. `finished` is false if the
 * last line of a log has no line feed.
 */
export type LineReader = (text: string, finished: boolean) => ParsedLine;

export interface TextFormat extends Description {
  kind: 'text';
  /** Returns true if a log with this line is in this format. */
  recognizes: (text: string) => boolean;
  /** Returns a reader for one log. It remembers header lines, if the format has any. */
  open: () => LineReader;
}

export type Entry = Readonly<Record<string, unknown>>;

/** A format with JSON objects. Files have one object per line, and drains send the same objects. */
export interface JsonFormat extends Description {
  kind: 'json';
  /** Returns true if the object is in this format. If several formats match, the first in the list is used. */
  recognizes: (entry: Entry) => boolean;
  /** @param before text in front of the object, such as a syslog header or a console's time and level. */
  read: (entry: Entry, before?: string) => ParsedLine;
}

export type LogFormat = TextFormat | JsonFormat;

/** Returns the value if it's an object, or an empty object otherwise. */
export const members = (value: unknown): Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : {};
