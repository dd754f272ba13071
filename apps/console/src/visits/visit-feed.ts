import { setTimeout as sleep } from 'node:timers/promises';
import { isBehind, type VisitPosition } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import type { StreamedPart, TimelineRepository } from '#libs/visit-store';
import type { LimitFunction } from 'p-limit';
import { Histogram } from 'prom-client';
import type { SseConnection } from './sse-connection.js';

const MAX_VISITS = 200;
/** Maximum delay of visits after a missed announcement. */
const POLL_INTERVAL_MS = 1_000;
const RETRY_INTERVAL_MS = 1_000;

const receiptToBrowser = new Histogram({
  name: 'agent_traffic_console_receipt_to_stream_seconds',
  help: 'Time from the receipt of a visit until live streams send it',
  buckets: [0.05, 0.2, 0.5, 1, 2, 5, 20, 60, 120, 180, 300, 900, 3_600],
});

/**
 * Reads new visits of a project for all of its connections. Announcements only wake it. It reads visits from the
 * database in commit order of each shard, so none is missed or sent twice.
 */
export class VisitFeed {
  private readonly connections = new Set<SseConnection>();
  private joining = 0;
  private position: VisitPosition | null = null;
  private wake: () => void = () => undefined;
  private woken = false;
  private following: Promise<void> | null = null;

  constructor(
    private readonly projectId: string,
    private readonly timeline: TimelineRepository,
    /** Limits concurrent queries, so other requests get database connections, too. */
    private readonly limit: LimitFunction,
    private readonly logger: Logger,
    private readonly ended: () => void,
  ) {}

  /** Sends the visits that the connection missed, then adds it to the feed. Resolves once it's added or gone. */
  async join(connection: SseConnection): Promise<void> {
    this.joining += 1;
    try {
      this.position ??= await this.retried(() => this.timeline.lastPosition(this.projectId));
      this.following ??= this.follow();
      while (!connection.isGone && isBehind(connection.position, this.position)) {
        if (!(await this.catchUp(connection))) break;
        await connection.drained();
      }
      if (connection.isGone) return;
      this.connections.add(connection);
      connection.onGone(() => {
        this.connections.delete(connection);
        // Wakes the feed, so it ends now instead of at the next poll.
        if (this.connections.size === 0) this.announce();
      });
    } finally {
      this.joining -= 1;
    }
  }

  announce(): void {
    this.woken = true;
    this.wake();
  }

  /** Sends the next missed visits. Kept out of `join()`, which would hold them in memory while the client reads. */
  private async catchUp(connection: SseConnection): Promise<boolean> {
    const part = await this.after(connection.position);
    // The database was restored to an earlier state, which ends before this position.
    if (!isBehind(connection.position, part.position)) return false;
    await connection.send(part);
    return true;
  }

  private async follow(): Promise<void> {
    while (this.connections.size > 0 || this.joining > 0) {
      const part = await this.after(this.position!);
      this.position = part.position;
      for (const connection of this.connections) await connection.send(part);
      const [first] = part.visits;
      if (first !== undefined && this.connections.size > 0) observeDelay(first.document);
      if (!part.hasMore) await this.untilAnnounced();
      this.woken = false;
    }
    this.ended();
  }

  private after(position: VisitPosition): Promise<StreamedPart> {
    return this.retried(() => this.limit(() => this.timeline.after(this.projectId, position, MAX_VISITS)));
  }

  private async untilAnnounced(): Promise<void> {
    if (this.woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Retries until it succeeds, so streams stay open while the database is unavailable. */
  private async retried<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.logger.warn({ err: error }, 'visits to stream cannot be read; trying again');
        await sleep(RETRY_INTERVAL_MS);
      }
    }
  }
}

/**
 * Records the delay of a visit. Finds the time of receipt without parsing: other properties with this name are inside
 * strings or come later.
 */
function observeDelay(document: string): void {
  const [, receivedAt] = /"received_at":\s*"([^"]+)"/.exec(document) ?? [];
  if (receivedAt !== undefined) receiptToBrowser.observe(Math.max(0, Date.now() - Date.parse(receivedAt)) / 1_000);
}
