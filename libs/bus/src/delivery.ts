import type { ReceivedMessage } from './message.js';
import type { Outcome } from './outcome.js';
import type { Decoded, Topic } from './topic.js';

/** A message waiting for a handler. */
export abstract class Delivery {
  /** The handler's outcome, once there is one: then the handler isn't called again if dead letters have to be. */
  outcome: Outcome | null = null;

  /** @param bytes approximate size of the value. */
  protected constructor(readonly bytes: number) {}

  /** Returns the same result each time. */
  abstract decode(): Decoded<unknown>;

  /** Returns the encoded message. */
  abstract encode(): ReceivedMessage;
}

/** A value published in this process. */
export class ValueDelivery extends Delivery {
  constructor(
    private readonly topic: Topic<unknown>,
    private readonly value: unknown,
  ) {
    super(topic.size(value));
  }

  override decode(): Decoded<unknown> {
    return { ok: true, value: this.value };
  }

  override encode(): ReceivedMessage {
    return this.topic.encode(this.value);
  }
}

/** Message from Kafka, or from stored bytes. */
export class EncodedDelivery extends Delivery {
  private decoded: Decoded<unknown> | null = null;

  constructor(
    private readonly topic: Topic<unknown>,
    private readonly message: ReceivedMessage,
  ) {
    super(message.value.length);
  }

  override decode(): Decoded<unknown> {
    return (this.decoded ??= this.topic.decode(this.message));
  }

  override encode(): ReceivedMessage {
    return this.message;
  }
}
