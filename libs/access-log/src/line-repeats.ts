import type { LogLine } from './log-line.js';

/** Different lines of a log in which equal ones are looked for. */
const WINDOW_LINES = 8_192;
/** Lines that are remembered to compare the logs of a run. */
const MAX_SHARED_LINES = 500_000;
const MAX_LOGS = 2 ** 20;

/** A line of a log as the instance gets it. */
export interface VisitLine {
  line: LogLine;
  /** Number in the log, from 1. */
  number: number;
  /** The visit as JSON. */
  json: string;
  /** How many equal lines came before it. */
  repeats: number;
}

/** The lines of all logs of a run of the importer. */
export class RunLines {
  /** By the hash of a line: how often it was met, and in which log it was met first or last as a line of its own. */
  readonly shared = new Map<number, number>();
  private logs = 0;

  /** @param areSeveral whether the run has several logs. */
  constructor(private readonly areSeveral: boolean) {}

  startLog(): LogLines {
    this.logs += 1;
    return new LogLines(this.areSeveral ? this.shared : null, this.logs % MAX_LOGS);
  }
}

/**
 * Counts equal lines of a log: several requests of one client within the time that a line can express. An instance identifies
 * a line by its content and that count, wherever it comes from.
 */
export class LogLines {
  private recent = new Map<string, number>();
  private older = new Map<string, number>();
  private isPreviousShared = false;

  constructor(
    private readonly shared: Map<number, number> | null,
    private readonly log: number,
  ) {}

  /** Sets the repeats of the next lines. @returns them without copies from other logs of the run. */
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
   * Leaves out lines that another log of the run has, too. If the lines next to it are in no other log, it's another server's
   * line that happens to be equal: another visit.
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

/** A hash of 53 bits: two of FNV-1a, with different primes. */
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
