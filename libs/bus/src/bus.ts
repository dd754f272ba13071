import type { DeadLetterReason } from '#libs/contracts';
import type { KafkaReport } from './kafka/kafka-inspection.js';

/** A message as every bus carries it. Header values are text. */
export interface BusMessage {
  topic: string;
  /** Messages of one key keep their order and meet the same consumer; null spreads them. */
  key: string | null;
  readonly value: Buffer;
  headers: Record<string, string>;
}

/** A message as a consumer sees it; partition and offset are absent on a bus that has no partitions. */
export interface ReceivedMessage extends BusMessage {
  partition?: number;
  offset?: string;
}

/** Why a message was left out on purpose. */
export type DropReason = 'past_retention';

/** What became of one message of a batch. Throwing means a bug or an outage instead. */
export type Outcome =
  /** `deadLetters` are of parts that can never be processed, made by {@link deadLetter}; the rest is done. */
  | { kind: 'ok'; deadLetters?: readonly BusMessage[] }
  | { kind: 'drop'; reason: DropReason }
  | { kind: 'dead-letter'; reason: DeadLetterReason; detail: string; step: string };

export const OK: Outcome = Object.freeze({ kind: 'ok' });

export type DeadLetterOutcome = Extract<Outcome, { kind: 'dead-letter' }>;

/** What a step makes of a message: a value for the next step, or the outcome with which the message ends here. */
export type StepResult<T, Ended extends Outcome = DeadLetterOutcome> =
  { ok: true; value: T } | { ok: false; outcome: Ended };

/** Returns the result of a step for what can never be processed. */
export function refused(
  reason: DeadLetterReason,
  detail: string,
  step: string,
): { ok: false; outcome: DeadLetterOutcome } {
  return { ok: false, outcome: { kind: 'dead-letter', reason, detail, step } };
}

/** Handles a whole batch: one outcome a message, in order. */
export type BatchHandler = (messages: readonly ReceivedMessage[]) => Promise<readonly Outcome[]>;

export interface Subscription {
  topic: string;
  /** Consumer group: each group sees every message once. */
  group: string;
  handler: BatchHandler;
}

/**
 * Publishes and consumes. One implementation joins the services within a process, the other is Apache Kafka;
 * services know this class only.
 */
export abstract class Bus {
  /**
   * Resolves when every message is safe: acknowledged by the brokers, or, within a process, handled by every
   * consumer group.
   *
   * @throws BusUnavailableError when that can't be had within the bus's deadline.
   */
  abstract publish(messages: readonly BusMessage[]): Promise<void>;

  /** Registers a handler; a group has at most one a topic. Takes effect with {@link start}. */
  abstract subscribe(subscription: Subscription): void;

  /** Begins to hand out messages. @throws when a topic is missing or a handler doubled. */
  abstract start(): Promise<void>;

  /** Finishes what is under way, hands out nothing more. */
  abstract close(): Promise<void>;

  /** Null when the loops turn and are connected, else what is wrong. */
  abstract fault(): string | null;

  /** What works and is not as it should be, e.g. topics with fewer copies than wanted. */
  warning(): string | null {
    return null;
  }

  /** Whether messages wait in this process to be handled, or are being handled. */
  get isHandling(): boolean {
    return false;
  }

  /** Whether messages wait outside this process for the one that handles them. */
  get hasQueue(): boolean {
    return false;
  }

  /** Whether a group has handled what was published on a topic before a time. @throws when the queue does not answer. */
  hasHandled(_topic: string, _group: string, _before: number): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** What is to be seen of the queue; null where there is none. Takes seconds. @throws when it does not answer. */
  inspect(): Promise<KafkaReport | null> {
    return Promise.resolve(null);
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
