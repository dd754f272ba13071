import { TOPICS } from '#libs/contracts';
import { Bus, BusUnavailableError, TransientError } from './bus.js';
import type { BusMessage, Outcome, ReceivedMessage, Subscription } from './bus.js';
import { busMetrics } from './bus-metrics.js';
import { deadLetter } from './dead-letter.js';
import { handleBatch } from './handle-batch.js';

export interface InProcessBusOptions {
  /** Milliseconds after which a publication counts as failed; its work goes on, so its fate is then unknown. */
  deadline?: number;
  /** Bytes that may wait in front of a handler; what comes on top is refused at once. */
  maxQueuedBytes?: number;
  /** Messages handed to a handler at once, at most (one publication is never divided). */
  maxBatchMessages?: number;
  /** Batches of one subscription under way at once: two let one be computed while the other is stored. */
  concurrency?: number;
}

interface Entry {
  messages: ReceivedMessage[];
  bytes: number;
  resolve(): void;
  reject(error: unknown): void;
}

interface Lane extends Subscription {
  waiting: Entry[];
  /** Of what waits and of what is under way. */
  bytes: number;
  active: number;
}

/**
 * Joins the services of one process: `publish` resolves when every handler has finished, so what the handlers
 * wrote is committed. What arrives while they are busy gathers, and the next batch takes all of it.
 */
export class InProcessBus extends Bus {
  private readonly lanes = new Map<string, Lane[]>();
  private readonly options: Required<InProcessBusOptions>;
  private underWay = 0;
  private started = false;
  private closing = false;
  private drained: (() => void) | null = null;

  constructor(options: InProcessBusOptions = {}) {
    super();
    this.options = {
      deadline: 2_000,
      maxQueuedBytes: 128 * 1024 * 1024,
      maxBatchMessages: 2_000,
      concurrency: 2,
      ...options,
    };
  }

  subscribe(subscription: Subscription): void {
    const lanes = this.lanes.get(subscription.topic) ?? [];
    if (lanes.some((lane) => lane.group === subscription.group)) {
      throw new Error(`group ${subscription.group} has two handlers for ${subscription.topic}`);
    }
    lanes.push({ ...subscription, waiting: [], bytes: 0, active: 0 });
    this.lanes.set(subscription.topic, lanes);
  }

  async start(): Promise<void> {
    for (const topic of Object.values(TOPICS)) {
      if (!this.lanes.has(topic)) throw new Error(`nobody handles ${topic}`);
    }
    this.started = true;
  }

  async close(): Promise<void> {
    this.closing = true;
    if (this.underWay === 0) return;
    await new Promise<void>((resolve) => {
      this.drained = resolve;
    });
  }

  fault(): string | null {
    if (this.closing) return 'closing';
    return this.started ? null : 'not started';
  }

  async publish(messages: readonly BusMessage[]): Promise<void> {
    // Handlers publish too: while closing, what is under way may still finish.
    if (!this.started || (this.closing && this.underWay === 0)) throw new BusUnavailableError('the bus is closed');
    if (messages.length === 0) return;
    this.underWay += 1;
    let timer: NodeJS.Timeout | undefined;
    try {
      const work = [...groupByTopic(messages)].flatMap(([topic, group]) =>
        (this.lanes.get(topic) ?? []).map((lane) => this.enqueue(lane, group)),
      );
      const deadline = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new BusUnavailableError('not safe within the deadline')),
          this.options.deadline,
        );
      });
      await Promise.race([Promise.all(work), deadline]);
      for (const message of messages) busMetrics.published.inc({ topic: message.topic });
    } catch (error) {
      busMetrics.publishFailures.inc({ topic: messages[0]!.topic });
      if (error instanceof BusUnavailableError) throw error;
      throw new BusUnavailableError('a consumer failed', { cause: error });
    } finally {
      clearTimeout(timer);
      this.underWay -= 1;
      if (this.underWay === 0) this.drained?.();
    }
  }

  private enqueue(lane: Lane, messages: readonly BusMessage[]): Promise<void> {
    const bytes = messages.reduce((sum, message) => sum + message.value.length, 0);
    if (lane.bytes > 0 && lane.bytes + bytes > this.options.maxQueuedBytes) {
      return Promise.reject(new BusUnavailableError('too much is waiting'));
    }
    lane.bytes += bytes;
    const received = messages.map((message) => ({ ...message, partition: null, offset: null }));
    const done = new Promise<void>((resolve, reject) =>
      lane.waiting.push({ messages: received, bytes, resolve, reject }),
    );
    // A publication whose deadline passed has nobody left to listen.
    done.catch(() => undefined);
    if (lane.active < this.options.concurrency) void this.work(lane);
    return done;
  }

  private async work(lane: Lane): Promise<void> {
    lane.active += 1;
    // Everything published in this turn of the event loop gathers first.
    await new Promise((resolve) => setImmediate(resolve));
    while (lane.waiting.length > 0) {
      const entries = this.takeBatch(lane);
      await this.settle(lane, entries);
      for (const entry of entries) lane.bytes -= entry.bytes;
    }
    lane.active -= 1;
  }

  private takeBatch(lane: Lane): Entry[] {
    let messages = 0;
    let count = 0;
    while (count < lane.waiting.length) {
      messages += lane.waiting[count]!.messages.length;
      if (count > 0 && messages > this.options.maxBatchMessages) break;
      count += 1;
    }
    return lane.waiting.splice(0, count);
  }

  private async settle(lane: Lane, entries: Entry[]): Promise<void> {
    try {
      const messages = entries.length === 1 ? entries[0]!.messages : entries.flatMap((entry) => entry.messages);
      const outcomes = await handleBatch(lane, messages);
      await this.publishDeadLetters(lane, messages, outcomes);
      for (const entry of entries) entry.resolve();
    } catch (error) {
      // An outage meets all alike. A bug may be due to one publication: the others must not pay for it.
      if (entries.length === 1 || error instanceof TransientError || error instanceof BusUnavailableError) {
        for (const entry of entries) entry.reject(error);
      } else {
        for (const entry of entries) await this.settle(lane, [entry]);
      }
    }
  }

  private async publishDeadLetters(
    lane: Lane,
    messages: ReceivedMessage[],
    outcomes: readonly Outcome[],
  ): Promise<void> {
    const letters: BusMessage[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      // A dead letter that can't be kept has nowhere else to go: that is the caller's failure.
      if (outcome.kind !== 'dead-letter') continue;
      if (lane.topic === TOPICS.visitsDeadLetter) throw new Error(`a dead letter was refused: ${outcome.detail}`);
      letters.push(
        deadLetter(messages[index]!, { ...outcome, projectId: messages[index]!.headers['project_id'] ?? null }),
      );
    }
    if (letters.length > 0) await this.publish(letters);
  }
}

function groupByTopic(messages: readonly BusMessage[]): Map<string, BusMessage[]> {
  const groups = new Map<string, BusMessage[]>();
  for (const message of messages) {
    const group = groups.get(message.topic);
    if (group === undefined) groups.set(message.topic, [message]);
    else group.push(message);
  }
  return groups;
}
