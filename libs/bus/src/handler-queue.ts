import { BusUnavailableError, TransientError } from './bus.js';
import type { HandlerContext, Subscription } from './bus.js';
import type { DeadLetter } from './dead-letter.js';
import type { Delivery } from './delivery.js';
import { getDeadLetters, handleBatch } from './handle-batch.js';

interface HandlerQueueOptions {
  /**
   * Maximum messages per handler call. Messages that were added together are never split, so a call can exceed this
   * limit.
   */
  maxBatchMessages: number;
  /** Maximum bytes of values per handler call. Messages that were added together can exceed this limit. */
  maxBatchBytes: number;
  /** Maximum concurrent handler calls. With two, one batch is computed while the other is stored. */
  concurrency: number;
  /**
   * Maximum milliseconds that messages totaling less than 64 KiB wait for the running batch. The wait is limited
   * because that batch could itself be waiting, for example for DNS. Also limits the wait between batches.
   */
  maxGatheringMs: number;
  /**
   * Whether to wait briefly between batches. Set it if clients send more messages as soon as their previous ones are
   * handled.
   */
  waitsForFollowUps: boolean;
  /** Publishes dead letters. An error makes the batch fail. */
  publish(letters: readonly DeadLetter[], context: HandlerContext): Promise<void>;
}

/** Time reserved before a deadline, as a multiple of the mean batch time. */
const BATCH_TIME_MARGIN = 2;
const MIN_BATCH_TIME_MS = 50;
/** Weight of the latest batch in the moving average. */
const BATCH_TIME_WEIGHT = 0.2;

/** Minimum wait for the clients' next messages. Usually, the wait is a share of the mean batch time. */
const MIN_FOLLOW_UP_WAIT_MS = 2;
const FOLLOW_UP_WAIT_SHARE = 0.5;

/** If at least this many bytes are waiting, another batch starts while one is running. */
const MIN_OVERLAP_BYTES = 64 * 1024;

/** Messages that were added together. They succeed or fail as a whole. */
class Entry {
  /** Resolves when the messages are handled and their dead letters are published. */
  readonly done: Promise<void>;
  readonly bytes: number;
  state: 'waiting' | 'started' | 'handled' | 'failed' = 'waiting';
  private readonly settlers = Promise.withResolvers<void>();

  /**
   * @param deadline Time by which handling must finish, as a `performance.now()` value.
   * @param latestStart Time by which handling must start, as a `performance.now()` value.
   */
  constructor(
    readonly messages: readonly Delivery[],
    readonly deadline: number,
    readonly latestStart: number,
  ) {
    this.bytes = messages.reduce((sum, { bytes }) => sum + bytes, 0);
    this.done = this.settlers.promise;
    // Prevents an unhandled rejection if the messages fail after the caller has stopped waiting.
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

/** Lets messages that are added in the same event-loop tick join the batch. */
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export type QueueEntry = Pick<Entry, 'done' | 'state' | 'latestStart'>;

const createLateError = (): BusUnavailableError =>
  new BusUnavailableError("the messages can't be handled before the deadline", { reason: 'late' });

const createCutOffError = (cause: unknown): BusUnavailableError =>
  new BusUnavailableError('the messages were only partly processed', { reason: 'cut_off', cause });

/**
 * Queue for one handler. Messages that arrive while the handler is busy form its next batch.
 *
 * If a dependency is down, the entire batch fails. After any other error, entries are handled one by one, so only
 * faulty ones fail. Messages that are rejected as late are never handled.
 */
export class HandlerQueue {
  /** Bytes of messages that are waiting or being handled. */
  bytes = 0;
  private readonly waiting: Entry[] = [];
  private waitingBytes = 0;
  private gatheringTimer: NodeJS.Timeout | undefined;
  /** Callback for each added entry. Set while the next batch waits for more messages. */
  private onAdded: (() => void) | undefined;
  private activeWorkers = 0;
  /** Moving average of batch times in milliseconds. */
  private meanBatchMs = 0;

  constructor(
    readonly subscription: Subscription,
    private readonly options: HandlerQueueOptions,
  ) {}

  /**
   * Queues messages for the handler.
   *
   * @param deadline A `performance.now()` value. Messages that can't be handled in time are rejected without being
   *   handled.
   */
  add(messages: readonly Delivery[], deadline = Infinity): QueueEntry {
    const now = performance.now();
    const reservedMs = Math.max(MIN_BATCH_TIME_MS, this.meanBatchMs * BATCH_TIME_MARGIN);
    // Reserve at most half of the remaining time. Otherwise, no batch would be tried after slow batches, and the
    // average would never recover.
    const latestStart = deadline - Math.min(reservedMs, (deadline - now) / 2);
    const entry = new Entry(messages, deadline, deadline === Infinity ? Infinity : latestStart);
    this.bytes += entry.bytes;
    this.waiting.push(entry);
    this.waitingBytes += entry.bytes;
    const canGather = this.activeWorkers > 0 && entry.latestStart - now > 2 * this.options.maxGatheringMs;
    if (this.onAdded !== undefined) this.onAdded();
    else if (!canGather || !this.isBelowOverlapThreshold) this.startBatch();
    else this.scheduleBatch();
    return entry;
  }

  /** Removes a waiting entry and rejects it as late. Has no effect if its handler has started. */
  cancel(entry: QueueEntry): void {
    const index = this.waiting.indexOf(entry as Entry);
    if (index === -1) return;
    const [cancelled] = this.waiting.splice(index, 1);
    this.bytes -= cancelled!.bytes;
    this.waitingBytes -= cancelled!.bytes;
    cancelled!.reject(createLateError());
  }

  private get isBelowOverlapThreshold(): boolean {
    return this.waitingBytes < MIN_OVERLAP_BYTES;
  }

  private scheduleBatch(): void {
    this.gatheringTimer ??= setTimeout(() => this.startBatch(), this.options.maxGatheringMs);
  }

  private stopGathering(): void {
    clearTimeout(this.gatheringTimer);
    this.gatheringTimer = undefined;
  }

  private startBatch(): void {
    this.stopGathering();
    if (this.activeWorkers < this.options.concurrency && this.waiting.length > 0) void this.runWorker();
  }

  private async runWorker(): Promise<void> {
    this.activeWorkers += 1;
    await nextTick();
    for (let entries = this.takeBatch(); entries.length > 0; entries = this.takeBatch()) {
      const started = performance.now();
      await this.handleEntries(entries, { deadline: Math.min(...entries.map(({ deadline }) => deadline)) });
      this.meanBatchMs += (performance.now() - started - this.meanBatchMs) * BATCH_TIME_WEIGHT;
      for (const entry of entries) this.bytes -= entry.bytes;
      if (!this.isBelowOverlapThreshold) continue;
      if (this.activeWorkers > 1) {
        // Leave a small number of remaining messages to the other worker. If both workers continued, they would share
        // the messages, which would halve the batch size.
        if (this.waiting.length > 0) this.scheduleBatch();
        break;
      }
      await this.waitForFollowUps(entries.length);
    }
    this.activeWorkers -= 1;
  }

  /**
   * Waits briefly until the clients whose messages were just handled have sent more, so one SQL statement can store all
   * their visits. With a single client, there would be nothing to combine.
   */
  private async waitForFollowUps(handledCount: number): Promise<void> {
    const expectedCount = this.waiting.length + handledCount;
    if (!this.options.waitsForFollowUps || expectedCount < 2) return;
    this.stopGathering();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onAdded = (): void => {
      if (this.waiting.length >= expectedCount || !this.isBelowOverlapThreshold) resolve();
    };
    const milliseconds = Math.max(MIN_FOLLOW_UP_WAIT_MS, this.meanBatchMs * FOLLOW_UP_WAIT_SHARE);
    const timer = setTimeout(resolve, Math.min(milliseconds, this.options.maxGatheringMs));
    await promise;
    clearTimeout(timer);
    this.onAdded = undefined;
    await nextTick();
  }

  /**
   * Removes the next batch from the queue. Entries that can't finish in time are rejected before any of their messages
   * are stored.
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

  private async handleEntries(entries: readonly Entry[], context: HandlerContext): Promise<void> {
    try {
      const messages = entries.length === 1 ? entries[0]!.messages : entries.flatMap((entry) => entry.messages);
      await handleBatch(this.subscription, messages, context);
      await this.publishDeadLetters(messages, context);
      for (const entry of entries) entry.resolve();
    } catch (error) {
      // If a dependency is down, all entries fail. Any other error may be caused by a single entry, so handle them
      // separately.
      if (entries.length === 1 || error instanceof TransientError || error instanceof BusUnavailableError) {
        for (const entry of entries) entry.reject(error);
      } else {
        for (const entry of entries) {
          if (entry.deadline < performance.now()) entry.reject(createCutOffError(error));
          else await this.handleEntries([entry], context);
        }
      }
    }
  }

  private async publishDeadLetters(messages: readonly Delivery[], context: HandlerContext): Promise<void> {
    const letters = messages.flatMap((message) => getDeadLetters(this.subscription, message));
    if (letters.length === 0) return;
    try {
      await this.options.publish(letters, context);
    } catch (error) {
      // The handler has already run, so report that the messages were cut off, even if the actual cause is that the
      // dead letters were late or their queue was full.
      throw error instanceof BusUnavailableError ? createCutOffError(error) : error;
    }
  }
}

export const getBacklog = ({ bytes, subscription: { topic, group } }: HandlerQueue) => ({
  topic: topic.name,
  group,
  bytes,
});
