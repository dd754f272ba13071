import { OUTBOUND_TOPICS, TOPICS } from '#libs/contracts';
import { isFulfilledWithin } from '#libs/platform';
import { Bus, BusUnavailableError } from './bus.js';
import type { HandlerContext, Subscription } from './bus.js';
import { backlogReaders, busMetrics } from './bus-metrics.js';
import { type Delivery, EncodedDelivery, ValueDelivery } from './delivery.js';
import { HandlerQueue, getBacklog, type QueueEntry } from './handler-queue.js';
import type { EncodedMessage } from './message.js';
import type { Publication, Topic } from './topic.js';
import { DEAD_LETTERS } from './topics/dead-letters.js';

export interface InProcessBusOptions {
  /**
   * Milliseconds until a publication fails. Default: 2000.
   *
   * Messages that are still waiting are rejected and never handled. A running handler continues, so its messages may
   * still be stored. They count as cut off.
   */
  timeoutMs?: number;
  /** Maximum bytes of messages that are waiting or being handled. Beyond this, publications fail immediately. */
  maxQueuedBytes?: number;
  /** Maximum messages per handler call. A publication is never split, so a call can exceed this limit. */
  maxBatchMessages?: number;
  /** Maximum bytes per handler call. A publication is never split, so a call can exceed this limit. */
  maxBatchBytes?: number;
  /** Maximum concurrent handler calls per subscription. With two, one batch is computed while the other is stored. */
  concurrency?: number;
  /** Maximum time that a small batch waits for more messages while another batch is running, in milliseconds. */
  maxGatheringMs?: number;
}

/**
 * Bus between services in a single process.
 *
 * `publish` resolves when all handlers have finished, so their writes are committed. Messages that arrive while a
 * handler is busy form its next batch.
 */
export class InProcessBus extends Bus {
  private readonly queues = new Map<string, HandlerQueue[]>();
  private readonly options: Required<InProcessBusOptions>;
  private inFlight = 0;
  private isStarted = false;
  private isClosing = false;
  private onDrained: (() => void) | null = null;

  constructor(options: InProcessBusOptions = {}) {
    super();
    this.options = {
      timeoutMs: 2_000,
      maxQueuedBytes: 128 * 1024 * 1024,
      maxBatchMessages: 2_000,
      // Computing a batch blocks the event loop. Larger batches would delay everything else, including rejections.
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
      throw new Error(`group ${group} already has a handler for ${topic.name}`);
    }
    queues.push(
      new HandlerQueue(subscription, {
        ...this.options,
        waitsForFollowUps: true,
        publish: (letters, context) => this.publish(DEAD_LETTERS, letters, context),
      }),
    );
    this.queues.set(topic.name, queues);
  }

  async start(): Promise<void> {
    for (const topic of Object.values(TOPICS)) {
      if (!this.queues.has(topic) && !OUTBOUND_TOPICS.has(topic)) throw new Error(`topic ${topic} has no handler`);
    }
    this.isStarted = true;
    backlogReaders.add(this.getBacklog);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    backlogReaders.delete(this.getBacklog);
    if (this.inFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.onDrained = resolve;
    });
  }

  getFault(): string | null {
    if (this.isClosing) return 'closing';
    return this.isStarted ? null : 'not started';
  }

  override get isHandling(): boolean {
    return this.inFlight > 0;
  }

  publishAll(publications: readonly Publication[], context?: HandlerContext): Promise<void> {
    const batches = publications.map(({ topic: { name }, values }) => ({
      topic: name as string,
      count: values.length,
      createDeliveries: (topic: Topic<unknown>) => values.map((value) => new ValueDelivery(topic, value)),
    }));
    return this.handleAll(batches, context);
  }

  publishEncoded(messages: readonly EncodedMessage[]): Promise<void> {
    const byTopic = Map.groupBy(messages, ({ topic }) => topic);
    const batches = [...byTopic].map(([name, group]) => ({
      topic: name,
      count: group.length,
      createDeliveries: (topic: Topic<unknown>) => group.map((message) => new EncodedDelivery(topic, message)),
    }));
    return this.handleAll(batches);
  }

  private async handleAll(batches: readonly Batch[], context: HandlerContext = { deadline: Infinity }): Promise<void> {
    // Running handlers can still publish while the bus is closing.
    if (!this.isStarted || (this.isClosing && this.inFlight === 0)) throw new BusUnavailableError('the bus is closed');
    const nonEmptyBatches = batches.filter(({ count }) => count > 0);
    if (nonEmptyBatches.length === 0) return;
    this.inFlight += 1;
    const queuedEntries: QueuedEntry[] = [];
    const deadline = Math.min(performance.now() + this.options.timeoutMs, context.deadline);
    let expiry: NodeJS.Timeout | undefined;
    try {
      for (const { topic, createDeliveries } of nonEmptyBatches) {
        for (const queue of this.queues.get(topic) ?? []) {
          queuedEntries.push(this.enqueue(queue, createDeliveries(queue.subscription.topic), deadline));
        }
      }
      const latestStart = Math.min(...queuedEntries.map(({ entry }) => entry.latestStart));
      expiry = setTimeout(() => cancel(queuedEntries), Math.max(0, latestStart - performance.now()));
      const done = Promise.all(queuedEntries.map(({ entry }) => entry.done));
      if (!(await isFulfilledWithin(done, Math.max(1, deadline - performance.now())))) {
        throw new BusUnavailableError('the messages were not handled before the deadline', { reason: 'late' });
      }
      for (const { topic, count } of nonEmptyBatches) busMetrics.published.inc({ topic }, count);
    } catch (error) {
      // A publication fails as a whole, so its waiting messages are canceled.
      cancel(queuedEntries);
      const busError = toBusError(error, queuedEntries);
      busMetrics.publishFailures.inc({ topic: nonEmptyBatches[0]!.topic, reason: busError.reason });
      throw busError;
    } finally {
      clearTimeout(expiry);
      this.inFlight -= 1;
      if (this.inFlight === 0) this.onDrained?.();
    }
  }

  private readonly getBacklog = () => [...this.queues.values()].flat().map(getBacklog);

  private enqueue(queue: HandlerQueue, messages: readonly Delivery[], deadline: number): QueuedEntry {
    const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
    if (queue.bytes > 0 && queue.bytes + bytes > this.options.maxQueuedBytes) {
      throw new BusUnavailableError('the queue is full', { reason: 'queue_full' });
    }
    return { queue, entry: queue.add(messages, deadline) };
  }
}

interface Batch {
  topic: string;
  count: number;
  createDeliveries(topic: Topic<unknown>): Delivery[];
}

interface QueuedEntry {
  queue: HandlerQueue;
  entry: QueueEntry;
}

function cancel(queuedEntries: readonly QueuedEntry[]): void {
  for (const { queue, entry } of queuedEntries) queue.cancel(entry);
}

/** Returns the error for the publisher. `late` becomes `cut_off` if a handler has started on any of the messages. */
function toBusError(error: unknown, queuedEntries: readonly QueuedEntry[]): BusUnavailableError {
  if (!(error instanceof BusUnavailableError)) {
    return new BusUnavailableError('a consumer failed', { cause: error, reason: 'failed' });
  }
  const isCutOff = error.reason === 'late' && queuedEntries.some(({ entry }) => /started|handled/.test(entry.state));
  if (!isCutOff) return error;
  return new BusUnavailableError('the deadline passed while the messages were being handled', {
    cause: error,
    reason: 'cut_off',
  });
}
