import type { Run } from './chunker.js';
import type { LogFormat } from './formats/log-format.js';
import { hasSignature, LINE_FIELDS, type LineField } from './line-fields.js';
import type { LogLine } from './log-line.js';
import { toVisit, type LogVisit } from './log-visit.js';
import { decodeBytes } from './quoted-field.js';
import { UserAgentCounts } from './user-agent-counts.js';

/** Maximum number of unreadable lines and rejections to store for display. All are counted. */
const KEPT = 20;
const EXAMPLES = 3;
/** Length of the intervals in which visits are counted. */
const QUARTER_MS = 900_000;

export interface UnreadableLine {
  name: string;
  /** 1-based. */
  number: number;
  /** May quote the line. */
  reason: string;
  text: string;
}

/** Visits that weren't recorded. */
export interface Refusal {
  visits: number;
  reason: string;
  /** 1-based line numbers, or null if it's unknown which lines were rejected. */
  lines: { name: string; first: number; last: number } | null;
}

/** Result of an import, updated while it runs. */
export class ImportSummary {
  read = 0;
  blank = 0;
  readable = 0;
  sent = 0;
  /** Visits recorded by an earlier or interrupted import, and copies of lines in other logs of this run. */
  repeated = 0;
  refused = 0;
  unreadable = 0;
  /** Number of lines left out, by reason. */
  readonly leftOut = new Map<string, number>();
  readonly unreadableLines: UnreadableLine[] = [];
  readonly refusals: Refusal[] = [];
  /** Logs that couldn't be read to the end. */
  readonly failures: string[] = [];
  /** The first visits, as sent to the instance. */
  readonly examples: LogVisit[] = [];
  /** Number of readable lines by format. If a log mixes Apache formats, the first one counts for all of them. */
  readonly formats = new Map<LogFormat, number>();
  /** Fields that no readable line has. */
  readonly missing = new Set(Object.keys(LINE_FIELDS) as LineField[]);
  /** Lines without a user agent. Either the request had none, or its field wasn't found. */
  withoutUserAgent = 0;
  /** Lines with a Web Bot Auth signature. */
  signed = 0;
  readonly userAgents = new UserAgentCounts();
  /** Lines and bytes of finished runs. */
  readonly done = { lines: 0, bytes: 0 };
  /** Times of the earliest and latest readable lines, in milliseconds since the epoch. */
  private readonly times = { first: Infinity, last: -Infinity };

  addBlank(): void {
    this.read += 1;
    this.blank += 1;
  }

  /** @param text one character per byte. */
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

  /** @param format null if unknown. */
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

  /** Counts lines that another log of the same run contains. */
  addRepeated(lines: number): void {
    this.repeated += lines;
  }

  addDone({ lines, bytes = 0 }: Run): void {
    this.done.lines += lines.length;
    this.done.bytes += bytes;
  }

  /** Counts the rejected visits in a batch, without line numbers. */
  addRefusedBatch(visits: number, reason: string): void {
    this.refused += visits;
    this.addRefusal({ visits, reason, lines: null });
  }

  addRefused(name: string, first: number, last: number, visits: number, reason: string): void {
    this.refused += visits;
    this.addRefusal({ visits, reason, lines: { name, first, last } });
  }

  /** Range of all readable lines in full 15-minute intervals. Null if there are none. */
  get range(): { from: string; to: string } | null {
    const { first, last } = this.times;
    if (first > last) return null;
    const quarter = (quarters: number): string => new Date(quarters * QUARTER_MS).toISOString();
    return { from: quarter(Math.floor(first / QUARTER_MS)), to: quarter(Math.floor(last / QUARTER_MS) + 1) };
  }

  /** True if no visits were rejected and all logs were read to the end. */
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
