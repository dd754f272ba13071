import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { errorMessage, type Logger } from '#libs/platform';
import { BusUnavailableError, TransientError } from '../bus.js';
import { busMetrics, retriedBatches } from '../bus-metrics.js';
import { EncodedDelivery } from '../delivery.js';
import type { HandlerQueue } from '../handler-queue.js';
import type { ReceivedMessage } from '../message.js';
import { toReceivedMessage } from './received-message.js';

/** Time that a member can go without a heartbeat before its partitions are reassigned, in milliseconds. */
export const SESSION_TIMEOUT_MS = 6_000;
const HEARTBEAT_INTERVAL_MS = 1_500;
const REBALANCE_TIMEOUT_MS = 8_000;
/** How long a broker waits for messages before it returns an empty fetch response, in milliseconds. */
const FETCH_WAIT_MS = 1_000;
const MIB = 1024 * 1024;
/** Maximum messages and bytes of a partition to handle at once. The partition's offset advances after each chunk. */
const MAX_CHUNK = { messages: 500, bytes: MIB };
/**
 * Maximum partitions to handle concurrently. It is high enough for all of a member's partitions, so each fetch becomes
 * one batch.
 */
const MAX_CONCURRENT_PARTITIONS = 64;
const RESTART_DELAY_MS = 1_000;
const RETRY_DELAY_MS = { first: 200, longest: 5_000 };
/**
 * Number of failed attempts at a chunk, not counting outages, after which the process exits. The chunk's offset isn't
 * committed.
 */
const MAX_UNEXPECTED_FAILURES = 8;

interface GroupConsumerOptions {
  group: string;
  /** One queue per topic. */
  queues: readonly HandlerQueue[];
  /** Called if this process can't recover and must exit. */
  onFatal(error: Error): void;
}

/** Member of a consumer group. Fetches messages, passes them to the handler queues and commits their offsets. */
export class GroupConsumer {
  /** Time of the last fetch or acknowledged heartbeat, as a `performance.now()` value. */
  lastActiveAt = performance.now();
  /** Partitions whose lag is exported. */
  private readonly partitions = new Map<string, { topic: string; partition: number }>();
  private consumer: Consumer | null = null;
  private isClosing = false;
  private consumption: Promise<void> | null = null;
  /** Commit that is scheduled for the current event-loop tick. */
  private pendingCommit: Promise<void> | null = null;

  constructor(
    private readonly kafka: Kafka,
    private readonly options: GroupConsumerOptions,
    private readonly logger: Logger,
  ) {}

  get group(): string {
    return this.options.group;
  }

  /** Returns the reason why the member isn't consuming, or null if it is. */
  fault(): string | null {
    const idle = performance.now() - this.lastActiveAt;
    if (this.consumer === null) return `group ${this.group} is not connected`;
    return idle > 3 * SESSION_TIMEOUT_MS
      ? `group ${this.group} has not fetched for ${Math.round(idle / 1_000)} s`
      : null;
  }

  /** Consumes until closed. If a kafkajs consumer stops, a new one replaces it. */
  start(): void {
    this.consumption = this.consumeUntilClosed();
  }

  /**
   * Leaves the group. Chunks that don't finish within a heartbeat interval aren't committed and will be redelivered.
   */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.consumer?.disconnect().catch(() => undefined);
    await this.consumption;
  }

  private async consumeUntilClosed(): Promise<void> {
    while (!this.isClosing) {
      try {
        const reason = await this.consume();
        if (!this.isClosing) {
          this.logger.warn({ group: this.group, ...describeExit(reason) }, 'the consumer stopped; restarting it');
        }
      } catch (error) {
        this.logger.debug({ group: this.group, err: error }, "the consumer couldn't start; retrying");
      }
      this.consumer = null;
      if (!this.isClosing) await sleep(RESTART_DELAY_MS);
    }
  }

  /**
   * Runs one kafkajs consumer.
   *
   * @returns The error that stopped the consumer, or null if it was closed.
   * @throws {Error} if the consumer can't start.
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
      // Disables kafkajs's own restarts, which don't recover from all faults. `consumeUntilClosed` creates a new consumer
      // instead.
      retry: { retries: 4, initialRetryTime: 200, maxRetryTime: 1_000, restartOnFailure: async () => false },
    });
    const exit = Promise.withResolvers<Error | null>();
    const recordActivity = (): void => {
      this.lastActiveAt = performance.now();
    };
    consumer.on('consumer.fetch', recordActivity);
    consumer.on('consumer.heartbeat', recordActivity);
    // Partitions that moved to another member would otherwise be counted twice.
    consumer.on('consumer.group_join', ({ payload }) => this.removeLagExcept(payload.memberAssignment));
    consumer.on('consumer.crash', ({ payload }) => exit.resolve(payload.error));
    consumer.on('consumer.disconnect', () => this.isClosing && exit.resolve(null));
    await consumer.connect();
    this.consumer = consumer;
    recordActivity();
    await consumer.subscribe({
      topics: this.options.queues.map(({ subscription }) => subscription.topic.name),
      // Includes messages that were published before the group had members.
      fromBeginning: true,
    });
    await consumer.run({
      eachBatchAutoResolve: false,
      autoCommit: false,
      partitionsConsumedConcurrently: MAX_CONCURRENT_PARTITIONS,
      eachBatch: (payload) => this.handle(payload),
    });
    const reason = await exit.promise;
    await consumer.disconnect().catch(() => undefined);
    return reason;
  }

  private removeLagExcept(assigned: Record<string, number[]>): void {
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

  /** Commits all partitions that finish in the same event-loop tick with a single request. */
  private commit({ uncommittedOffsets, commitOffsetsIfNecessary }: EachBatchPayload): Promise<void> {
    return (this.pendingCommit ??= nextTick().then(() => {
      this.pendingCommit = null;
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
      const chunk = messages.slice(from, to).map((message) => toReceivedMessage(topic, partition, message));
      from = to;
      const isDone = await this.retryUntilDone(queue, chunk, { heartbeat, isLost: () => !isRunning() || isStale() });
      if (!isDone) return;
      resolveOffset(chunk.at(-1)!.offset!);
      await heartbeat();
    }
    this.setLag(topic, partition, batch.offsetLag());
  }

  /**
   * Handles messages and retries until they succeed or the partition is lost.
   *
   * @returns False if the partition is lost.
   * @throws Heartbeat errors, for example during a rebalance.
   */
  private async retryUntilDone(
    queue: HandlerQueue,
    messages: ReceivedMessage[],
    membership: Membership,
  ): Promise<boolean> {
    const {
      topic: { name: topic },
      group,
    } = queue.subscription;
    const deliveries = messages.map((message) => new EncodedDelivery(queue.subscription.topic, message));
    const retriedBatch = { topic, group, since: performance.now() };
    let delayMs = RETRY_DELAY_MS.first;
    let unexpectedFailures = 0;
    try {
      while (!membership.isLost()) {
        const result = await waitWithHeartbeats(queue.add(deliveries).done, membership);
        if (result === 'done') return true;
        if (result === 'gone') return false;
        retriedBatches.add(retriedBatch);
        const { error } = result;
        const position = { topic: messages[0]!.topic, partition: messages[0]!.partition, offset: messages[0]!.offset };
        if (error instanceof TransientError || error instanceof BusUnavailableError) {
          this.logger.warn(
            { ...position, reason: describeCauses(error), retryIn: delayMs },
            'a dependency is unavailable; retrying the batch',
          );
        } else {
          this.logger.error({ ...position, err: error, retryIn: delayMs }, 'a batch failed; retrying it');
          unexpectedFailures += 1;
        }
        if (unexpectedFailures === MAX_UNEXPECTED_FAILURES) this.options.onFatal(error);
        await waitWithHeartbeats(sleep(delayMs), membership);
        delayMs = Math.min(delayMs * 2, RETRY_DELAY_MS.longest);
      }
      return false;
    } finally {
      retriedBatches.delete(retriedBatch);
    }
  }
}

function chunkEnd(messages: readonly KafkaMessage[], from: number): number {
  let bytes = 0;
  let to = from;
  while (to < messages.length && to - from < MAX_CHUNK.messages && bytes < MAX_CHUNK.bytes) {
    bytes += messages[to]!.value?.length ?? 0;
    to += 1;
  }
  return to;
}

/** Returns the messages of an error and its causes on one line. */
const describeCauses = (error: Error): string =>
  error.cause instanceof Error && !error.message.includes(error.cause.message)
    ? `${errorMessage(error)}: ${describeCauses(error.cause)}`
    : errorMessage(error);

/** Returns log fields for the error that stopped a consumer. kafkajs errors are clear without a stack trace. */
const describeExit = (error: Error | null): object =>
  error?.name.startsWith('KafkaJS') ? { reason: describeCauses(error) } : { err: error };

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Membership {
  heartbeat(): Promise<void>;
  /** Returns true if the partition was reassigned or the consumer is closing. */
  isLost(): boolean;
}

/**
 * Waits for work and sends heartbeats in the meantime.
 *
 * Stops waiting if the partition is lost. The messages are then redelivered to the partition's next owner.
 *
 * @throws Heartbeat errors.
 */
async function waitWithHeartbeats(
  work: Promise<void>,
  { heartbeat, isLost: isGone }: Membership,
): Promise<'done' | 'gone' | { error: Error }> {
  const exit = Promise.withResolvers<'gone'>();
  const timer = setInterval(() => {
    if (isGone()) exit.resolve('gone');
    else heartbeat().catch(exit.reject);
  }, HEARTBEAT_INTERVAL_MS);
  const outcome = work.then(
    () => 'done' as const,
    (error: Error) => ({ error }),
  );
  try {
    return await Promise.race([outcome, exit.promise]);
  } finally {
    clearInterval(timer);
  }
}
