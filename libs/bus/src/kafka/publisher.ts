import type { CompressionTypes, Producer } from 'kafkajs';
import { BusUnavailableError, type PublishFailure } from '../bus.js';
import { busMetrics } from '../bus-metrics.js';
import type { EncodedMessage } from '../message.js';
import type { KafkaOptions } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';

/** The part of kafkajs's producer that a {@link Publisher} uses. */
type Sender = Pick<Producer, 'send'>;

export interface PublisherOptions {
  /** Milliseconds for a publication to be acknowledged. Its send may be acknowledged later, and is never repeated. */
  timeoutMs?: number;
  /** Bytes that wait or are under way, also those that nobody waits for any more; more is refused. */
  maxQueuedBytes?: number;
  /** Bytes of one send, at most (a message is never divided); a partition's share has to fit its largest batch. */
  maxSendBytes?: number;
  /** Sends under way at once: with more than one, messages may overtake each other. */
  sendsAtOnce?: number;
  /** Each send goes to one partition, in turn, whatever the keys: far less work, where a key has no order to keep. */
  isSpread?: boolean;
  /** Less to send and to keep, for processor time. */
  compression?: KafkaOptions['compression'];
}

/** Bytes that start a send beside one that is under way; what is less waits for its end, or for a moment. */
const MIN_SEND_BYTES = 64 * 1024;
/** Milliseconds. */
const MAX_WAIT_MS = 5;

interface Publication {
  /** Messages that are not acknowledged yet. */
  open: number;
  /** By `performance.now()`: after it, it has failed. */
  deadline: number;
  settled: boolean;
  resolve(): void;
  reject(error: Error): void;
}

/** A message that waits to be sent. */
interface Entry {
  message: EncodedMessage;
  /** With what it takes beside its value, roughly. */
  bytes: number;
  publication: Publication;
}

/** Of key, headers and framing. */
const OVERHEAD_BYTES = 300;
/** Milliseconds that brokers wait for their replicas, at most. */
const MAX_REPLICATION_MS = 30_000;

/** Errors of a message that is larger than the topic takes. */
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);
/** Errors that a send meets again however often it is tried, for a message in it that the brokers refuse. */
const REFUSED = new Set([...TOO_LARGE, 'INVALID_RECORD', 'CORRUPT_MESSAGE']);

/**
 * Publishes to one topic. Sends what has gathered while the last send was under way: one send a request would reach some hundreds a second.
 * Each sender has one send under way, until kafkajs knows its outcome. A broker that doesn't respond has received the bytes and appends
 * them once it continues, so sending them again in the meantime would only add repeats. A publication whose deadline passes before its
 * messages are sent is never sent.
 */
export class Publisher {
  /** Of what waits and of what is under way. */
  bytes = 0;
  /** When the brokers last acknowledged a send, by `performance.now()`. */
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

  /** Resolves when all in-sync replicas have the messages. @throws BusUnavailableError */
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

  /** One more send, if there may be one. */
  private begin(): void {
    this.stopGathering();
    const sender = this.waiting.length > 0 ? this.idle.pop() : undefined;
    if (sender !== undefined) void this.work(sender);
  }

  private stopGathering(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
  }

  /** What the last publication met; null when it was acknowledged. */
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

  /** Drops settled publications. Without any, it stops the timer, which would delay the process's exit. */
  private forgetSettled(): void {
    const first = this.expiring.findIndex(({ settled }) => !settled);
    this.expiring.splice(0, first === -1 ? Infinity : first);
    if (this.expiring.length > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** One timer for all: they expire in the order in which they came. */
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

  /** Drops what was not sent by its deadline: its client was told otherwise. */
  private forgetLate(): void {
    const [late, live] = partition(this.waiting, ({ publication }) => publication.settled);
    this.waiting = live;
    this.waitingBytes -= bytesOf(late);
    this.release(late);
  }

  private async work(sender: Sender): Promise<void> {
    this.active += 1;
    // Everything published in this turn of the event loop gathers first.
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
        // A message that the brokers refuse is its publication's fault alone: find it by halving.
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
