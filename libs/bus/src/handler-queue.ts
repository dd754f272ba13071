import { BusUnavailableError, TransientError } from './bus.js';
import type { HandlerContext, Subscription } from './bus.js';
import type { DeadLetter } from './dead-letter.js';
import type { Delivery } from './delivery.js';
import { deadLettersOf, handleBatch } from './handled-batch.js';

interface HandlerQueueOptions {
  /** Maximum messages per handler call. Messages added together are never split, so a call can exceed it. */
  maxBatchMessages: number;
  /** Maximum bytes of values per handler call, with the same exception. */
  maxBatchBytes: number;
  /** Maximum concurrent handler calls. With two, one batch is computed while the other is stored. */
  concurrency: number;
  /**
   * Maximum milliseconds that less than 64 KiB waits for the running batch to finish. Limited, because that batch may
   * be waiting for DNS. Also caps the wait between batches.
   */
  maxGatheringMs: number;
  /** Whether to wait briefly between batches, because clients send again as soon as their messages are handled. */
  waitsForNext: boolean;
  /** Publishes dead letters. An error fails the batch. */
  publish(letters: readonly DeadLetter[], context: HandlerContext): Promise<void>;
}

/** Time reserved before a deadline, as a multiple of the mean batch time. */
const BATCH_TIME_MARGIN = 2;
const MIN_BATCH_TIME_MS = 50;
/** Weight of the latest batch in the moving average. */
const BATCH_TIME_WEIGHT = 0.2;

/** Wait for the clients' next messages: the longer of the minimum and the share of the mean batch time. */
const MIN_WAIT_FOR_NEXT_MS = 2;
const WAIT_FOR_NEXT_SHARE = 0.5;

/** Bytes that justify another batch while one is running. */
const MIN_OVERLAP_BYTES = 64 * 1024;

/** Messages that were added together. They succeed or fail together. */
class Entry {
  /** Resolves when the messages are handled and their dead letters are published. */
  readonly done: Promise<void>;
  readonly bytes: number;
  state: 'waiting' | 'started' | 'handled' | 'failed' = 'waiting';
  private readonly settlers = Promise.withResolvers<void>();

  /**
   * @param deadline time by which handling must finish, on the `performance.now()` clock.
   * @param latestStart time by which handling must start, on the same clock.
   */
  constructor(
    readonly messages: readonly Delivery[],
    readonly deadline: number,
    readonly latestStart: number,
  ) {
    this.bytes = messages.reduce((sum, { bytes }) => sum + bytes, 0);
    this.done = this.settlers.promise;
    // Prevents an unhandled rejection if the caller no longer waits.
    this.done.catch(() => undefined);
  }

  resolve(): void {
    this.state = 'handled';
    this.settlers.resolve();
  }

  reject(error: unknown): void {
    this.state = 'failed';
    this.settlers.reject(error);
  }
}

/** Lets messages added in the same event-loop tick join the batch. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export type QueueEntry = Pick<Entry, 'done' | 'state' | 'latestStart'>;

const tooLate = (): BusUnavailableError =>
  new BusUnavailableError('the messages cannot be handled before the deadline', { reason: 'late' });

const cutOff = (cause: unknown): BusUnavailableError =>
  new BusUnavailableError('the messages were handled, but not to the end', { reason: 'cut_off', cause });

/**
 * Queue in front of one handler. Messages that arrive while the handler is busy form its next batch.
 *
 * If a dependency is down, the entire batch fails. After any other error, its entries are handled one by one, so only
 * the faulty ones fail. Messages rejected as late are never handled.
 */
export class HandlerQueue {
  /** Bytes of messages waiting or being handled. */
  bytes = 0;
  private readonly waiting: Entry[] = [];
  private waitingBytes = 0;
  private gathering: NodeJS.Timeout | undefined;
  /** Callback for each added entry. Set while the next batch waits for more. */
  private onAdded: (() => void) | undefined;
  private active = 0;
  /** Moving average of batch times, in milliseconds. */
  private batchTime = 0;

  constructor(
    readonly subscription: Subscription,
    private readonly options: HandlerQueueOptions,
  ) {}

  /**
   * Queues messages for the handler.
   *
   * @param deadline on the `performance.now()` clock. Messages that can't be handled in time are rejected without being
   * handled.
   */
  add(messages: readonly Delivery[], deadline = Infinity): QueueEntry {
    const now = performance.now();
    const timeToHandle = Math.max(MIN_BATCH_TIME_MS, this.batchTime * BATCH_TIME_MARGIN);
    // Reserve at most half of the remaining time. Otherwise, after slow batches, no batch would be tried and the
    // average would never recover.
    const latestStart = deadline - Math.min(timeToHandle, (deadline - now) / 2);
    const entry = new Entry(messages, deadline, deadline === Infinity ? Infinity : latestStart);
    this.bytes += entry.bytes;
    this.waiting.push(entry);
    this.waitingBytes += entry.bytes;
    const canGather = this.active > 0 && entry.latestStart - now > 2 * this.options.maxGatheringMs;
    if (this.onAdded !== undefined) this.onAdded();
    else if (!canGather || !this.isLittle) this.begin();
    else this.beginLater();
    return entry;
  }

  /** Removes a waiting entry and rejects it as late. Does nothing if its handler has started. */
  cancel(entry: QueueEntry): void {
    const index = this.waiting.indexOf(entry as Entry);
    if (index === -1) return;
    const [cancelled] = this.waiting.splice(index, 1);
    this.bytes -= cancelled!.bytes;
    this.waitingBytes -= cancelled!.bytes;
    cancelled!.reject(tooLate());
  }

  private get isLittle(): boolean {
    return this.waitingBytes < MIN_OVERLAP_BYTES;
  }

  private beginLater(): void {
    this.gathering ??= setTimeout(() => this.begin(), this.options.maxGatheringMs);
  }

  private stopGathering(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
  }

  private begin(): void {
    this.stopGathering();
    if (this.active < this.options.concurrency && this.waiting.length > 0) void this.work();
  }

  private async work(): Promise<void> {
    this.active += 1;
    await nextTurn();
    for (let entries = this.takeBatch(); entries.length > 0; entries = this.takeBatch()) {
      const started = performance.now();
      await this.settle(entries, { deadline: Math.min(...entries.map(({ deadline }) => deadline)) });
      this.batchTime += (performance.now() - started - this.batchTime) * BATCH_TIME_WEIGHT;
      for (const entry of entries) this.bytes -= entry.bytes;
      if (!this.isLittle) continue;
      if (this.active > 1) {
        // Leave a small remainder to the other worker. Alternating would halve the size of each batch.
        if (this.waiting.length > 0) this.beginLater();
        break;
      }
      await this.waitForNext(entries.length);
    }
    this.active -= 1;
  }

  /**
   * Waits briefly for the clients of the last batch to send again, so that one statement stores all their visits.
   * Doesn't wait for a single client.
   */
  private async waitForNext(handled: number): Promise<void> {
    const expected = this.waiting.length + handled;
    if (!this.options.waitsForNext || expected < 2) return;
    this.stopGathering();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onAdded = (): void => {
      if (this.waiting.length >= expected || !this.isLittle) resolve();
    };
    const milliseconds = Math.max(MIN_WAIT_FOR_NEXT_MS, this.batchTime * WAIT_FOR_NEXT_SHARE);
    const timer = setTimeout(resolve, Math.min(milliseconds, this.options.maxGatheringMs));
    await promise;
    clearTimeout(timer);
    this.onAdded = undefined;
    await nextTurn();
  }

  /**
   * Removes the next batch from the queue. Rejects entries that can't finish in time, before any of their messages are
   * stored.
   */
  private takeBatch(): Entry[] {
    const now = performance.now();
    for (const entry of this.waiting.filter(({ latestStart }) => latestStart < now)) this.cancel(entry);
    const { maxBatchMessages, maxBatchBytes } = this.options;
    let messages = 0;
    let bytes = 0;
    let count = 0;
    while (count < this.waiting.length) {
      messages += this.waiting[count]!.messages.length;
      bytes += this.waiting[count]!.bytes;
      if (count > 0 && (messages > maxBatchMessages || bytes > maxBatchBytes)) break;
      count += 1;
    }
    const batch = this.waiting.splice(0, count);
    for (const entry of batch) {
      entry.state = 'started';
      this.waitingBytes -= entry.bytes;
    }
    return batch;
  }

  private async settle(entries: readonly Entry[], context: HandlerContext): Promise<void> {
    try {
      const messages = entries.length === 1 ? entries[0]!.messages : entries.flatMap((entry) => entry.messages);
      await handleBatch(this.subscription, messages, context);
      await this.publishDeadLetters(messages, context);
      for (const entry of entries) entry.resolve();
    } catch (error) {
      // If a dependency is down, all entries fail. Any other error may come from one entry, so handle them separately.
      if (entries.length === 1 || error instanceof TransientError || error instanceof BusUnavailableError) {
        for (const entry of entries) entry.reject(error);
      } else {
        for (const entry of entries) {
          if (entry.deadline < performance.now()) entry.reject(cutOff(error));
          else await this.settle([entry], context);
        }
      }
    }
  }

  private async publishDeadLetters(messages: readonly Delivery[], context: HandlerContext): Promise<void> {
    const letters = messages.flatMap((message) => deadLettersOf(this.subscription, message));
    if (letters.length === 0) return;
    try {
      await this.options.publish(letters, context);
    } catch (error) {
      // The handler has already run, so the messages are cut off even if their dead letters were late or met a full
      // queue.
      throw error instanceof BusUnavailableError ? cutOff(error) : error;
    }
  }
}

export const waitingIn = ({ bytes, subscription: { topic, group } }: HandlerQueue) => ({
  topic: topic.name,
  group,
  bytes,
});
