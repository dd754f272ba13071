import type { TopicName } from '#libs/contracts';
import type { DeadLetter } from './dead-letter.js';
import type { EncodedMessage, ReceivedMessage } from './message.js';
import type { DeadLetterOutcome } from './outcome.js';

/** Topic that Agent Traffic publishes to, and the encoding of its values. */
export interface OutboundTopic<T> {
  readonly name: TopicName;
  encode(value: T): EncodedMessage;
}

/** Topic that Agent Traffic also consumes. */
export interface Topic<T> extends OutboundTopic<T> {
  /** Returns a message's validated value. Anyone can write to a topic, so this must be able to handle any message. */
  decode(message: ReceivedMessage): DecodeResult<T>;
  /** Returns the approximate size of a value in bytes. */
  getSize(value: T): number;
  getTraceparent(value: T): string | null;
}

/** A message's value, or the reason why the message can never be processed. */
export type DecodeResult<T> =
  /** `deadLetters` contains the message's invalid parts, which are omitted from the value. */
  { ok: true; value: T; deadLetters?: readonly DeadLetter[] } | { ok: false; outcome: DeadLetterOutcome };

export interface Publication<T = unknown> {
  topic: OutboundTopic<T>;
  values: readonly T[];
}

/** Combines values with their topic, so they can be published together with other topics. */
export const createPublication = <T>(topic: OutboundTopic<T>, values: readonly T[]): Publication => ({ topic, values });
