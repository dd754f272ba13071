import type { ParsedLine } from '../log-line.js';

/** Properties that all access log formats share. `formats.ts` lists the formats. */
interface FormatDescription {
  /** Value for `--format`, in kebab case. */
  name: string;
  /** Display name, such as `Caddy, JSON`. */
  title: string;
  /** How agents in visits can be verified. Signatures can only be verified if the log contains their headers. */
  verifiedBy: 'addresses' | 'addresses and signatures';
  /** User-facing sentences about missing data and required settings. Empty if there are none. */
  limits: string;
}

/**
 * Reads the lines of a single log in order. Lines are Latin-1 strings (one character per byte) without a line ending.
 * `finished` is false for a last line that doesn't end in a line feed.
 */
export type LineReader = (text: string, finished: boolean) => ParsedLine;

export interface TextFormat extends FormatDescription {
  kind: 'text';
  /** Returns true if the line shows that the log is in this format. */
  recognizes: (text: string) => boolean;
  /** Returns a reader for a single log. It applies header lines to the lines that follow. */
  open: () => LineReader;
}

export type Entry = Readonly<Record<string, unknown>>;

/** Format that consists of JSON objects. Files contain one object per line, and drains send the same objects. */
export interface JsonFormat extends FormatDescription {
  kind: 'json';
  /** Returns true if the object is in this format. If several formats match, the first one in the list is used. */
  recognizes: (entry: Entry) => boolean;
  /** @param before Text in front of the object, such as a syslog header, or the time and level in console output. */
  read: (entry: Entry, before?: string) => ParsedLine;
}

export type LogFormat = TextFormat | JsonFormat;

/** Returns the value if it's an object, or an empty object otherwise. */
export const toEntry = (value: unknown): Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : {};
