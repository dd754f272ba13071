import type { TopicName } from '#libs/contracts';
import type { DeadLetter } from './dead-letter.js';
import type { EncodedMessage, ReceivedMessage } from './message.js';
import type { DeadLetterOutcome } from './outcome.js';

/** A topic that other services read, with the encoding of its values. */
export interface OutboundTopic<T> {
  readonly name: TopicName;
  encode(value: T): EncodedMessage;
}

/** A topic that services of ours read, too. */
export interface Topic<T> extends OutboundTopic<T> {
  /** Returns the validated value of a message. Anyone can write to a topic, so it accepts any message. */
  decode(message: ReceivedMessage): Decoded<T>;
  /** Approximate bytes of a value. */
  size(value: T): number;
  /** W3C Trace Context of a value. */
  traceparent(value: T): string | null;
}

/** The value of a message, or why the message can never be processed. */
export type Decoded<T> =
  /** `deadLetters` are of invalid parts, which the value doesn't contain. */
  { ok: true; value: T; deadLetters?: readonly DeadLetter[] } | { ok: false; outcome: DeadLetterOutcome };

/** Values to publish on a topic. */
export interface Publication<T = unknown> {
  topic: OutboundTopic<T>;
  values: readonly T[];
}

/** Returns values to publish together with those of other topics. */
export const publication = <T>(topic: OutboundTopic<T>, values: readonly T[]): Publication => ({ topic, values });
