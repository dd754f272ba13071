import type { LogLine } from './log-line.js';

/**
 * Minimum number of recent distinct lines to remember. Repeats of a line are only counted while the line is remembered.
 */
const WINDOW_LINES = 8_192;
/** Maximum number of distinct lines to remember for finding copies of a line in other logs of the same run. */
const MAX_SHARED_LINES = 500_000;
const MAX_LOGS = 2 ** 20;

/** A log line as sent to the instance. */
export interface VisitLine {
  line: LogLine;
  /** 1-based line number in the log. */
  number: number;
  json: string;
  /** Number of identical lines before this one. */
  repeats: number;
}

export class RunLines {
  /**
   * For each line's hash: its number of occurrences × {@link MAX_LOGS}, plus the number of the log in which it last
   * occurred.
   */
  readonly occurrences = new Map<number, number>();
  private logs = 0;

  /** @param areSeveral True if the run imports several logs, so copied lines must be detected. */
  constructor(private readonly areSeveral: boolean) {}

  startLog(): LogLines {
    this.logs += 1;
    return new LogLines(this.areSeveral ? this.occurrences : null, this.logs % MAX_LOGS);
  }
}

/**
 * Counts identical lines in a log. They are separate requests that a client made within the log's time resolution.
 *
 * Instances identify a line by its content and this count, no matter which log contains it.
 */
export class LogLines {
  /** Number of occurrences by the line's hash. */
  private recent = new Map<number, number>();
  private older = new Map<number, number>();
  private isPreviousShared = false;

  constructor(
    private readonly shared: Map<number, number> | null,
    private readonly log: number,
  ) {}

  /**
   * Sets `repeats` on the next lines in the log.
   *
   * @returns the lines, except those copied from other logs in the run.
   */
  count(lines: VisitLine[]): VisitLine[] {
    const hashes = lines.map(({ json }) => hashLine(identity(json)));
    for (const [index, line] of lines.entries()) line.repeats = this.countOne(hashes[index]!);
    return this.shared === null ? lines : this.removeCopies(lines, hashes, this.shared);
  }

  private countOne(hash: number): number {
    const repeats = this.recent.get(hash) ?? this.older.get(hash) ?? 0;
    if (this.recent.size >= WINDOW_LINES) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(hash, repeats + 1);
    return repeats;
  }

  /**
   * Removes lines that another log in the run also contains. Keeps a line if neither of its neighbors is in another
   * log, because then it isn't a copy: two servers logged identical lines.
   */
  private removeCopies(lines: VisitLine[], hashes: number[], shared: Map<number, number>): VisitLine[] {
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

/**
 * Removes the cache result from a visit's JSON, because instances identify lines without it. In text, these quotes would
 * be escaped.
 */
const identity = (json: string): string =>
  json.replace(',"response_cache":"hit"', '').replace(',"response_cache":"miss"', '');

/** Returns a 53-bit hash that combines two 32-bit FNV-1a hashes with different primes. */
function hashLine(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x1b873593;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
  }
  return (high >>> 0) * 0x200000 + (low >>> 11);
}
