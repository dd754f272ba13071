import { hash } from 'node:crypto';
import { isUuid, parseTimestamp, stableVisitId, type Visit } from '#libs/contracts';
import { ProblemError } from '#libs/platform';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const SECONDS_A_DAY = 86_400;
/** How far the clock of a log may be ahead. Ingest rejects IDs more than an hour ahead. */
const MAX_AHEAD_MS = 30 * 60_000;
const REPEAT = /^(\d{1,4}):(\d{1,9})$/;

/** Content of the `Agent-Traffic-Import` header, which marks each visit of a request as a line of a log. */
export interface Import {
  /** ID of the importer's run. */
  id: string;
  /** Number of identical earlier lines in the same log, by index in the body. Zeros are left out. */
  repeats: ReadonlyMap<number, number>;
}

/** Time and run of the first import of a day's lines. */
export interface ImportDay {
  firstAt: number;
  importId: string;
}

/**
 * Parses the `Agent-Traffic-Import` header: `<uuid> <index>:<repeats> …`.
 *
 * @throws ProblemError 400 if it's malformed.
 */
export function readImport(header: string | string[] | undefined): Import | null {
  if (header === undefined) return null;
  const [id = '', ...entries] = String(header).split(' ');
  const matches = entries.map((entry) => REPEAT.exec(entry));
  if (!isUuid(id) || matches.includes(null)) {
    throw new ProblemError(
      'malformed-request',
      'Agent-Traffic-Import must be a UUID, followed by index:repeats for repeated lines.',
    );
  }
  return { id: id.toLowerCase(), repeats: new Map(matches.map((match) => [Number(match![1]), Number(match![2])])) };
}

interface ImportedLine {
  digest: string;
  /** Milliseconds since the epoch. Null if the time of receipt must be used instead. */
  time: number | null;
}

/** Lines of one request. Their identity doesn't depend on the log, position or request they come in. */
export class ImportedLines {
  private readonly lines: ImportedLine[] = [];

  constructor(
    private readonly projectId: string,
    private readonly receivedAt: number,
    private readonly imported: Import,
  ) {}

  get importId(): string {
    return this.imported.id;
  }

  get count(): number {
    return this.lines.length;
  }

  /** Adds a visit. Must be called before redaction, because redaction settings can change. */
  add(index: number, visit: Visit): void {
    const repeat = this.imported.repeats.get(index) ?? 0;
    const digest = hash('sha256', `${this.projectId}\n${repeat}\n${JSON.stringify(visit)}`, 'hex');
    const created = typeof visit.created === 'string' ? parseTimestamp(visit.created) : null;
    const isKnown = created !== null && created <= this.receivedAt + MAX_AHEAD_MS;
    this.lines.push({ digest, time: isKnown ? created : null });
  }

  /** SHA-256 of all lines, in order. */
  get key(): Buffer {
    return hash('sha256', this.lines.map(({ digest }) => digest).join('\n'), 'buffer');
  }

  /** Days of the lines, counted from the epoch (UTC). */
  get days(): number[] {
    const days = new Set<number>();
    for (const { time } of this.lines) if (time !== null) days.add(dayOf(time));
    return [...days];
  }

  /**
   * Returns the IDs of the lines. Their time is within the retention period, never before the line's own time, and the
   * same in later imports. A line older than the first import of its day gets a time shortly before that import. One
   * millisecond per second of the day keeps the order of the log.
   */
  ids(days: ReadonlyMap<number, ImportDay>): string[] {
    return this.lines.map(({ digest, time }) => stableVisitId(this.timeOf(time, days), digest));
  }

  /** Returns the IDs of lines whose day was first imported by another run. They may already be stored. */
  doubtful(ids: readonly string[], days: ReadonlyMap<number, ImportDay>): string[] {
    return ids.filter((_, position) => {
      const { time } = this.lines[position]!;
      return time !== null && days.get(dayOf(time))!.importId !== this.imported.id;
    });
  }

  private timeOf(time: number | null, days: ReadonlyMap<number, ImportDay>): number {
    if (time === null) return this.receivedAt;
    const day = dayOf(time);
    const secondOfDay = Math.floor((time - day * DAY_MS) / SECOND_MS);
    return Math.max(time, days.get(day)!.firstAt - SECONDS_A_DAY + secondOfDay);
  }
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS);
