import type { Run } from './chunker.js';
import type { LogFormat } from './formats/log-format.js';
import { hasSignature, LINE_FIELDS, type LineField } from './line-fields.js';
import type { LogLine } from './log-line.js';
import { toVisit, type LogVisit } from './log-visit.js';
import { decodeBytes } from './quoted-field.js';
import { UserAgentCounts } from './user-agent-counts.js';

/** Unreadable lines and refusals that are kept to be shown; all are counted. */
const KEPT = 20;
const EXAMPLES = 3;
/** What visits are counted by. */
const QUARTER_MS = 900_000;

export interface UnreadableLine {
  name: string;
  /** From 1. */
  number: number;
  /** As it was found: it may quote the line. */
  reason: string;
  text: string;
}

/** Visits that are not recorded, and why. */
export interface Refusal {
  visits: number;
  reason: string;
  /** Where they stand, from 1; null where the instance did not say which of a batch they are. */
  lines: { name: string; first: number; last: number } | null;
}

/** What an import did, counted while it runs. */
export class ImportSummary {
  read = 0;
  blank = 0;
  readable = 0;
  sent = 0;
  /** Visits that an earlier import, or the same one before it was stopped, sent. */
  repeated = 0;
  refused = 0;
  unreadable = 0;
  /** Lines that stand for nothing a visitor asked for, by the reason. */
  readonly leftOut = new Map<string, number>();
  readonly unreadableLines: UnreadableLine[] = [];
  readonly refusals: Refusal[] = [];
  /** Logs that could not be read to their end. */
  readonly failures: string[] = [];
  /** The first visits, as they are sent. */
  readonly examples: LogVisit[] = [];
  /** Lines that could be read, by their format. Of Apache's formats in one log, that of the first such line stands for all. */
  readonly formats = new Map<LogFormat, number>();
  /** What no line that could be read has. */
  readonly missing = new Set(Object.keys(LINE_FIELDS) as LineField[]);
  /** Lines that were read without a user agent, because the request had none or its field was not found. */
  withoutUserAgent = 0;
  /** Lines with a signature of Web Bot Auth. */
  signed = 0;
  readonly userAgents = new UserAgentCounts();
  /** What is recorded, refused or unreadable, of what was read. */
  readonly done = { lines: 0, bytes: 0 };
  /** Times of the earliest and the latest line that could be read, in milliseconds since the epoch. */
  private readonly times = { first: Infinity, last: -Infinity };

  addBlank(): void {
    this.read += 1;
    this.blank += 1;
  }

  /** @param text one character a byte. */
  addUnreadable(name: string, number: number, reason: string, text: string): void {
    this.read += 1;
    this.unreadable += 1;
    if (this.unreadableLines.length < KEPT) {
      this.unreadableLines.push({ name, number, reason, text: decodeBytes(text).slice(0, 500) });
    }
  }

  addLeftOut(reason: string): void {
    this.read += 1;
    this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + 1);
  }

  /** @param format that the line was read by; null where it is not known. */
  addReadable(line: LogLine, format: LogFormat | null = null): void {
    this.read += 1;
    this.readable += 1;
    if (format !== null) this.formats.set(format, (this.formats.get(format) ?? 0) + 1);
    for (const field of this.missing) if (line[field] !== undefined) this.missing.delete(field);
    if (line.userAgent === undefined) this.withoutUserAgent += 1;
    if (hasSignature(line)) this.signed += 1;
    if (this.examples.length < EXAMPLES) this.examples.push(toVisit(line));
    this.addTime(Date.parse(line.time));
  }

  addSent(
    visits: readonly { userAgent?: string }[],
    { rejected, repeated }: { rejected: number; repeated: number },
  ): void {
    this.repeated += repeated;
    this.sent += visits.length - rejected - repeated;
    this.refused += rejected;
    for (const { userAgent } of visits) this.userAgents.add(userAgent);
    if (rejected > 0) this.addRefusal({ visits: rejected, reason: 'kept as dead letters', lines: null });
  }

  /** Counts lines that another log of the same run has. */
  addRepeated(lines: number): void {
    this.repeated += lines;
  }

  addDone({ lines, bytes = 0 }: Run): void {
    this.done.lines += lines.length;
    this.done.bytes += bytes;
  }

  /** Counts the visits of a batch that came from no log with lines. */
  addRefusedBatch(visits: number, reason: string): void {
    this.refused += visits;
    this.addRefusal({ visits, reason, lines: null });
  }

  addRefused(name: string, first: number, last: number, visits: number, reason: string): void {
    this.refused += visits;
    this.addRefusal({ visits, reason, lines: { name, first, last } });
  }

  /** The quarters of an hour from the first to the last line that could be read; null without any. */
  get range(): { from: string; to: string } | null {
    const { first, last } = this.times;
    if (first > last) return null;
    const quarter = (quarters: number): string => new Date(quarters * QUARTER_MS).toISOString();
    return { from: quarter(Math.floor(first / QUARTER_MS)), to: quarter(Math.floor(last / QUARTER_MS) + 1) };
  }

  /** Whether everything that could be read is recorded. */
  get complete(): boolean {
    return this.refused === 0 && this.failures.length === 0;
  }

  private addRefusal(refusal: Refusal): void {
    if (this.refusals.length < KEPT) this.refusals.push(refusal);
  }

  private addTime(time: number): void {
    if (time < this.times.first) this.times.first = time;
    if (time > this.times.last) this.times.last = time;
  }
}
