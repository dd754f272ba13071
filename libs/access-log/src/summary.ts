import type { Run } from './chunker.js';
import type { LogFormat } from './formats/log-format.js';
import { hasSignature, LINE_FIELDS, type LineField } from './line-fields.js';
import type { LogLine } from './log-line.js';
import { toVisit, type LogVisit } from './log-visit.js';
import { decodeUtf8 } from './quoted-field.js';
import { UserAgentCounts } from './user-agent-counts.js';

/** Maximum number of unreadable lines, and of rejections, to store for display. All of them are counted. */
const MAX_STORED = 20;
const MAX_EXAMPLES = 3;
/** Length of the intervals in which the console counts visits. */
const QUARTER_MS = 900_000;

export interface UnreadableLine {
  name: string;
  /** 1-based line number. */
  number: number;
  /** Reason why the line can't be parsed. It may quote parts of the line. */
  reason: string;
  text: string;
}

/** Visits that weren't recorded. */
export interface Rejection {
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
  /** Number of visits recorded by an earlier import, plus lines copied from other logs in this run. */
  repeated = 0;
  rejected = 0;
  unreadable = 0;
  /** Number of skipped lines, by reason. */
  readonly leftOut = new Map<string, number>();
  readonly unreadableLines: UnreadableLine[] = [];
  readonly rejections: Rejection[] = [];
  /** Logs that couldn't be read to the end. */
  readonly failures: string[] = [];
  /** The first few visits, as sent to the instance. */
  readonly examples: LogVisit[] = [];
  /** Number of readable lines by format. If a log mixes Apache formats, all of them count as the first one. */
  readonly formats = new Map<LogFormat, number>();
  /** Fields that no readable line contains. */
  readonly missing = new Set(Object.keys(LINE_FIELDS) as LineField[]);
  /** Number of lines without a user agent. Either the request had none, or the field wasn't recognized. */
  withoutUserAgent = 0;
  /** Number of lines with a Web Bot Auth signature. */
  signed = 0;
  readonly userAgents = new UserAgentCounts();
  /** Number of lines and bytes in finished runs. */
  readonly done = { lines: 0, bytes: 0 };
  /** Times of the earliest and latest readable lines, in milliseconds since the epoch. */
  private readonly times = { first: Infinity, last: -Infinity };

  addBlank(): void {
    this.read += 1;
    this.blank += 1;
  }

  /** @param text Latin-1 string (one character per byte). */
  addUnreadable(name: string, number: number, reason: string, text: string): void {
    this.read += 1;
    this.unreadable += 1;
    if (this.unreadableLines.length < MAX_STORED) {
      this.unreadableLines.push({ name, number, reason, text: decodeUtf8(text).slice(0, 500) });
    }
  }

  addLeftOut(reason: string): void {
    this.read += 1;
    this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + 1);
  }

  addReadable(line: LogLine, format: LogFormat | null = null): void {
    this.read += 1;
    this.readable += 1;
    if (format !== null) this.formats.set(format, (this.formats.get(format) ?? 0) + 1);
    for (const field of this.missing) if (line[field] !== undefined) this.missing.delete(field);
    if (line.userAgent === undefined) this.withoutUserAgent += 1;
    if (hasSignature(line)) this.signed += 1;
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(toVisit(line));
    this.addTime(Date.parse(line.time));
  }

  addSent(
    visits: readonly { userAgent?: string }[],
    { rejected, repeated }: { rejected: number; repeated: number },
  ): void {
    this.repeated += repeated;
    this.sent += visits.length - rejected - repeated;
    this.rejected += rejected;
    for (const { userAgent } of visits) this.userAgents.add(userAgent);
    if (rejected > 0) this.addRejection({ visits: rejected, reason: 'stored as dead letters', lines: null });
  }

  /** Counts lines that another log in the same run also contains. */
  addRepeated(lines: number): void {
    this.repeated += lines;
  }

  addDone({ lines, bytes = 0 }: Run): void {
    this.done.lines += lines.length;
    this.done.bytes += bytes;
  }

  /** Counts rejected visits whose line numbers are unknown. */
  addRejectedBatch(visits: number, reason: string): void {
    this.rejected += visits;
    this.addRejection({ visits, reason, lines: null });
  }

  addRejected(name: string, first: number, last: number, visits: number, reason: string): void {
    this.rejected += visits;
    this.addRejection({ visits, reason, lines: { name, first, last } });
  }

  /** Time range of all readable lines, extended to full 15-minute intervals. Null if there are no readable lines. */
  get range(): { from: string; to: string } | null {
    const { first, last } = this.times;
    if (first > last) return null;
    const quarter = (quarters: number): string => new Date(quarters * QUARTER_MS).toISOString();
    return { from: quarter(Math.floor(first / QUARTER_MS)), to: quarter(Math.floor(last / QUARTER_MS) + 1) };
  }

  /** True if no visits were rejected and all logs were read to the end. */
  get complete(): boolean {
    return this.rejected === 0 && this.failures.length === 0;
  }

  private addRejection(refusal: Rejection): void {
    if (this.rejections.length < MAX_STORED) this.rejections.push(refusal);
  }

  private addTime(time: number): void {
    if (time < this.times.first) this.times.first = time;
    if (time > this.times.last) this.times.last = time;
  }
}
