import type { ReceivedMessage } from './message.js';
import type { Outcome } from './outcome.js';
import type { DecodeResult, Topic } from './topic.js';

/** Message that is queued for a handler. */
export abstract class Delivery {
  /**
   * The handler's result, or null before the message is handled. Messages with an outcome aren't handled again if their
   * batch is repeated because publishing dead letters failed.
   */
  outcome: Outcome | null = null;

  /** @param bytes Approximate size of the value in bytes. */
  protected constructor(readonly bytes: number) {}

  /** Returns the decoded value, which is cached. */
  abstract decode(): DecodeResult<unknown>;

  abstract toMessage(): ReceivedMessage;
}

/** Value published in this process. It is encoded only if it becomes a dead letter. */
export class ValueDelivery extends Delivery {
  constructor(
    private readonly topic: Topic<unknown>,
    private readonly value: unknown,
  ) {
    super(topic.getSize(value));
  }

  override decode(): DecodeResult<unknown> {
    return { ok: true, value: this.value };
  }

  override toMessage(): ReceivedMessage {
    return this.topic.encode(this.value);
  }
}

/** Message received from Kafka or published with `publishEncoded`. */
export class EncodedDelivery extends Delivery {
  private decoded: DecodeResult<unknown> | null = null;

  constructor(
    private readonly topic: Topic<unknown>,
    private readonly message: ReceivedMessage,
  ) {
    super(message.value.length);
  }

  override decode(): DecodeResult<unknown> {
    return (this.decoded ??= this.topic.decode(this.message));
  }

  override toMessage(): ReceivedMessage {
    return this.message;
  }
}
