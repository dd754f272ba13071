import { randomUUID } from 'node:crypto';
import { toVisit, type ImportSummary, type LogLine, type Post } from '#libs/access-log';

const BATCH_VISITS = 1_000;
/** Time after which an incomplete batch is sent. */
const BATCH_INTERVAL_MS = 1_000;
/** Maximum total length of queued messages. Each queued visit retains its entire message in memory. */
const MAX_CHARACTERS = 256 * 1_024 * 1_024;

interface VisitQueueOptions {
  post: Post;
  summary: ImportSummary;
  /** Maximum number of queued visits. */
  capacity: number;
  /** Called when at least half of the queue is free. */
  onCapacity: () => void;
  concurrency: number;
}

/**
 * Queues visits received from a live source and sends them in batches. Retries reuse the batch's idempotency key, so each
 * batch is recorded only once.
 */
export class VisitQueue {
  dropped = 0;
  private queued: { line: LogLine; characters: number }[] = [];
  private characters = 0;
  private inFlight = 0;
  private requests = 0;
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;
  private readonly completion = Promise.withResolvers<void>();

  constructor(private readonly options: VisitQueueOptions) {
    this.completion.promise.catch(() => undefined);
  }

  /** Number of visits that the instance hasn't acknowledged. */
  get unsent(): number {
    return this.queued.length + this.inFlight;
  }

  get isFull(): boolean {
    return this.queued.length >= this.options.capacity || this.characters >= MAX_CHARACTERS;
  }

  /** Rejects after a fatal error, such as an invalid token, or after the last retry. */
  get failure(): Promise<void> {
    return this.completion.promise;
  }

  /**
   * Adds a visit, or drops it if the queue is full.
   *
   * @param canBeDropped False to add the visit even if the queue is full. Meant for senders that are paused while the
   * queue is full.
   * @param characters Length of the message that contains the line.
   */
  add(line: LogLine, canBeDropped: boolean, characters: number): void {
    if (this.isFull && canBeDropped) {
      this.dropped += 1;
      return;
    }
    this.queued.push({ line, characters });
    this.characters += characters;
    if (this.queued.length >= BATCH_VISITS) this.send();
    else this.timer ??= setTimeout(() => this.send(true), BATCH_INTERVAL_MS);
  }

  /** Sends all queued visits. Resolves when they have been acknowledged, or rejects like {@link failure}. */
  end(): Promise<void> {
    this.isEnding = true;
    this.send(true);
    return this.completion.promise;
  }

  /** @param all True to also send an incomplete batch. */
  private send(all = this.isEnding): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { concurrency, capacity, onCapacity } = this.options;
    while (this.requests < concurrency && this.queued.length >= (all ? 1 : BATCH_VISITS)) {
      const batch = this.queued.splice(0, BATCH_VISITS);
      for (const { characters } of batch) this.characters -= characters;
      void this.sendBatch(batch.map(({ line }) => line));
    }
    if (this.queued.length > 0 && this.requests < concurrency) {
      this.timer = setTimeout(() => this.send(true), BATCH_INTERVAL_MS);
    }
    if (this.queued.length <= capacity / 2 && this.characters <= MAX_CHARACTERS / 2) onCapacity();
    if (this.isEnding && this.unsent === 0) this.completion.resolve();
  }

  private async sendBatch(batch: LogLine[]): Promise<void> {
    this.requests += 1;
    this.inFlight += batch.length;
    try {
      await this.post(batch);
      this.inFlight -= batch.length;
    } catch (error) {
      this.completion.reject(error as Error);
      return;
    } finally {
      this.requests -= 1;
    }
    this.send(this.isEnding || this.queued.length > 0);
  }

  /** Posts a batch. Splits it in half if the instance rejects it as too large. */
  private async post(batch: LogLine[]): Promise<void> {
    const { post, summary } = this.options;
    const outcome = await post(JSON.stringify(batch.map(toVisit)), { 'idempotency-key': `listen-${randomUUID()}` });
    if (outcome.kind === 'accepted') summary.addSent(batch, outcome);
    else if (outcome.kind === 'too-large' && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await this.post(batch.slice(0, half));
      await this.post(batch.slice(half));
    } else summary.addRejectedBatch(batch.length, outcome.reason);
  }
}
