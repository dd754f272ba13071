import type { EncodedMessage } from './message.js';
import type { Outcome } from './outcome.js';
import type { OutboundTopic, Publication, Topic } from './topic.js';

export interface HandlerContext {
  /** Deadline for values that the handler publishes, as a `performance.now()` value. Infinity means no deadline. */
  deadline: number;
}

export interface Subscription<T = unknown> {
  topic: Topic<T>;
  /** Consumer group. Each group receives all messages. */
  group: string;
  /** Handles a batch and returns one outcome per value, in order. */
  handler(values: readonly T[], context: HandlerContext): Promise<readonly Outcome[]>;
}

/**
 * Publishes and consumes messages, either within a process or through Apache Kafka. Services depend only on this class.
 */
export abstract class Bus {
  publish<T>(topic: OutboundTopic<T>, values: readonly T[], context?: HandlerContext): Promise<void> {
    return this.publishAll([{ topic, values }], context);
  }

  /**
   * Publishes values and resolves when they are safe: acknowledged by the brokers or, within a process, handled by all
   * consumer groups.
   *
   * Consumers in the same process receive the same objects, so don't modify values after publishing them.
   *
   * @param context Context of the publishing handler. Only the in-process bus applies its deadline.
   * @throws {BusUnavailableError} if publishing fails or isn't confirmed in time.
   */
  abstract publishAll(publications: readonly Publication[], context?: HandlerContext): Promise<void>;

  /** Like {@link publishAll}, but for messages that are already encoded. */
  abstract publishEncoded(messages: readonly EncodedMessage[]): Promise<void>;

  /**
   * Registers a handler, which receives messages after {@link start}.
   *
   * @throws {Error} if the group already has a handler for the topic.
   */
  abstract subscribe<T>(subscription: Subscription<T>): void;

  /**
   * Starts calling handlers.
   *
   * @throws {Error} if a topic is missing or has no handler, or if Kafka denies access.
   */
  abstract start(): Promise<void>;

  /** Stops calling handlers and waits for running ones. */
  abstract close(): Promise<void>;

  /** Returns the reason why the bus doesn't work, or null if it works. */
  abstract getFault(): string | null;

  /** Returns warnings for operators, for example about topics with too few replicas, or null. */
  getWarning(): string | null {
    return null;
  }

  /** True if messages are waiting for handlers in this process or are being handled. */
  get isHandling(): boolean {
    return false;
  }
}

/** Thrown if messages aren't safe. Callers must not report success. */
export class BusUnavailableError extends Error {
  override name = 'BusUnavailableError';
  readonly reason: PublishFailure;

  constructor(message: string, { reason = 'failed', cause }: { reason?: PublishFailure; cause?: unknown } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

/**
 * Reason why messages aren't safe:
 * - `late`: The deadline passed before a handler received them. They will never be handled.
 * - `queue_full`: Too many messages are waiting. They will never be handled.
 * - `too_large`: A message exceeds its topic's size limit. Retrying doesn't help.
 * - `cut_off`: A handler received them, but the deadline passed or their dead letters failed. They may be stored.
 * - `failed`: Any other error. They may be stored.
 */
export type PublishFailure = 'late' | 'cut_off' | 'queue_full' | 'too_large' | 'failed';

/** Thrown by handlers if a dependency is down and the same batch can succeed later. Any other error counts as a bug. */
export class TransientError extends Error {
  override name = 'TransientError';
}
