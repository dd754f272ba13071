import { BusUnavailableError, TransientError } from './bus.js';
import type { HandlerContext, Subscription } from './bus.js';
import type { DeadLetter } from './dead-letter.js';
import type { Delivery } from './delivery.js';
import { deadLettersOf, handleBatch } from './handled-batch.js';

interface HandlerQueueOptions {
  /** Messages handed to the handler at once, at most (what was added at once is never divided). */
  maxBatchMessages: number;
  /** Bytes of values handed to it at once, with the same exception. */
  maxBatchBytes: number;
  /** Batches under way at once: two let one be computed while the other is stored. */
  concurrency: number;
  /**
   * Milliseconds that what is smaller than 64 KiB waits, at most, for the end of the batch under way instead of making
   * one of its own: that batch may be waiting for the DNS.
   */
  maxGatheringMs: number;
  /** Whether what is added comes from clients that go on as soon as theirs is done, so that little waits for them. */
  waitsForNext: boolean;
  /** Publishes dead letters. Its errors fail the batch. */
  publish(letters: readonly DeadLetter[], context: HandlerContext): Promise<void>;
}

/** Of the mean time that a batch takes, what is kept for the next one. */
const BATCH_TIME_MARGIN = 2;
const MIN_BATCH_TIME_MS = 50;
/** How much the last batch counts in the moving average. */
const BATCH_TIME_WEIGHT = 0.2;

/** Milliseconds that little waits for what clients send next: these, or half of the mean time that a batch takes. */
const MIN_WAIT_FOR_NEXT_MS = 2;
const WAIT_FOR_NEXT_SHARE = 0.5;

/** Bytes that start a second batch while one is under way. */
const MIN_OVERLAP_BYTES = 64 * 1024;

/** What was added, while it waits and while it is handled. */
class Entry {
  /** Resolves when the handler is done with the messages and their dead letters are kept. */
  readonly done: Promise<void>;
  readonly bytes: number;
  state: 'waiting' | 'started' | 'handled' | 'failed' = 'waiting';
  private readonly settlers = Promise.withResolvers<void>();

  /** @param latestStart on the clock of `performance.now()`, as is the deadline. */
  constructor(
    readonly messages: readonly Delivery[],
    readonly deadline: number,
    readonly latestStart: number,
  ) {
    this.bytes = messages.reduce((sum, { bytes }) => sum + bytes, 0);
    this.done = this.settlers.promise;
    // The caller may have given up, and then nobody listens any more.
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

/** Everything added in this turn of the event loop gathers. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export type QueueEntry = Pick<Entry, 'done' | 'state' | 'latestStart'>;

const tooLate = (): BusUnavailableError =>
  new BusUnavailableError('the messages cannot be handled before the deadline', { reason: 'late' });

const cutOff = (cause: unknown): BusUnavailableError =>
  new BusUnavailableError('the messages were handled, but not to the end', { reason: 'cut_off', cause });

/**
 * What waits in front of one handler. What is added while the handler is busy gathers, and the next batch takes all
 * of it; an outage fails everything in a batch, a bug only what it is due to. What was refused is never handled.
 */
export class HandlerQueue {
  /** Of what waits and of what is under way. */
  bytes = 0;
  private readonly waiting: Entry[] = [];
  private waitingBytes = 0;
  private gathering: NodeJS.Timeout | undefined;
  /** Set while the next batch waits for more; to be called when something was added. */
  private onAdded: (() => void) | undefined;
  private active = 0;
  /** Moving average, in milliseconds. */
  private batchTime = 0;

  constructor(
    readonly subscription: Subscription,
    private readonly options: HandlerQueueOptions,
  ) {}

  /** @param deadline on the clock of `performance.now()`; what could not end before it is refused, not handled. */
  add(messages: readonly Delivery[], deadline = Infinity): QueueEntry {
    const now = performance.now();
    const timeToHandle = Math.max(MIN_BATCH_TIME_MS, this.batchTime * BATCH_TIME_MARGIN);
    // However slow the last batches were, one has to be tried to see that they no longer are.
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

  /** Takes what waits out of the queue and refuses it; does nothing once its handler has started. */
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

  /** One more batch, if there may be one. */
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
        // Left to the batch under way: two of them by turns would each be half as large.
        if (this.waiting.length > 0) this.beginLater();
        break;
      }
      await this.waitForNext(entries.length);
    }
    this.active -= 1;
  }

  /**
   * Waits until as many entries are there as waited and were handled when the batch ended, for a moment at most. So one
   * statement stores the visits of all clients that send one after the other; a client that is alone waits for nobody.
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

  /** What cannot be handled in time is refused here: it is stored in full or not at all. */
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
      // An outage meets all alike. A bug may be due to one of them: the others must not pay for it.
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
      // Whether the letters were late or met a full queue says nothing about the messages: the handler is done with those.
      throw error instanceof BusUnavailableError ? cutOff(error) : error;
    }
  }
}

/** Returns a queue's values for metrics. */
export const waitingIn = ({ bytes, subscription: { topic, group } }: HandlerQueue) => ({
  topic: topic.name,
  group,
  bytes,
});
