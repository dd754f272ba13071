import { hash } from 'node:crypto';
import { isUuid, parseTimestamp, createStableVisitId, type Visit } from '#libs/contracts';
import { ProblemError } from '#libs/platform';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const SECONDS_PER_DAY = 86_400;
/** Maximum time a log's clock can be ahead of ours. Ingest rejects IDs that are more than an hour ahead. */
const MAX_AHEAD_MS = 30 * 60_000;
/** Maximum size in bytes of the fields in a visit's JSON that don't identify a line. */
const MAX_REST_BYTES = Buffer.byteLength(',"response_size_type":"body","response_cache":"miss"');
const REPEAT = /^(\d{1,4}):(\d{1,9})$/;

/** Parsed `Agent-Traffic-Import` header, which marks each visit in a request as a log line. */
export interface Import {
  id: string;
  /** Number of earlier identical lines in the same log, by index in the request body. Omits zeros. */
  repeats: ReadonlyMap<number, number>;
}

/** The first import that contained lines from a given day. */
export interface ImportDay {
  firstAt: number;
  importId: string;
}

/**
 * Parses an `Agent-Traffic-Import` header of the form `<uuid> <index>:<repeats> …`.
 *
 * @throws {ProblemError} 400 if the header is malformed.
 */
export function parseImportHeader(header: string | string[] | undefined): Import | null {
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
  /** Milliseconds since the epoch, or null to use the time of receipt instead. */
  time: number | null;
}

/** Log lines in an import request. A line's identity doesn't depend on its log, position or request. */
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

  /**
   * Adds a visit's line. Must be called before redaction, so the ID doesn't depend on redaction settings.
   *
   * @returns Maximum size of the visit's JSON in bytes.
   */
  add(index: number, visit: Visit): number {
    const repeat = this.imported.repeats.get(index) ?? 0;
    const json = JSON.stringify(identity(visit));
    const digest = hash('sha256', `${this.projectId}\n${repeat}\n${json}`, 'hex');
    const created = typeof visit.created === 'string' ? parseTimestamp(visit.created) : null;
    const isPlausible = created !== null && created <= this.receivedAt + MAX_AHEAD_MS;
    this.lines.push({ digest, time: isPlausible ? created : null });
    return Buffer.byteLength(json) + MAX_REST_BYTES;
  }

  /** SHA-256 hash of all lines in order. Identifies the request. */
  get key(): Buffer {
    return hash('sha256', this.lines.map(({ digest }) => digest).join('\n'), 'buffer');
  }

  /** Distinct days of the lines, in days since the epoch (UTC). */
  get days(): number[] {
    const days = new Set<number>();
    for (const { time } of this.lines) if (time !== null) days.add(toDay(time));
    return [...days];
  }

  /**
   * Returns visit IDs for the lines. An ID's timestamp is the same in later imports, lies within the retention period
   * and is never before the line's own time. For older lines, the timestamp is shortly before the day's first import.
   * It's offset by one millisecond per second of the day to preserve the log order.
   */
  ids(days: ReadonlyMap<number, ImportDay>): string[] {
    return this.lines.map(({ digest, time }) => createStableVisitId(this.idTime(time, days), digest));
  }

  /**
   * Returns the IDs of visits that may already be stored. Only applies to lines from days that an earlier run has
   * already imported.
   */
  possibleDuplicates(ids: readonly string[], days: ReadonlyMap<number, ImportDay>): string[] {
    return ids.filter((_, position) => {
      const { time } = this.lines[position]!;
      return time !== null && days.get(toDay(time))!.importId !== this.imported.id;
    });
  }

  private idTime(time: number | null, days: ReadonlyMap<number, ImportDay>): number {
    if (time === null) return this.receivedAt;
    const day = toDay(time);
    const secondOfDay = Math.floor((time - day * DAY_MS) / SECOND_MS);
    return Math.max(time, days.get(day)!.firstAt - SECONDS_PER_DAY + secondOfDay);
  }
}

/**
 * Returns the fields that identify a line. Earlier versions imported the same lines without the size's type and the
 * cache result.
 */
function identity(visit: Visit): Visit {
  if (visit.response_size_type === undefined && visit.response_cache === undefined) return visit;
  const { response_size_type: _type, response_cache: _cache, ...others } = visit;
  return others;
}

const toDay = (time: number): number => Math.floor(time / DAY_MS);
