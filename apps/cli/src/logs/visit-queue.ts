import { randomUUID } from 'node:crypto';
import { toVisit, type ImportSummary, type LogLine, type Post } from '#libs/access-log';

const BATCH_VISITS = 1_000;
/** The longest that a visit waits for others. */
const BATCH_INTERVAL_MS = 1_000;
/** Of the messages of visits that wait: they may be long, and a visit keeps the text that it was cut from. */
const MAX_CHARACTERS = 256 * 1_024 * 1_024;

interface VisitQueueOptions {
  post: Post;
  summary: ImportSummary;
  /** Visits that may wait. */
  capacity: number;
  /** Called when half of the room is free. */
  onCapacity: () => void;
  /** Requests in flight. */
  concurrency: number;
}

/**
 * Visits that have no place in a log, on their way to the instance. Each batch has a key of its own, which its retries
 * have, too: so a batch is recorded once, however often it is sent.
 */
export class VisitQueue {
  /** Visits that came when there was no capacity. */
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

  /** Visits that the instance has not acknowledged. */
  get unsent(): number {
    return this.waiting.length + this.underWay;
  }

  get isFull(): boolean {
    return this.waiting.length >= this.options.capacity || this.characters >= MAX_CHARACTERS;
  }

  /** Rejects when the instance will never take visits (a wrong token), or the sending was given up. */
  get failure(): Promise<void> {
    return this.ended.promise;
  }

  /**
   * @param canBeDropped false for what comes from a sender that is told to wait, so that there is little more of it.
   * @param characters of the message that it was read from.
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

  /** Sends what waits. Resolves once all is acknowledged; rejects as `failure` does. */
  end(): Promise<void> {
    this.isEnding = true;
    this.send(true);
    return this.ended.promise;
  }

  /** @param all also a batch that isn't full. */
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

  /** Posts a batch, or its halves where it is too large. */
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
