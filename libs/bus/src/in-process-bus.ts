import { OUTBOUND_TOPICS, TOPICS } from '#libs/contracts';
import { isFulfilledWithin } from '#libs/platform';
import { Bus, BusUnavailableError } from './bus.js';
import type { HandlerContext, Subscription } from './bus.js';
import { busesWaiting, busMetrics } from './bus-metrics.js';
import { type Delivery, EncodedDelivery, ValueDelivery } from './delivery.js';
import { HandlerQueue, waitingIn, type QueueEntry } from './handler-queue.js';
import type { EncodedMessage } from './message.js';
import type { Publication, Topic } from './topic.js';
import { DEAD_LETTERS } from './topics/dead-letters.js';

export interface InProcessBusOptions {
  /**
   * Milliseconds until a publication fails. Default: 2,000.
   *
   * Messages that are still waiting are rejected and never handled. A running handler continues, so its messages may
   * still be stored: they count as cut off.
   */
  timeoutMs?: number;
  /** Maximum bytes waiting for a handler or being handled. Further publications fail immediately. */
  maxQueuedBytes?: number;
  /** Maximum messages per handler call. A publication is never split, so a call can exceed it. */
  maxBatchMessages?: number;
  /** Maximum bytes per handler call, with the same exception. */
  maxBatchBytes?: number;
  /** Maximum concurrent handler calls per subscription. With two, one batch is computed while the other is stored. */
  concurrency?: number;
  /** Maximum milliseconds that a small batch waits for the running one to finish. */
  maxGatheringMs?: number;
}

/**
 * Bus between services in one process.
 *
 * `publish` resolves when every handler has finished, so their writes are committed. Messages that arrive while a
 * handler is busy form its next batch.
 */
export class InProcessBus extends Bus {
  private readonly queues = new Map<string, HandlerQueue[]>();
  private readonly options: Required<InProcessBusOptions>;
  private underWay = 0;
  private started = false;
  private closing = false;
  private drained: (() => void) | null = null;

  constructor(options: InProcessBusOptions = {}) {
    super();
    this.options = {
      timeoutMs: 2_000,
      maxQueuedBytes: 128 * 1024 * 1024,
      maxBatchMessages: 2_000,
      // Computing a batch blocks the event loop, so larger batches would delay everything else, including rejections.
      maxBatchBytes: 256 * 1024,
      concurrency: 2,
      maxGatheringMs: 10,
      ...options,
    };
  }

  subscribe<T>(subscription: Subscription<T>): void {
    const { topic, group } = subscription;
    const queues = this.queues.get(topic.name) ?? [];
    if (queues.some((queue) => queue.subscription.group === group)) {
      throw new Error(`group ${group} has two handlers for ${topic.name}`);
    }
    queues.push(
      new HandlerQueue(subscription, {
        ...this.options,
        waitsForNext: true,
        publish: (letters, context) => this.publish(DEAD_LETTERS, letters, context),
      }),
    );
    this.queues.set(topic.name, queues);
  }

  async start(): Promise<void> {
    for (const topic of Object.values(TOPICS)) {
      if (!this.queues.has(topic) && !OUTBOUND_TOPICS.has(topic)) throw new Error(`nobody handles ${topic}`);
    }
    this.started = true;
    busesWaiting.add(this.waiting);
  }

  async close(): Promise<void> {
    this.closing = true;
    busesWaiting.delete(this.waiting);
    if (this.underWay === 0) return;
    await new Promise<void>((resolve) => {
      this.drained = resolve;
    });
  }

  fault(): string | null {
    if (this.closing) return 'closing';
    return this.started ? null : 'not started';
  }

  override get isHandling(): boolean {
    return this.underWay > 0;
  }

  publishAll(publications: readonly Publication[], context?: HandlerContext): Promise<void> {
    const batches = publications.map(({ topic: { name }, values }) => ({
      topic: name as string,
      count: values.length,
      deliveriesTo: (topic: Topic<unknown>) => values.map((value) => new ValueDelivery(topic, value)),
    }));
    return this.handleAll(batches, context);
  }

  publishEncoded(messages: readonly EncodedMessage[]): Promise<void> {
    const byTopic = Map.groupBy(messages, ({ topic }) => topic);
    const batches = [...byTopic].map(([name, group]) => ({
      topic: name,
      count: group.length,
      deliveriesTo: (topic: Topic<unknown>) => group.map((message) => new EncodedDelivery(topic, message)),
    }));
    return this.handleAll(batches);
  }

  private async handleAll(batches: readonly Batch[], context: HandlerContext = { deadline: Infinity }): Promise<void> {
    // While the bus is closing, running handlers may still publish.
    if (!this.started || (this.closing && this.underWay === 0)) throw new BusUnavailableError('the bus is closed');
    const published = batches.filter(({ count }) => count > 0);
    if (published.length === 0) return;
    this.underWay += 1;
    const waits: Wait[] = [];
    const deadline = Math.min(performance.now() + this.options.timeoutMs, context.deadline);
    let expiry: NodeJS.Timeout | undefined;
    try {
      for (const { topic, deliveriesTo } of published) {
        for (const queue of this.queues.get(topic) ?? []) {
          waits.push(this.enqueue(queue, deliveriesTo(queue.subscription.topic), deadline));
        }
      }
      const latestStart = Math.min(...waits.map(({ entry }) => entry.latestStart));
      expiry = setTimeout(() => cancel(waits), Math.max(0, latestStart - performance.now()));
      const done = Promise.all(waits.map(({ entry }) => entry.done));
      if (!(await isFulfilledWithin(done, Math.max(1, deadline - performance.now())))) {
        throw new BusUnavailableError('not safe within the deadline', { reason: 'late' });
      }
      for (const { topic, count } of published) busMetrics.published.inc({ topic }, count);
    } catch (error) {
      // A publication fails as a whole, so cancel its waiting messages.
      cancel(waits);
      const refusal = refusalOf(error, waits);
      busMetrics.publishFailures.inc({ topic: published[0]!.topic, reason: refusal.reason });
      throw refusal;
    } finally {
      clearTimeout(expiry);
      this.underWay -= 1;
      if (this.underWay === 0) this.drained?.();
    }
  }

  private readonly waiting = () => [...this.queues.values()].flat().map(waitingIn);

  private enqueue(queue: HandlerQueue, messages: readonly Delivery[], deadline: number): Wait {
    const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
    if (queue.bytes > 0 && queue.bytes + bytes > this.options.maxQueuedBytes) {
      throw new BusUnavailableError('too much is waiting', { reason: 'queue_full' });
    }
    return { queue, entry: queue.add(messages, deadline) };
  }
}

interface Batch {
  topic: string;
  count: number;
  deliveriesTo(topic: Topic<unknown>): Delivery[];
}

interface Wait {
  queue: HandlerQueue;
  entry: QueueEntry;
}

function cancel(waits: readonly Wait[]): void {
  for (const { queue, entry } of waits) queue.cancel(entry);
}

/** Returns the error for the publisher. `late` becomes `cut_off` if a handler has started on any of the messages. */
function refusalOf(error: unknown, waits: readonly Wait[]): BusUnavailableError {
  if (!(error instanceof BusUnavailableError)) {
    return new BusUnavailableError('a consumer failed', { cause: error, reason: 'failed' });
  }
  const isCutOff = error.reason === 'late' && waits.some(({ entry }) => /started|handled/.test(entry.state));
  if (!isCutOff) return error;
  return new BusUnavailableError('the deadline passed while the messages were handled', {
    cause: error,
    reason: 'cut_off',
  });
}
