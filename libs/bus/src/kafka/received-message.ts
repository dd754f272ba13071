import type { KafkaMessage } from 'kafkajs';
import type { ReceivedMessage } from '../message.js';

/** Converts a kafkajs message. Anyone can write to a topic, so this must be able to handle any message. */
export const toReceivedMessage = (topic: string, partition: number, message: KafkaMessage): ReceivedMessage =>
  new ReceivedKafkaMessage(topic, partition, message);

class ReceivedKafkaMessage implements ReceivedMessage {
  readonly offset: string;
  readonly key: string | null;
  readonly value: Buffer;

  constructor(
    readonly topic: string,
    readonly partition: number,
    private readonly message: KafkaMessage,
  ) {
    this.offset = message.offset;
    this.key = message.key?.toString() ?? null;
    this.value = message.value ?? Buffer.alloc(0);
  }

  /** Headers are decoded on access because most messages' headers are never read. */
  get headers(): Record<string, string> {
    return decodeHeaders(this.message.headers);
  }
}

function decodeHeaders(received: KafkaMessage['headers'] = {}): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    // The last value of a repeated header wins. kafkajs's types don't include headers without a value.
    const lastValue = Array.isArray(value) ? value.at(-1) : value;
    if (lastValue !== undefined && lastValue !== null) headers[name] = lastValue.toString();
  }
  return headers;
}
