import type { EncodedMessage } from './message.js';
import type { Outcome } from './outcome.js';
import type { OutboundTopic, Publication, Topic } from './topic.js';

/** Context of a call to a handler. */
export interface HandlerContext {
  /** When values published by the handler must be safe, by `performance.now()`. Infinity if there's no hurry. */
  deadline: number;
}

export interface Subscription<T = unknown> {
  topic: Topic<T>;
  /** Consumer group: each group gets every message once. */
  group: string;
  /** Handles a batch. Returns one outcome for each value, in order. */
  handler(values: readonly T[], context: HandlerContext): Promise<readonly Outcome[]>;
}

/**
 * Publishes and consumes. One implementation joins the services within a process, the other is Apache Kafka.
 * Services only know this class.
 */
export abstract class Bus {
  /** Publishes values on one topic, like {@link publishAll}. */
  publish<T>(topic: OutboundTopic<T>, values: readonly T[], context?: HandlerContext): Promise<void> {
    return this.publishAll([{ topic, values }], context);
  }

  /**
   * Resolves when all values are safe: acknowledged by the brokers, or, within a process, handled by every consumer
   * group. Consumers in the same process get the same objects, so nobody may change them afterwards.
   *
   * @param context of the handler that publishes.
   * @throws BusUnavailableError if the values aren't safe by the deadline.
   */
  abstract publishAll(publications: readonly Publication[], context?: HandlerContext): Promise<void>;

  /** Publishes messages that were encoded earlier, like {@link publishAll}. */
  abstract publishEncoded(messages: readonly EncodedMessage[]): Promise<void>;

  /** Registers a handler; a group can have one per topic. Takes effect with {@link start}. */
  abstract subscribe<T>(subscription: Subscription<T>): void;

  /** Starts to call handlers. @throws if a topic is missing or a handler is registered twice. */
  abstract start(): Promise<void>;

  /** Waits for running handlers and calls none afterwards. */
  abstract close(): Promise<void>;

  /** Why the bus doesn't work; null if it does. */
  abstract fault(): string | null;

  /** Warnings for operators, such as topics with too few copies. */
  warning(): string | null {
    return null;
  }

  /** Whether messages are waiting for handlers of this process, or are being handled. */
  get isHandling(): boolean {
    return false;
  }
}

/** The message is not safe: nobody may be told otherwise. */
export class BusUnavailableError extends Error {
  override name = 'BusUnavailableError';
  readonly reason: PublishFailure;

  constructor(message: string, { reason = 'failed', cause }: { reason?: PublishFailure; cause?: unknown } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

/**
 * Why messages are not safe. What was `late` or met a full queue was not handled and never will be. A publication with a message that
 * is `too_large` for its topic fails each time. What was `cut_off`
 * had been given to its handler when its deadline passed or its dead letters were refused; it, and what `failed`, may be
 * stored all the same.
 */
export type PublishFailure = 'late' | 'cut_off' | 'queue_full' | 'too_large' | 'failed';

/** A dependency is away: the same batch will pass later. Anything else that is thrown is taken for a bug. */
export class TransientError extends Error {
  override name = 'TransientError';
}
