import type { TopicName } from '#libs/contracts';
import type { DeadLetter } from './dead-letter.js';
import type { EncodedMessage, ReceivedMessage } from './message.js';
import type { DeadLetterOutcome } from './outcome.js';

/** Topic that can be published to, with the encoding of its values. */
export interface OutboundTopic<T> {
  readonly name: TopicName;
  encode(value: T): EncodedMessage;
}

/** Topic that Agent Traffic also consumes. */
export interface Topic<T> extends OutboundTopic<T> {
  /** Returns the validated value of a message. Anyone can write to a topic, so any message is accepted. */
  decode(message: ReceivedMessage): Decoded<T>;
  /** Returns the approximate size of a value in bytes. */
  size(value: T): number;
  traceparent(value: T): string | null;
}

/** Value of a message, or the reason why the message can never be processed. */
export type Decoded<T> =
  /** `deadLetters` contains the message's invalid parts, which the value omits. */
  { ok: true; value: T; deadLetters?: readonly DeadLetter[] } | { ok: false; outcome: DeadLetterOutcome };

export interface Publication<T = unknown> {
  topic: OutboundTopic<T>;
  values: readonly T[];
}

/** Combines values with their topic, to publish them together with other topics. */
export const publication = <T>(topic: OutboundTopic<T>, values: readonly T[]): Publication => ({ topic, values });
