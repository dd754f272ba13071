import { hash } from 'node:crypto';
import type { LogLine } from '#libs/access-log';
import { stableVisitId } from '#libs/contracts';
import type { Chunk } from './drain-chunks.js';

const DAY_MS = 86_400_000;
/**
 * Milliseconds for which a line is known. Ids have a time, and what has one beyond the retention is deleted: older lines
 * get ids of when they are received.
 */
const KNOWN_FOR_MS = 3 * DAY_MS;
/** Milliseconds that the sender's clock may be ahead. */
const MAX_AHEAD_MS = 60_000;

/**
 * IDs of visits that stay the same when a line is delivered again, in whatever batch. They're made from the source's request ID,
 * the time and the request itself, since a proxy may log two requests under one ID. Lines without a request ID are identified by
 * their position in a chunk of the same bytes.
 */
export class LineIds {
  constructor(
    private readonly projectId: string,
    private readonly source: string,
    /** Milliseconds since the epoch. */
    private readonly receivedAt: number,
  ) {}

  /** @param position among the lines of an item that holds several. */
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

/** Size and duration are left out: Vercel sends several entries for a request, the first ones before its end. */
const requestOf = ({ client, forwardedFor, method, host, path, status, referer, userAgent }: LogLine): string =>
  `${client}\n${forwardedFor}\n${method}\n${host}\n${path}\n${status}\n${referer}\n${userAgent}`;
