import { hash } from 'node:crypto';
import type { LogLine } from '#libs/access-log';
import { createStableVisitId } from '#libs/contracts';
import type { Chunk } from './drain-chunks.js';

const DAY_MS = 86_400_000;
/**
 * Maximum age at which a line's own timestamp is used in the visit ID. Older lines use the time of receipt, because
 * visits with an old ID are deleted when the retention period ends.
 */
const MAX_AGE_MS = 3 * DAY_MS;
/** Maximum time a sender's clock can be ahead of ours. */
const MAX_AHEAD_MS = 60_000;

/**
 * Derives visit IDs that don't change when a line is redelivered, even in another batch. An ID depends on the source's
 * request ID, the timestamp and the request itself, because proxies can log two requests with the same ID. Lines
 * without a request ID are identified by their position in the chunk and the chunk's hash.
 */
export class LineIds {
  constructor(
    private readonly projectId: string,
    private readonly source: string,
    /** Time of receipt in milliseconds since the epoch. */
    private readonly receivedAt: number,
  ) {}

  /**
   * @param index Index of the item within the chunk.
   * @param position Index of the line within the item.
   */
  create(line: LogLine, chunk: Chunk, index: number, position = 0): string {
    const itemPosition = position === 0 ? `${index}` : `${index}.${position}`;
    const name = line.id === undefined ? `${chunk.digest} ${itemPosition}` : `id ${line.id}\n${requestKey(line)}`;
    const digest = hash('sha256', `${this.projectId}\n${this.source}\n${name}`, 'hex');
    return createStableVisitId(this.idTime(line), digest);
  }

  private idTime({ time }: LogLine): number {
    const at = Date.parse(time);
    const isPlausible = at > this.receivedAt - MAX_AGE_MS && at < this.receivedAt + MAX_AHEAD_MS;
    return isPlausible ? at : this.receivedAt;
  }
}

/**
 * Returns the fields that identify a request. Leaves out the size and duration, because Vercel sends several entries
 * per request, and the first ones don't contain the final values.
 */
const requestKey = ({ client, forwardedFor, method, host, path, status, referer, userAgent }: LogLine): string =>
  `${client}\n${forwardedFor}\n${method}\n${host}\n${path}\n${status}\n${referer}\n${userAgent}`;
