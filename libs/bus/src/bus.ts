import type { EncodedMessage } from './message.js';
import type { Outcome } from './outcome.js';
import type { OutboundTopic, Publication, Topic } from './topic.js';

export interface HandlerContext {
  /** Deadline for values that the handler publishes, on the `performance.now()` clock. Infinity if there's none. */
  deadline: number;
}

export interface Subscription<T = unknown> {
  topic: Topic<T>;
  /** Consumer group. Each group receives every message. */
  group: string;
  /** Handles a batch. Returns one outcome per value, in order. */
  handler(values: readonly T[], context: HandlerContext): Promise<readonly Outcome[]>;
}

/** Publishes and consumes messages, within a process or through Apache Kafka. Services depend only on this class. */
export abstract class Bus {
  publish<T>(topic: OutboundTopic<T>, values: readonly T[], context?: HandlerContext): Promise<void> {
    return this.publishAll([{ topic, values }], context);
  }

  /**
   * Publishes values and resolves when they're safe: acknowledged by the brokers or, within a process, handled by every
   * consumer group.
   *
   * Consumers in the same process receive the same objects, so don't modify values after publishing them.
   *
   * @param context context of the publishing handler. Only the in-process bus applies its deadline.
   * @throws BusUnavailableError if publishing fails or isn't confirmed in time.
   */
  abstract publishAll(publications: readonly Publication[], context?: HandlerContext): Promise<void>;

  /** Like {@link publishAll}, for messages that are already encoded. */
  abstract publishEncoded(messages: readonly EncodedMessage[]): Promise<void>;

  /**
   * Registers a handler. It receives messages after {@link start}.
   *
   * @throws if the group already has a handler for the topic.
   */
  abstract subscribe<T>(subscription: Subscription<T>): void;

  /**
   * Starts calling handlers.
   *
   * @throws if a topic is missing or has no handler, or Kafka denies access.
   */
  abstract start(): Promise<void>;

  /** Stops calling handlers and waits for running ones. */
  abstract close(): Promise<void>;

  /** Returns the reason why the bus doesn't work, or null if it does. */
  abstract fault(): string | null;

  /** Returns warnings for operators, such as topics with too few replicas. Null if there are none. */
  warning(): string | null {
    return null;
  }

  /** Whether handlers in this process have messages waiting or in progress. */
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
 * Why messages aren't safe:
 * - `late`: the deadline passed before they reached a handler. They're never handled.
 * - `queue_full`: too many messages are waiting. They're never handled.
 * - `too_large`: a message exceeds its topic's size limit. Retrying doesn't help.
 * - `cut_off`: a handler received them, but the deadline passed or their dead letters failed. They may be stored.
 * - `failed`: any other error. They may be stored.
 */
export type PublishFailure = 'late' | 'cut_off' | 'queue_full' | 'too_large' | 'failed';

/** Thrown by handlers while a dependency is down: the same batch can succeed later. Any other error counts as a bug. */
export class TransientError extends Error {
  override name = 'TransientError';
}
