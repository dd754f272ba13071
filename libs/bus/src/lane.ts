import { TOPICS } from '#libs/contracts';
import { BusUnavailableError, TransientError } from './bus.js';
import type { BusMessage, Outcome, ReceivedMessage, Subscription } from './bus.js';
import { deadLetter } from './dead-letter.js';
import { handleBatch } from './handle-batch.js';

export interface LaneOptions {
  /** Messages handed to the handler at once, at most (what was added at once is never divided). */
  maxBatchMessages: number;
  /** Bytes of values handed to it at once, with the same exception. */
  maxBatchBytes: number;
  /** Batches under way at once: two let one be computed while the other is stored. */
  concurrency: number;
  /** Keeps dead letters; what it throws fails the batch. */
  publish(letters: BusMessage[]): Promise<void>;
}

interface Entry {
  messages: readonly ReceivedMessage[];
  bytes: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * What waits in front of one handler. What is added while the handler is busy gathers, and the next batch takes all
 * of it; an outage fails everything in a batch, a bug only what it is due to.
 */
export class Lane {
  /** Of what waits and of what is under way. */
  bytes = 0;
  private readonly waiting: Entry[] = [];
  private active = 0;

  constructor(
    readonly subscription: Subscription,
    private readonly options: LaneOptions,
  ) {}

  /** Resolves when the handler is done with the messages and their dead letters are kept. */
  add(messages: readonly ReceivedMessage[]): Promise<void> {
    const bytes = messages.reduce((sum, message) => sum + message.value.length, 0);
    this.bytes += bytes;
    const done = new Promise<void>((resolve, reject) => this.waiting.push({ messages, bytes, resolve, reject }));
    // Whoever added may have given up, and has nobody left to listen.
    done.catch(() => undefined);
    if (this.active < this.options.concurrency) void this.work();
    return done;
  }

  private async work(): Promise<void> {
    this.active += 1;
    // Everything added in this turn of the event loop gathers first.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const entries = this.takeBatch();
      await this.settle(entries);
      for (const entry of entries) this.bytes -= entry.bytes;
    }
    this.active -= 1;
  }

  private takeBatch(): Entry[] {
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
    return this.waiting.splice(0, count);
  }

  private async settle(entries: readonly Entry[]): Promise<void> {
    try {
      const messages = entries.length === 1 ? entries[0]!.messages : entries.flatMap((entry) => entry.messages);
      const outcomes = await handleBatch(this.subscription, messages);
      await this.keepDeadLetters(messages, outcomes);
      for (const entry of entries) entry.resolve();
    } catch (error) {
      // An outage meets all alike. A bug may be due to one of them: the others must not pay for it.
      if (entries.length === 1 || error instanceof TransientError || error instanceof BusUnavailableError) {
        for (const entry of entries) entry.reject(error);
      } else {
        for (const entry of entries) await this.settle([entry]);
      }
    }
  }

  private async keepDeadLetters(messages: readonly ReceivedMessage[], outcomes: readonly Outcome[]): Promise<void> {
    const letters: BusMessage[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind !== 'dead-letter') continue;
      // A dead letter that can't be kept has nowhere else to go.
      if (this.subscription.topic === TOPICS.visitsDeadLetter) {
        throw new Error(`a dead letter was refused: ${outcome.detail}`);
      }
      const projectId = messages[index]!.headers['project_id'] ?? null;
      letters.push(deadLetter(messages[index]!, { ...outcome, projectId }));
    }
    if (letters.length > 0) await this.options.publish(letters);
  }
}
