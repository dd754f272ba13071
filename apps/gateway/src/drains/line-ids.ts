import { hash } from 'node:crypto';
import type { LogLine } from '#libs/access-log';
import { stableVisitId } from '#libs/contracts';
import type { Chunk } from './drain-chunks.js';

const DAY_MS = 86_400_000;
/**
 * Maximum age of a line whose time is used in its ID. Visits with IDs older than the retention period are deleted, so
 * older lines get IDs with the time of receipt.
 */
const KNOWN_FOR_MS = 3 * DAY_MS;
/** How far the sender's clock may be ahead. */
const MAX_AHEAD_MS = 60_000;

/**
 * Creates visit IDs that stay the same when a line is delivered again, in any batch. They are derived from the source's
 * request ID, the time and the request itself, because a proxy may log two requests under one ID. Lines without a
 * request ID are identified by their position in a chunk with the same bytes.
 */
export class LineIds {
  constructor(
    private readonly projectId: string,
    private readonly source: string,
    /** Milliseconds since the epoch. */
    private readonly receivedAt: number,
  ) {}

  /** @param position Position of the line within its item. */
  of(line: LogLine, chunk: Chunk, index: number, position = 0): string {
    const place = position === 0 ? `${index}` : `${index}.${position}`;
    const name = line.id === undefined ? `${chunk.digest} ${place}` : `id ${line.id}\n${requestOf(line)}`;
    const digest = hash('sha256', `${this.projectId}\n${this.source}\n${name}`, 'hex');
    return stableVisitId(this.timeOf(line), digest);
  }

  private timeOf({ time }: LogLine): number {
    const at = Date.parse(time);
    const isKnown = at > this.receivedAt - KNOWN_FOR_MS && at < this.receivedAt + MAX_AHEAD_MS;
    return isKnown ? at : this.receivedAt;
  }
}

/** Excludes size and duration: Vercel sends several entries for a request, the first ones before it ends. */
const requestOf = ({ client, forwardedFor, method, host, path, status, referer, userAgent }: LogLine): string =>
  `${client}\n${forwardedFor}\n${method}\n${host}\n${path}\n${status}\n${referer}\n${userAgent}`;
