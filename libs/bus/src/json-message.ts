import type { BusMessage } from './bus.js';

type Envelope = Pick<BusMessage, 'key' | 'headers'>;

/**
 * A message whose value is JSON. Within a process its consumers take the value as it is; the bytes, the key and the headers
 * are made only when somebody asks for them. Nobody may change what `json` holds: every consumer sees the same.
 */
export class JsonMessage<T = unknown> implements BusMessage {
  private envelope: Envelope | null = null;
  private stringified: string | null = null;
  private written: Buffer | null = null;

  /** @param bytes approximate size of the value in UTF-8: measuring it takes as long as writing it. */
  constructor(
    readonly topic: string,
    readonly json: T,
    readonly bytes: number,
    private readonly makeEnvelope: (json: T) => Envelope,
  ) {}

  get key(): string | null {
    return (this.envelope ??= this.makeEnvelope(this.json)).key;
  }

  get headers(): Record<string, string> {
    return (this.envelope ??= this.makeEnvelope(this.json)).headers;
  }

  /** The value, to be written into a buffer. */
  get text(): string {
    return (this.stringified ??= JSON.stringify(this.json));
  }

  get value(): Buffer {
    return (this.written ??= Buffer.from(this.text));
  }
}

/**
 * A message whose value was read from JSON. Within a process its consumers take what was read, like that of a {@link JsonMessage}.
 * It is let go once somebody asks for the bytes: they leave the process, and what was read need not be held until they are safe.
 */
export class ReadMessage implements BusMessage {
  private read: unknown;

  constructor(
    readonly topic: string,
    readonly key: string | null,
    readonly headers: Record<string, string>,
    private readonly written: Buffer,
    json: unknown,
  ) {
    this.read = json;
  }

  get bytes(): number {
    return this.written.length;
  }

  get json(): unknown {
    return this.read === undefined ? JSON.parse(this.written.toString('utf8')) : this.read;
  }

  get value(): Buffer {
    this.read = undefined;
    return this.written;
  }
}

/** Whether consumers within the process take the value of a message as it is. */
export const isRead = (message: BusMessage): message is JsonMessage | ReadMessage =>
  message instanceof JsonMessage || message instanceof ReadMessage;

/** Approximate bytes of a message's value. */
export const valueBytes = (message: BusMessage): number => (isRead(message) ? message.bytes : message.value.length);
