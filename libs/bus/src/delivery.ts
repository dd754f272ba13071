import type { ReceivedMessage } from './message.js';
import type { Outcome } from './outcome.js';
import type { Decoded, Topic } from './topic.js';

/** Message queued for a handler. */
export abstract class Delivery {
  /**
   * The handler's result, or null until there is one. If a batch is repeated because its dead letters couldn't be
   * published, messages with an outcome aren't handled again.
   */
  outcome: Outcome | null = null;

  /** @param bytes approximate size of the value. */
  protected constructor(readonly bytes: number) {}

  /** Returns the decoded value. Decodes it only once. */
  abstract decode(): Decoded<unknown>;

  abstract encode(): ReceivedMessage;
}

/** Value published in this process. It's encoded only if it becomes a dead letter. */
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

/** Message received from Kafka or published with `publishEncoded`. */
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
