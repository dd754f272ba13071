import type { CompressionTypes, Producer } from 'kafkajs';
import { BusUnavailableError, type PublishFailure } from '../bus.js';
import { busMetrics } from '../bus-metrics.js';
import type { EncodedMessage } from '../message.js';
import type { KafkaOptions } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';

/** Subset of kafkajs's producer that a {@link Publisher} uses. */
type Sender = Pick<Producer, 'send'>;

export interface PublisherOptions {
  /**
   * Milliseconds after which a publication fails if it hasn't been acknowledged. The send that contains it continues
   * and is never repeated.
   */
  timeoutMs?: number;
  /**
   * Maximum bytes of waiting and in-flight messages. In-flight messages count even after their publication has failed.
   */
  maxQueuedBytes?: number;
  /**
   * Maximum bytes per send, unless a single message is larger. All messages for the same partition form one batch,
   * which must not exceed the topic's maximum batch size.
   */
  maxSendBytes?: number;
  /** Maximum number of in-flight sends. With more than one, messages can overtake each other. */
  maxConcurrentSends?: number;
  /**
   * Whether each send goes to a single partition, with partitions used in turn and keys ignored. This is much cheaper,
   * but messages with the same key are no longer in order.
   */
  isSpread?: boolean;
  /** Compression of messages. It reduces network traffic and storage but uses more CPU time. */
  compression?: KafkaOptions['compression'];
}

/**
 * If at least this many bytes are waiting, another send starts while one is in flight. Fewer bytes wait until that send
 * ends or {@link MAX_GATHERING_MS} have passed.
 */
const MIN_SEND_BYTES = 64 * 1024;
const MAX_GATHERING_MS = 5;

interface Publication {
  unacknowledgedCount: number;
  /** Time at which the publication fails, as a `performance.now()` value. */
  deadline: number;
  isSettled: boolean;
  resolve(): void;
  reject(error: Error): void;
}

interface Entry {
  message: EncodedMessage;
  bytes: number;
  publication: Publication;
}

/** Approximate size of the key, headers and framing. */
const MESSAGE_OVERHEAD_BYTES = 300;
/** Maximum time that brokers wait for their replicas, in milliseconds. */
const MAX_REPLICATION_MS = 30_000;

/** Error types for messages that exceed the topic's size limit. */
const TOO_LARGE_ERRORS = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);
/** Error types that recur on each attempt because brokers reject a message in the send. */
const REJECTION_ERRORS = new Set([...TOO_LARGE_ERRORS, 'INVALID_RECORD', 'CORRUPT_MESSAGE']);

/**
 * Publishes messages to one topic. Messages that arrive during a send share the next one, because one send per request
 * would limit throughput.
 *
 * Each sender waits until kafkajs reports the outcome of its send. A broker that hangs has already received the bytes
 * and appends them when it resumes, so sending them again would only create duplicates.
 *
 * Messages whose publication expires before they are sent are never sent.
 */
export class Publisher {
  /** Bytes of waiting and in-flight messages. */
  bytes = 0;
  /** Time of the brokers' last acknowledgment, as a `performance.now()` value. */
  lastAcknowledgedAt = 0;
  private waiting: Entry[] = [];
  private readonly options: Required<PublisherOptions>;
  private readonly compression: CompressionTypes;
  private waitingBytes = 0;
  private gatheringTimer: NodeJS.Timeout | undefined;
  private readonly expiring: Publication[] = [];
  private expiryTimer: NodeJS.Timeout | undefined;
  private readonly idleSenders: Sender[];
  private activeSenders = 0;
  private sendCount = 0;
  private lastError: string | null = null;

  constructor(
    createSender: () => Sender,
    private readonly topic: string,
    options: PublisherOptions = {},
  ) {
    this.options = {
      timeoutMs: 1_500,
      maxQueuedBytes: 64 * 1024 * 1024,
      maxSendBytes: 1024 * 1024,
      maxConcurrentSends: 1,
      isSpread: false,
      compression: 'none',
      ...options,
    };
    this.idleSenders = Array.from({ length: this.options.maxConcurrentSends }, createSender);
    const { GZIP, None } = loadKafkajs().CompressionTypes;
    this.compression = this.options.compression === 'gzip' ? GZIP : None;
  }

  /**
   * Publishes messages. Resolves when all in-sync replicas have them.
   *
   * @throws {BusUnavailableError} if publishing fails or times out, or if the queue is full.
   */
  publish(messages: readonly EncodedMessage[]): Promise<void> {
    if (messages.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + this.options.timeoutMs;
      const publication: Publication = {
        unacknowledgedCount: messages.length,
        deadline,
        isSettled: false,
        resolve,
        reject,
      };
      const entries = messages.map((message): Entry => ({
        message,
        bytes: message.value.length + MESSAGE_OVERHEAD_BYTES,
        publication,
      }));
      const bytes = sumBytes(entries);
      if (this.bytes > 0 && this.bytes + bytes > this.options.maxQueuedBytes) {
        this.fail(publication, new Error('the queue is full'), 'queue_full');
        return;
      }
      this.bytes += bytes;
      for (const entry of entries) this.waiting.push(entry);
      this.expiring.push(publication);
      this.expiryTimer ??= setTimeout(() => this.expire(), this.options.timeoutMs);
      this.waitingBytes += bytes;
      if (this.activeSenders === 0 || this.waitingBytes >= MIN_SEND_BYTES) this.startSend();
      else if (this.idleSenders.length > 0)
        this.gatheringTimer ??= setTimeout(() => this.startSend(), MAX_GATHERING_MS);
    });
  }

  private startSend(): void {
    this.stopGathering();
    const sender = this.waiting.length > 0 ? this.idleSenders.pop() : undefined;
    if (sender !== undefined) void this.runSender(sender);
  }

  private stopGathering(): void {
    clearTimeout(this.gatheringTimer);
    this.gatheringTimer = undefined;
  }

  /** Returns the error of the last publication, or null if it was acknowledged. */
  fault(): string | null {
    return this.lastError;
  }

  private acknowledge(publication: Publication): void {
    publication.unacknowledgedCount -= 1;
    if (publication.unacknowledgedCount > 0 || publication.isSettled) return;
    publication.isSettled = true;
    this.lastError = null;
    publication.resolve();
  }

  private fail(publication: Publication, cause: Error, reason: PublishFailure = 'failed'): void {
    if (publication.isSettled) return;
    publication.isSettled = true;
    this.lastError = `Kafka rejected messages: ${cause.message}`;
    busMetrics.publishFailures.inc({ topic: this.topic, reason });
    publication.reject(new BusUnavailableError(`Kafka: ${cause.message}`, { cause, reason }));
  }

  /** Removes settled publications. If none remain, clears the timer, which would otherwise delay the process's exit. */
  private removeSettled(): void {
    const first = this.expiring.findIndex(({ isSettled: settled }) => !settled);
    this.expiring.splice(0, first === -1 ? Infinity : first);
    if (this.expiring.length > 0) return;
    clearTimeout(this.expiryTimer);
    this.expiryTimer = undefined;
  }

  /** Fails late publications. They expire in order of arrival, so a single timer is enough. */
  private expire(): void {
    const now = performance.now();
    const isOver = ({ isSettled: settled, deadline }: Publication): boolean => settled || deadline <= now;
    const first = this.expiring.findIndex((publication) => !isOver(publication));
    const late = new Error(`not acknowledged within ${this.options.timeoutMs} ms`);
    for (const publication of this.expiring.splice(0, first === -1 ? Infinity : first)) this.fail(publication, late);
    this.dropExpired();
    const next = this.expiring[0];
    this.expiryTimer = next === undefined ? undefined : setTimeout(() => this.expire(), next.deadline - now);
  }

  /** Drops waiting messages of failed publications because the callers were told that they aren't safe. */
  private dropExpired(): void {
    const [late, live] = partition(this.waiting, ({ publication }) => publication.isSettled);
    this.waiting = live;
    this.waitingBytes -= sumBytes(late);
    this.release(late);
  }

  private async runSender(sender: Sender): Promise<void> {
    this.activeSenders += 1;
    // Lets messages published in the same event-loop tick join the send.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const entries = this.takeSend();
      if (entries.length > 0) await this.send(sender, entries);
      this.release(entries);
      this.removeSettled();
    }
    this.activeSenders -= 1;
    this.idleSenders.push(sender);
  }

  private takeSend(): Entry[] {
    let bytes = 0;
    let count = 0;
    while (count < this.waiting.length) {
      bytes += this.waiting[count]!.bytes;
      if (count > 0 && bytes > this.options.maxSendBytes) break;
      count += 1;
    }
    const taken = this.waiting.splice(0, count);
    this.waitingBytes -= sumBytes(taken);
    if (this.waiting.length === 0) this.stopGathering();
    const [expired, live] = partition(taken, ({ publication }) => publication.isSettled);
    this.release(expired);
    return live;
  }

  private async send(sender: Sender, entries: readonly Entry[]): Promise<void> {
    try {
      const turn = this.options.isSpread ? (this.sendCount += 1) : undefined;
      const messages = entries.map(({ message: { key, value, headers } }) => ({ key, value, headers, turn }));
      await sender.send({
        topic: this.topic,
        acks: -1,
        timeout: Math.min(this.options.timeoutMs, MAX_REPLICATION_MS),
        compression: this.compression,
        messages,
      });
      this.lastAcknowledgedAt = performance.now();
      busMetrics.published.inc({ topic: this.topic }, entries.length);
      for (const { publication } of entries) this.acknowledge(publication);
    } catch (error) {
      const type = String((error as { type?: unknown }).type);
      if (REJECTION_ERRORS.has(type) && entries.length > 1) {
        // Bisect the send, so only the publication with the rejected message fails.
        const middle = entries.length >> 1;
        await this.send(sender, entries.slice(0, middle));
        await this.send(sender, entries.slice(middle));
      } else {
        const reason = TOO_LARGE_ERRORS.has(type) ? 'too_large' : 'failed';
        for (const { publication } of entries) this.fail(publication, error as Error, reason);
      }
    }
  }

  private release(entries: readonly Entry[]): void {
    this.bytes -= sumBytes(entries);
  }
}

const sumBytes = (entries: readonly Entry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0);

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'));
  return [yes, no];
}
