import { randomUUID } from 'node:crypto';
import { toVisit, type ImportSummary, type LogLine, type Post } from '#libs/access-log';

const BATCH_VISITS = 1_000;
/** Maximum time to wait for a full batch. */
const BATCH_INTERVAL_MS = 1_000;
/** Maximum total length of the queued messages. A queued visit keeps its entire message in memory. */
const MAX_CHARACTERS = 256 * 1_024 * 1_024;

interface VisitQueueOptions {
  post: Post;
  summary: ImportSummary;
  /** Maximum number of queued visits. */
  capacity: number;
  /** Called when at least half of the capacity is free. */
  onCapacity: () => void;
  concurrency: number;
}

/**
 * Queue of visits that were received rather than read from a file. Each batch has its own idempotency key, which
 * retries reuse, so it's recorded only once.
 */
export class VisitQueue {
  dropped = 0;
  private waiting: { line: LogLine; characters: number }[] = [];
  private characters = 0;
  private underWay = 0;
  private requests = 0;
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;
  private readonly ended = Promise.withResolvers<void>();

  constructor(private readonly options: VisitQueueOptions) {
    this.ended.promise.catch(() => undefined);
  }

  /** Visits that the instance hasn't acknowledged. */
  get unsent(): number {
    return this.waiting.length + this.underWay;
  }

  get isFull(): boolean {
    return this.waiting.length >= this.options.capacity || this.characters >= MAX_CHARACTERS;
  }

  /** Rejects if the instance won't accept visits at all, e.g. because of a wrong token, or if retries are exhausted. */
  get failure(): Promise<void> {
    return this.ended.promise;
  }

  /**
   * Adds a visit, or drops it if the queue is full.
   *
   * @param canBeDropped false if the sender is paused while the queue is full, so few more visits can arrive.
   * @param characters Length of the message that contains the line.
   */
  add(line: LogLine, canBeDropped: boolean, characters: number): void {
    if (this.isFull && canBeDropped) {
      this.dropped += 1;
      return;
    }
    this.waiting.push({ line, characters });
    this.characters += characters;
    if (this.waiting.length >= BATCH_VISITS) this.send();
    else this.timer ??= setTimeout(() => this.send(true), BATCH_INTERVAL_MS);
  }

  /** Sends all queued visits. Resolves when they are acknowledged, or rejects like `failure`. */
  end(): Promise<void> {
    this.isEnding = true;
    this.send(true);
    return this.ended.promise;
  }

  /** @param all true to include a batch that isn't full. */
  private send(all = this.isEnding): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { concurrency, capacity, onCapacity } = this.options;
    while (this.requests < concurrency && this.waiting.length >= (all ? 1 : BATCH_VISITS)) {
      const batch = this.waiting.splice(0, BATCH_VISITS);
      for (const { characters } of batch) this.characters -= characters;
      void this.sendBatch(batch.map(({ line }) => line));
    }
    if (this.waiting.length > 0 && this.requests < concurrency) {
      this.timer = setTimeout(() => this.send(true), BATCH_INTERVAL_MS);
    }
    if (this.waiting.length <= capacity / 2 && this.characters <= MAX_CHARACTERS / 2) onCapacity();
    if (this.isEnding && this.unsent === 0) this.ended.resolve();
  }

  private async sendBatch(batch: LogLine[]): Promise<void> {
    this.requests += 1;
    this.underWay += batch.length;
    try {
      await this.post(batch);
      this.underWay -= batch.length;
    } catch (error) {
      this.ended.reject(error as Error);
      return;
    } finally {
      this.requests -= 1;
    }
    this.send(this.isEnding || this.waiting.length > 0);
  }

  /** Posts a batch. Splits it in half if it's too large. */
  private async post(batch: LogLine[]): Promise<void> {
    const { post, summary } = this.options;
    const outcome = await post(JSON.stringify(batch.map(toVisit)), { 'idempotency-key': `listen-${randomUUID()}` });
    if (outcome.kind === 'accepted') summary.addSent(batch, outcome);
    else if (outcome.kind === 'too-large' && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await this.post(batch.slice(0, half));
      await this.post(batch.slice(half));
    } else summary.addRefusedBatch(batch.length, outcome.reason);
  }
}
