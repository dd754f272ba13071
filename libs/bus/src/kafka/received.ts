import type { KafkaMessage } from 'kafkajs';
import type { ReceivedMessage } from '../message.js';

/** Converts a message from kafkajs. Anyone can write to a topic, so any message is accepted. */
export const receivedFrom = (topic: string, partition: number, message: KafkaMessage): ReceivedMessage =>
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

  /** Decoded on access, because the headers of most messages aren't read. */
  get headers(): Record<string, string> {
    return textHeaders(this.message.headers);
  }
}

function textHeaders(received: KafkaMessage['headers'] = {}): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    // The last value of a repeated header wins. Headers without a value are missing from kafkajs's types.
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined && last !== null) headers[name] = last.toString();
  }
  return headers;
}
