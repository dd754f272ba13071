import type { KafkaMessage } from 'kafkajs';
import type { ReceivedMessage } from '../bus.js';

/** A message as kafkajs hands it out, in the shape of the bus. Anyone may write to a topic, so anything is taken. */
export const receivedFrom = (topic: string, partition: number, message: KafkaMessage): ReceivedMessage =>
  new KafkaReceived(topic, partition, message);

/** The key and the headers are read only when somebody asks for them. */
class KafkaReceived implements ReceivedMessage {
  readonly offset: string;
  readonly value: Buffer;
  private read: Record<string, string> | null = null;

  constructor(
    readonly topic: string,
    readonly partition: number,
    private readonly message: KafkaMessage,
  ) {
    this.offset = message.offset;
    this.value = message.value ?? Buffer.alloc(0);
  }

  get key(): string | null {
    return this.message.key?.toString() ?? null;
  }

  get headers(): Record<string, string> {
    return (this.read ??= headersOf(this.message));
  }
}

function headersOf({ headers: received = {} }: KafkaMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    // A header given twice: the last one counts, as in a map. One may have no value, which the types don't say.
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined && last !== null) headers[name] = last.toString();
  }
  return headers;
}
