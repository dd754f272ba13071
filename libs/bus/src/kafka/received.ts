import type { KafkaMessage } from 'kafkajs';
import type { ReceivedMessage } from '../message.js';

/** Converts a message from kafkajs. Anyone can write to a topic, so any message is accepted. */
export const receivedFrom = (topic: string, partition: number, message: KafkaMessage): ReceivedMessage => ({
  topic,
  partition,
  offset: message.offset,
  key: message.key?.toString() ?? null,
  value: message.value ?? Buffer.alloc(0),
  // Decoded on access, because the headers of most messages aren't read.
  get headers() {
    return textHeaders(message.headers);
  },
});

function textHeaders(received: KafkaMessage['headers'] = {}): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    // The last value of a repeated header wins. Headers without a value are missing from kafkajs's types.
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined && last !== null) headers[name] = last.toString();
  }
  return headers;
}
