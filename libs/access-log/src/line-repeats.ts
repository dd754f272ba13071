import type { LogLine } from './log-line.js';

/** Minimum number of different, recent lines to search for equal ones. */
const WINDOW_LINES = 8_192;
/** Maximum number of lines to remember for comparing the logs of a run. */
const MAX_SHARED_LINES = 500_000;
const MAX_LOGS = 2 ** 20;

/** A log line as sent to the instance. */
export interface VisitLine {
  line: LogLine;
  /** 1-based line number in the log. */
  number: number;
  /** The visit as JSON. */
  json: string;
  /** Number of equal lines before this one. */
  repeats: number;
}

export class RunLines {
  /** By hash of the line: number of occurrences × {@link MAX_LOGS} + number of the log with the last occurrence. */
  readonly shared = new Map<number, number>();
  private logs = 0;

  /** @param areSeveral true if the run imports several logs, so copies must be detected. */
  constructor(private readonly areSeveral: boolean) {}

  startLog(): LogLines {
    this.logs += 1;
    return new LogLines(this.areSeveral ? this.shared : null, this.logs % MAX_LOGS);
  }
}

/**
 * Counts equal lines in a log. Such lines are separate requests of a client within the log's time resolution.
 *
 * Instances identify a line by its content and this count, no matter which log contains it.
 */
export class LogLines {
  private recent = new Map<string, number>();
  private older = new Map<string, number>();
  private isPreviousShared = false;

  constructor(
    private readonly shared: Map<number, number> | null,
    private readonly log: number,
  ) {}

  /** Sets `repeats` of the next lines. @returns the lines without copies from other logs of the run. */
  count(lines: VisitLine[]): VisitLine[] {
    for (const each of lines) each.repeats = this.countOne(each.json);
    return this.shared === null ? lines : this.withoutCopies(lines, this.shared);
  }

  private countOne(json: string): number {
    const repeats = this.recent.get(json) ?? this.older.get(json) ?? 0;
    if (this.recent.size >= WINDOW_LINES) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(json, repeats + 1);
    return repeats;
  }

  /**
   * Removes lines that another log of the run also contains. If neither neighbor is in another log, the line isn't a
   * copy: two servers logged equal lines.
   */
  private withoutCopies(lines: VisitLine[], shared: Map<number, number>): VisitLine[] {
    const hashes = lines.map(({ json }) => hashOf(json));
    const areShared = hashes.map((hash) => (shared.get(hash) ?? this.log) % MAX_LOGS !== this.log);
    return lines.filter((line, index) => {
      const hash = hashes[index]!;
      const count = Math.floor((shared.get(hash) ?? 0) / MAX_LOGS);
      const isNeighborShared = areShared[index - 1] ?? this.isPreviousShared;
      if (index === lines.length - 1) this.isPreviousShared = areShared[index]!;
      const isCopy = areShared[index]! && (isNeighborShared || areShared[index + 1] === true);
      if (isCopy && line.repeats < count) return false;
      if (!isCopy) line.repeats = Math.max(line.repeats, count);
      if (count > 0 || shared.size < MAX_SHARED_LINES) shared.set(hash, (line.repeats + 1) * MAX_LOGS + this.log);
      return true;
    });
  }
}

/** Combines two 32-bit FNV-1a hashes with different primes into a 53-bit hash. */
function hashOf(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x1b873593;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
  }
  return (high >>> 0) * 0x200000 + (low >>> 11);
}
