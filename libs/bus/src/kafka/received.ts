import type { KafkaMessage } from 'kafkajs';
import type { ReceivedMessage } from '../bus.js';

/** A message as kafkajs hands it out, in the shape of the bus. Anyone may write to a topic, so anything is taken. */
export function receivedFrom(topic: string, partition: number, message: KafkaMessage): ReceivedMessage {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    // A header given twice: the last one counts, as in a map. One may have no value, which the types don't say.
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined && last !== null) headers[name] = last.toString();
  }
  return {
    topic,
    key: message.key?.toString() ?? null,
    value: message.value ?? Buffer.alloc(0),
    headers,
    partition,
    offset: message.offset,
  };
}
