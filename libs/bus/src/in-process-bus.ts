import { TOPICS } from '#libs/contracts';
import pTimeout from 'p-timeout';
import { Bus, BusUnavailableError } from './bus.js';
import type { BusMessage, Subscription } from './bus.js';
import { busMetrics } from './bus-metrics.js';
import { Lane } from './lane.js';

export interface InProcessBusOptions {
  /** Milliseconds after which a publication counts as failed; its work goes on, so its fate is then unknown. */
  deadline?: number;
  /** Bytes that may wait in front of a handler; what comes on top is refused at once. */
  maxQueuedBytes?: number;
  /** Messages handed to a handler at once, at most (one publication is never divided). */
  maxBatchMessages?: number;
  /** Bytes handed to a handler at once, at most, with the same exception. */
  maxBatchBytes?: number;
  /** Batches of one subscription under way at once: two let one be computed while the other is stored. */
  concurrency?: number;
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
      maxBatchBytes: 4 * 1024 * 1024,
      concurrency: 2,
      ...options,
    };
  }

  subscribe(subscription: Subscription): void {
    const lanes = this.lanes.get(subscription.topic) ?? [];
    if (lanes.some((lane) => lane.subscription.group === subscription.group)) {
      throw new Error(`group ${subscription.group} has two handlers for ${subscription.topic}`);
    }
    lanes.push(new Lane(subscription, { ...this.options, publish: (letters) => this.publish(letters) }));
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
    try {
      const work = [...Map.groupBy(messages, (message) => message.topic)].flatMap(([topic, group]) =>
        (this.lanes.get(topic) ?? []).map((lane) => this.enqueue(lane, group)),
      );
      const late = (): never => {
        throw new BusUnavailableError('not safe within the deadline');
      };
      await pTimeout(Promise.all(work), { milliseconds: this.options.deadline, fallback: late });
      for (const message of messages) busMetrics.published.inc({ topic: message.topic });
    } catch (error) {
      busMetrics.publishFailures.inc({ topic: messages[0]!.topic });
      if (error instanceof BusUnavailableError) throw error;
      throw new BusUnavailableError('a consumer failed', { cause: error });
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) this.drained?.();
    }
  }

  private enqueue(lane: Lane, messages: readonly BusMessage[]): Promise<void> {
    const bytes = messages.reduce((sum, message) => sum + message.value.length, 0);
    if (lane.bytes > 0 && lane.bytes + bytes > this.options.maxQueuedBytes) {
      return Promise.reject(new BusUnavailableError('too much is waiting'));
    }
    return lane.add(messages.map((message) => ({ ...message, partition: null, offset: null })));
  }
}
