import { setTimeout as sleep } from 'node:timers/promises';
import { isBehind, type VisitPosition } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import type { StreamedPart, TimelineRepository } from '#libs/visit-store';
import type { LimitFunction } from 'p-limit';
import { Histogram } from 'prom-client';
import type { SseConnection } from './sse-connection.js';

const MAX_BATCH_VISITS = 200;
/** Maximum delay for visits whose announcement was missed. */
const POLL_INTERVAL_MS = 1_000;
const RETRY_INTERVAL_MS = 1_000;

const receiptToStream = new Histogram({
  name: 'agent_traffic_console_receipt_to_stream_seconds',
  help: 'Time from receiving a visit to sending it to live streams',
  buckets: [0.05, 0.2, 0.5, 1, 2, 5, 20, 60, 120, 180, 300, 900, 3_600],
});

/**
 * Reads a project's new visits for all of its connections. Announcements only wake the feed. It reads visits from the
 * database in each shard's commit order, so none is missed or sent twice.
 */
export class VisitFeed {
  private readonly connections = new Set<SseConnection>();
  private joiningCount = 0;
  private position: VisitPosition | null = null;
  private wake: () => void = () => undefined;
  private isWoken = false;
  private followPromise: Promise<void> | null = null;

  constructor(
    private readonly projectId: string,
    private readonly timeline: TimelineRepository,
    /** Limits concurrent queries, so database connections remain available for other requests. */
    private readonly limit: LimitFunction,
    private readonly logger: Logger,
    private readonly onEnd: () => void,
  ) {}

  /** Sends the visits that the connection missed, then adds it to the feed. Resolves once it's added or closed. */
  async join(connection: SseConnection): Promise<void> {
    this.joiningCount += 1;
    try {
      this.position ??= await this.retry(() => this.timeline.lastPosition(this.projectId));
      this.followPromise ??= this.run();
      while (!connection.isDisconnected && isBehind(connection.position, this.position)) {
        if (!(await this.catchUp(connection))) break;
        await connection.waitForDrain();
      }
      if (connection.isDisconnected) return;
      this.connections.add(connection);
      connection.onDisconnect(() => {
        this.connections.delete(connection);
        // Wake the feed, so it stops now instead of at the next poll.
        if (this.connections.size === 0) this.announce();
      });
    } finally {
      this.joiningCount -= 1;
    }
  }

  announce(): void {
    this.isWoken = true;
    this.wake();
  }

  /** Sends the next missed visits. Separate from `join()`, which would retain them in memory while the client reads. */
  private async catchUp(connection: SseConnection): Promise<boolean> {
    const part = await this.readAfter(connection.position);
    // If the database was restored from a backup, the connection's position can be after all stored visits. It then
    // never advances.
    if (!isBehind(connection.position, part.position)) return false;
    await connection.send(part);
    return true;
  }

  private async run(): Promise<void> {
    while (this.connections.size > 0 || this.joiningCount > 0) {
      const part = await this.readAfter(this.position!);
      this.position = part.position;
      for (const connection of this.connections) await connection.send(part);
      const [first] = part.visits;
      if (first !== undefined && this.connections.size > 0) observeDelay(first.document);
      if (!part.hasMore) await this.waitForAnnouncement();
      this.isWoken = false;
    }
    this.onEnd();
  }

  private readAfter(position: VisitPosition): Promise<StreamedPart> {
    return this.retry(() => this.limit(() => this.timeline.readAfter(this.projectId, position, MAX_BATCH_VISITS)));
  }

  private async waitForAnnouncement(): Promise<void> {
    if (this.isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Retries until `work` succeeds, so streams stay open while the database is unavailable. */
  private async retry<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.logger.warn({ err: error }, 'failed to read visits for live streams; retrying');
        await sleep(RETRY_INTERVAL_MS);
      }
    }
  }
}

/**
 * Records a visit's delay. The receipt time is found without parsing, because the first unescaped `received_at` is
 * always the visit's own.
 */
function observeDelay(document: string): void {
  const [, receivedAt] = /"received_at":\s*"([^"]+)"/.exec(document) ?? [];
  if (receivedAt !== undefined) receiptToStream.observe(Math.max(0, Date.now() - Date.parse(receivedAt)) / 1_000);
}
