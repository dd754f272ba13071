import type { CompressionTypes, Producer } from 'kafkajs';
import { BusUnavailableError, type PublishFailure } from '../bus.js';
import { busMetrics } from '../bus-metrics.js';
import type { EncodedMessage } from '../message.js';
import type { KafkaOptions } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';

/** Subset of kafkajs's producer that a {@link Publisher} uses. */
type Sender = Pick<Producer, 'send'>;

export interface PublisherOptions {
  /** Milliseconds until an unacknowledged publication fails. Its send continues and is never repeated. */
  timeoutMs?: number;
  /** Maximum bytes of waiting and in-flight messages. In-flight messages count even if their publication has failed. */
  maxQueuedBytes?: number;
  /**
   * Maximum bytes per send, except for a single larger message. A partition's share must fit the topic's largest batch.
   */
  maxSendBytes?: number;
  /** Maximum sends in flight. With more than one, messages can overtake each other. */
  sendsAtOnce?: number;
  /** Whether each send goes to one partition, round-robin, regardless of keys. Far cheaper if order is irrelevant. */
  isSpread?: boolean;
  /** Compression of messages. Saves network traffic and storage at the cost of CPU time. */
  compression?: KafkaOptions['compression'];
}

/** Bytes that start another send while one is in flight. Smaller amounts wait for its end or {@link MAX_WAIT_MS}. */
const MIN_SEND_BYTES = 64 * 1024;
const MAX_WAIT_MS = 5;

interface Publication {
  /** Number of unacknowledged messages. */
  open: number;
  /** Time at which the publication fails, on the `performance.now()` clock. */
  deadline: number;
  settled: boolean;
  resolve(): void;
  reject(error: Error): void;
}

interface Entry {
  message: EncodedMessage;
  bytes: number;
  publication: Publication;
}

/** Approximate size of key, headers and framing. */
const OVERHEAD_BYTES = 300;
/** Maximum milliseconds that brokers wait for their replicas. */
const MAX_REPLICATION_MS = 30_000;

/** Error types of messages that exceed the size limit of the topic. */
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);
/** Error types that recur on every attempt, because brokers reject a message in the send. */
const REFUSED = new Set([...TOO_LARGE, 'INVALID_RECORD', 'CORRUPT_MESSAGE']);

/**
 * Publishes to one topic. Messages that arrive while a send is in flight share the next one, because a send per request
 * would limit throughput.
 *
 * Each sender waits until kafkajs knows the outcome of its send. A broker that hangs has received the bytes and appends
 * them when it resumes. Sending them again in the meantime would only add duplicates.
 *
 * Messages whose publication expires before they're sent are never sent.
 */
export class Publisher {
  /** Bytes of waiting and in-flight messages. */
  bytes = 0;
  /** Time of the last acknowledgment by the brokers, on the `performance.now()` clock. */
  lastAcknowledged = 0;
  private waiting: Entry[] = [];
  private readonly options: Required<PublisherOptions>;
  private readonly compression: CompressionTypes;
  private waitingBytes = 0;
  private gathering: NodeJS.Timeout | undefined;
  private readonly expiring: Publication[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly idle: Sender[];
  private active = 0;
  private sends = 0;
  private lastError: string | null = null;

  constructor(
    newSender: () => Sender,
    private readonly topic: string,
    options: PublisherOptions = {},
  ) {
    this.options = {
      timeoutMs: 1_500,
      maxQueuedBytes: 64 * 1024 * 1024,
      maxSendBytes: 1024 * 1024,
      sendsAtOnce: 1,
      isSpread: false,
      compression: 'none',
      ...options,
    };
    this.idle = Array.from({ length: this.options.sendsAtOnce }, newSender);
    const { GZIP, None } = loadKafkajs().CompressionTypes;
    this.compression = this.options.compression === 'gzip' ? GZIP : None;
  }

  /**
   * Publishes messages. Resolves when all in-sync replicas have them.
   *
   * @throws BusUnavailableError if publishing fails or times out, or the queue is full.
   */
  publish(messages: readonly EncodedMessage[]): Promise<void> {
    if (messages.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + this.options.timeoutMs;
      const publication: Publication = { open: messages.length, deadline, settled: false, resolve, reject };
      const entries = messages.map((message): Entry => ({
        message,
        bytes: message.value.length + OVERHEAD_BYTES,
        publication,
      }));
      const bytes = bytesOf(entries);
      if (this.bytes > 0 && this.bytes + bytes > this.options.maxQueuedBytes) {
        this.fail(publication, new Error('too much waits'), 'queue_full');
        return;
      }
      this.bytes += bytes;
      for (const entry of entries) this.waiting.push(entry);
      this.expiring.push(publication);
      this.timer ??= setTimeout(() => this.expire(), this.options.timeoutMs);
      this.waitingBytes += bytes;
      if (this.active === 0 || this.waitingBytes >= MIN_SEND_BYTES) this.begin();
      else if (this.idle.length > 0) this.gathering ??= setTimeout(() => this.begin(), MAX_WAIT_MS);
    });
  }

  private begin(): void {
    this.stopGathering();
    const sender = this.waiting.length > 0 ? this.idle.pop() : undefined;
    if (sender !== undefined) void this.work(sender);
  }

  private stopGathering(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
  }

  /** Returns the error of the last publication, or null if it was acknowledged. */
  fault(): string | null {
    return this.lastError;
  }

  private acknowledge(publication: Publication): void {
    publication.open -= 1;
    if (publication.open > 0 || publication.settled) return;
    publication.settled = true;
    this.lastError = null;
    publication.resolve();
  }

  private fail(publication: Publication, cause: Error, reason: PublishFailure = 'failed'): void {
    if (publication.settled) return;
    publication.settled = true;
    this.lastError = `Kafka does not take messages: ${cause.message}`;
    busMetrics.publishFailures.inc({ topic: this.topic, reason });
    publication.reject(new BusUnavailableError(`Kafka: ${cause.message}`, { cause, reason }));
  }

  /** Forgets settled publications. If none are left, stops the timer so it doesn't delay the process's exit. */
  private forgetSettled(): void {
    const first = this.expiring.findIndex(({ settled }) => !settled);
    this.expiring.splice(0, first === -1 ? Infinity : first);
    if (this.expiring.length > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Fails late publications. They expire in the order of arrival, so one timer is enough. */
  private expire(): void {
    const now = performance.now();
    const isOver = ({ settled, deadline }: Publication): boolean => settled || deadline <= now;
    const first = this.expiring.findIndex((publication) => !isOver(publication));
    const late = new Error(`not acknowledged within ${this.options.timeoutMs} ms`);
    for (const publication of this.expiring.splice(0, first === -1 ? Infinity : first)) this.fail(publication, late);
    this.forgetLate();
    const next = this.expiring[0];
    this.timer = next === undefined ? undefined : setTimeout(() => this.expire(), next.deadline - now);
  }

  /** Drops waiting messages of failed publications, because callers were told that they aren't safe. */
  private forgetLate(): void {
    const [late, live] = partition(this.waiting, ({ publication }) => publication.settled);
    this.waiting = live;
    this.waitingBytes -= bytesOf(late);
    this.release(late);
  }

  private async work(sender: Sender): Promise<void> {
    this.active += 1;
    // Let messages published in the same event-loop tick join the send.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const entries = this.takeSend();
      if (entries.length > 0) await this.send(sender, entries);
      this.release(entries);
      this.forgetSettled();
    }
    this.active -= 1;
    this.idle.push(sender);
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
    this.waitingBytes -= bytesOf(taken);
    if (this.waiting.length === 0) this.stopGathering();
    const [gone, live] = partition(taken, ({ publication }) => publication.settled);
    this.release(gone);
    return live;
  }

  private async send(sender: Sender, entries: readonly Entry[]): Promise<void> {
    try {
      const turn = this.options.isSpread ? (this.sends += 1) : undefined;
      const messages = entries.map(({ message: { key, value, headers } }) => ({ key, value, headers, turn }));
      await sender.send({
        topic: this.topic,
        acks: -1,
        timeout: Math.min(this.options.timeoutMs, MAX_REPLICATION_MS),
        compression: this.compression,
        messages,
      });
      this.lastAcknowledged = performance.now();
      busMetrics.published.inc({ topic: this.topic }, entries.length);
      for (const { publication } of entries) this.acknowledge(publication);
    } catch (error) {
      const type = String((error as { type?: unknown }).type);
      if (REFUSED.has(type) && entries.length > 1) {
        // Bisect the send, so that only the publication with the rejected message fails.
        const middle = entries.length >> 1;
        await this.send(sender, entries.slice(0, middle));
        await this.send(sender, entries.slice(middle));
      } else {
        const reason = TOO_LARGE.has(type) ? 'too_large' : 'failed';
        for (const { publication } of entries) this.fail(publication, error as Error, reason);
      }
    }
  }

  private release(entries: readonly Entry[]): void {
    this.bytes -= bytesOf(entries);
  }
}

const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0);

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'));
  return [yes, no];
}
