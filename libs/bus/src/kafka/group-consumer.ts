import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { errorMessage, type Logger } from '#libs/platform';
import { BusUnavailableError, TransientError } from '../bus.js';
import { busMetrics, retriedBatches } from '../bus-metrics.js';
import { EncodedDelivery } from '../delivery.js';
import type { HandlerQueue } from '../handler-queue.js';
import type { ReceivedMessage } from '../message.js';
import { receivedFrom } from './received.js';

/** Milliseconds without a heartbeat until a member's partitions are reassigned. */
export const SESSION_TIMEOUT_MS = 6_000;
const HEARTBEAT_INTERVAL_MS = 1_500;
const REBALANCE_TIMEOUT_MS = 8_000;
/** Milliseconds that a broker waits for messages before it returns an empty fetch. */
const FETCH_WAIT_MS = 1_000;
const MIB = 1024 * 1024;
/** Maximum messages and bytes of a partition handled at once. Its offset advances after each chunk. */
const CHUNK = { messages: 500, bytes: MIB };
/** Partitions handled concurrently. High enough for all partitions of a member, so one fetch becomes one batch. */
const PARTITIONS_AT_ONCE = 64;
const RESTART_DELAY_MS = 1_000;
const BACK_OFF = { first: 200, longest: 5_000 };
/** Number of failures, other than outages, after which a chunk ends the process. Its offset is not committed. */
const MAX_BUGS = 8;

interface GroupConsumerOptions {
  group: string;
  /** One queue per topic. */
  queues: readonly HandlerQueue[];
  /** Called when this process must end, because it can't recover. */
  onFatal(error: Error): void;
}

/** Member of a consumer group. Fetches messages, passes them to the handler queues and commits their offsets. */
export class GroupConsumer {
  /** Time of the last fetch or acknowledged heartbeat, on the `performance.now()` clock. */
  lastActive = performance.now();
  /** Partitions whose lag is exported. */
  private readonly partitions = new Map<string, { topic: string; partition: number }>();
  private consumer: Consumer | null = null;
  private closing = false;
  private running: Promise<void> | null = null;
  /** Commit scheduled for the current event-loop tick. */
  private committing: Promise<void> | null = null;

  constructor(
    private readonly kafka: Kafka,
    private readonly options: GroupConsumerOptions,
    private readonly logger: Logger,
  ) {}

  get group(): string {
    return this.options.group;
  }

  /** Returns why the member isn't consuming, or null if it is. */
  fault(): string | null {
    const idle = performance.now() - this.lastActive;
    if (this.consumer === null) return `group ${this.group} is not connected`;
    return idle > 3 * SESSION_TIMEOUT_MS
      ? `group ${this.group} has not fetched for ${Math.round(idle / 1_000)} s`
      : null;
  }

  /** Consumes until closed. If a kafkajs consumer gives up, a new one replaces it. */
  start(): void {
    this.running = this.consumeForEver();
  }

  /** Leaves the group. Chunks that don't finish within a heartbeat interval stay uncommitted and are redelivered. */
  async close(): Promise<void> {
    this.closing = true;
    await this.consumer?.disconnect().catch(() => undefined);
    await this.running;
  }

  private async consumeForEver(): Promise<void> {
    while (!this.closing) {
      try {
        const reason = await this.consume();
        if (!this.closing) {
          this.logger.warn({ group: this.group, ...aboutEnd(reason) }, 'the consumer gave up; it starts again');
        }
      } catch (error) {
        this.logger.debug({ group: this.group, err: error }, 'the consumer cannot start yet');
      }
      this.consumer = null;
      if (!this.closing) await sleep(RESTART_DELAY_MS);
    }
  }

  /**
   * Runs one kafkajs consumer.
   *
   * @returns the error that stopped it, or null if it was closed.
   * @throws if it can't start.
   */
  private async consume(): Promise<Error | null> {
    const consumer = this.kafka.consumer({
      groupId: this.group,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_INTERVAL_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytesPerPartition: 3 * MIB,
      maxBytes: 8 * MIB,
      allowAutoTopicCreation: false,
      // Disable kafkajs's own restart, which doesn't recover from every fault. `consumeForEver` creates a new consumer.
      retry: { retries: 4, initialRetryTime: 200, maxRetryTime: 1_000, restartOnFailure: async () => false },
    });
    const ended = Promise.withResolvers<Error | null>();
    const active = (): void => {
      this.lastActive = performance.now();
    };
    consumer.on('consumer.fetch', active);
    consumer.on('consumer.heartbeat', active);
    // Partitions that moved to another member would be counted twice.
    consumer.on('consumer.group_join', ({ payload }) => this.forgetLagBut(payload.memberAssignment));
    consumer.on('consumer.crash', ({ payload }) => ended.resolve(payload.error));
    consumer.on('consumer.disconnect', () => this.closing && ended.resolve(null));
    await consumer.connect();
    this.consumer = consumer;
    active();
    await consumer.subscribe({
      topics: this.options.queues.map(({ subscription }) => subscription.topic.name),
      // Include messages that were published before the group had members.
      fromBeginning: true,
    });
    await consumer.run({
      eachBatchAutoResolve: false,
      autoCommit: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: (payload) => this.handle(payload),
    });
    const reason = await ended.promise;
    await consumer.disconnect().catch(() => undefined);
    return reason;
  }

  private forgetLagBut(assigned: Record<string, number[]>): void {
    for (const [key, { topic, partition }] of this.partitions) {
      if (assigned[topic]?.includes(partition)) continue;
      this.partitions.delete(key);
      busMetrics.lag.remove({ topic, group: this.group, partition });
    }
  }

  private setLag(topic: string, partition: number, messages: string): void {
    this.partitions.set(`${topic}:${partition}`, { topic, partition });
    busMetrics.lag.set({ topic, group: this.group, partition }, Number(messages));
  }

  private async handle(payload: EachBatchPayload): Promise<void> {
    try {
      await this.handleInChunks(payload);
    } finally {
      // Also commits chunks that were finished before a rebalance.
      await this.commit(payload);
    }
  }

  /** Commits all partitions that finish in the same event-loop tick with one request. */
  private commit({ uncommittedOffsets, commitOffsetsIfNecessary }: EachBatchPayload): Promise<void> {
    return (this.committing ??= nextTurn().then(() => {
      this.committing = null;
      return commitOffsetsIfNecessary(uncommittedOffsets());
    }));
  }

  private async handleInChunks(payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, resolveOffset, isRunning, isStale } = payload;
    const { topic, partition, messages } = batch;
    this.setLag(topic, partition, batch.offsetLagLow());
    const queue = this.options.queues.find(({ subscription }) => subscription.topic.name === topic)!;
    for (let from = 0; from < messages.length;) {
      if (!isRunning() || isStale()) return;
      const to = chunkEnd(messages, from);
      const chunk = messages.slice(from, to).map((message) => receivedFrom(topic, partition, message));
      from = to;
      const isDone = await this.untilDone(queue, chunk, { heartbeat, isGone: () => !isRunning() || isStale() });
      if (!isDone) return;
      resolveOffset(chunk.at(-1)!.offset!);
      await heartbeat();
    }
    this.setLag(topic, partition, batch.offsetLag());
  }

  /**
   * Handles messages, retrying until they succeed or the partition is lost.
   *
   * @returns false if the partition is lost.
   * @throws heartbeat errors, for example during a rebalance.
   */
  private async untilDone(queue: HandlerQueue, messages: ReceivedMessage[], membership: Membership): Promise<boolean> {
    const {
      topic: { name: topic },
      group,
    } = queue.subscription;
    const deliveries = messages.map((message) => new EncodedDelivery(queue.subscription.topic, message));
    const retried = { topic, group, since: performance.now() };
    let delay = BACK_OFF.first;
    let bugs = 0;
    try {
      while (!membership.isGone()) {
        const result = await whileBeating(queue.add(deliveries).done, membership);
        if (result === 'done') return true;
        if (result === 'gone') return false;
        retriedBatches.add(retried);
        const { error } = result;
        const position = { topic: messages[0]!.topic, partition: messages[0]!.partition, offset: messages[0]!.offset };
        if (error instanceof TransientError || error instanceof BusUnavailableError) {
          this.logger.warn({ ...position, reason: reasonsOf(error), retryIn: delay }, 'a batch waits for what is away');
        } else {
          this.logger.error({ ...position, err: error, retryIn: delay }, 'a batch failed; it comes again');
          bugs += 1;
        }
        if (bugs === MAX_BUGS) this.options.onFatal(error);
        await whileBeating(sleep(delay), membership);
        delay = Math.min(delay * 2, BACK_OFF.longest);
      }
      return false;
    } finally {
      retriedBatches.delete(retried);
    }
  }
}

function chunkEnd(messages: readonly KafkaMessage[], from: number): number {
  let bytes = 0;
  let to = from;
  while (to < messages.length && to - from < CHUNK.messages && bytes < CHUNK.bytes) {
    bytes += messages[to]!.value?.length ?? 0;
    to += 1;
  }
  return to;
}

/** Returns the messages of an error and its causes on one line. */
const reasonsOf = (error: Error): string =>
  error.cause instanceof Error && !error.message.includes(error.cause.message)
    ? `${errorMessage(error)}: ${reasonsOf(error.cause)}`
    : errorMessage(error);

/** Returns log fields for the error that stopped a consumer. Errors from kafkajs are clear without a stack trace. */
const aboutEnd = (error: Error | null): object =>
  error?.name.startsWith('KafkaJS') ? { reason: reasonsOf(error) } : { err: error };

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Membership {
  heartbeat(): Promise<void>;
  /** Whether the partition was reassigned or the consumer is closing. */
  isGone(): boolean;
}

/**
 * Waits for work and sends heartbeats in the meantime.
 *
 * Stops waiting if the partition is lost. The work's messages are then redelivered to the partition's next owner.
 *
 * @throws heartbeat errors.
 */
async function whileBeating(
  work: Promise<void>,
  { heartbeat, isGone }: Membership,
): Promise<'done' | 'gone' | { error: Error }> {
  const ended = Promise.withResolvers<'gone'>();
  const timer = setInterval(() => {
    if (isGone()) ended.resolve('gone');
    else heartbeat().catch(ended.reject);
  }, HEARTBEAT_INTERVAL_MS);
  const outcome = work.then(
    () => 'done' as const,
    (error: Error) => ({ error }),
  );
  try {
    return await Promise.race([outcome, ended.promise]);
  } finally {
    clearInterval(timer);
  }
}
