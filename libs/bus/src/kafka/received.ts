import type { KafkaMessage } from 'kafkajs';
import type { ReceivedMessage } from '../message.js';

/** Returns a message of kafkajs as the bus handles it. Anyone can write to a topic, so it accepts any message. */
export const receivedFrom = (topic: string, partition: number, message: KafkaMessage): ReceivedMessage => ({
  topic,
  partition,
  offset: message.offset,
  key: message.key?.toString() ?? null,
  value: message.value ?? Buffer.alloc(0),
  // Decoded at each access: the headers of most messages aren't read.
  get headers() {
    return textHeaders(message.headers);
  },
});

function textHeaders(received: KafkaMessage['headers'] = {}): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    // The last value of a repeated header counts. The types don't mention headers without a value.
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined && last !== null) headers[name] = last.toString();
  }
  return headers;
}
