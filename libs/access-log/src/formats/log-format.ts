import type { ParsedLine } from '../log-line.js';

/** A format of access logs. One file holds each of them, and `formats.ts` lists it. */
interface Description {
  /** What `--format` takes: lower case, with hyphens. */
  name: string;
  /** For people: `Caddy, JSON`. */
  title: string;
  /** What its visits can be verified by. All have an address; a signature takes the headers. */
  verifiedBy: 'addresses' | 'addresses and signatures';
  /** What it can't tell, or what has to be set for it, in whole sentences for people; empty where nothing is missing. */
  limits: string;
}

/** Reads the lines of one log in their order: one character a byte, without their ends. */
export type LineReader = (text: string, finished: boolean) => ParsedLine;

/** A format whose lines are text of its own. */
export interface TextFormat extends Description {
  kind: 'text';
  /** Whether a log with this line is of the format. */
  recognizes: (text: string) => boolean;
  /** A reader for one log, which remembers the log's header lines where the format has them. */
  open: () => LineReader;
}

/** Members of a JSON object. */
export type Entry = Readonly<Record<string, unknown>>;

/** A format whose lines are JSON objects. Drains send the same objects. */
export interface JsonFormat extends Description {
  kind: 'json';
  /** Whether the object is of the format; where two formats say so, the first of the list is taken. */
  recognizes: (entry: Entry) => boolean;
  /** @param before what stands in front of the object on its line: syslog's header, a console's time and level. */
  read: (entry: Entry, before?: string) => ParsedLine;
}

export type LogFormat = TextFormat | JsonFormat;

/** The members of an object; none of anything else. */
export const members = (value: unknown): Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : {};
