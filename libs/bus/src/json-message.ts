import type { BusMessage } from './bus.js';

type Envelope = Pick<BusMessage, 'key' | 'headers'>;

/**
 * A message whose value is JSON. Within a process its consumers take the value as it is; the bytes, the key and the headers
 * are made only when somebody asks for them. Nobody may change what `json` holds: every consumer sees the same.
 */
export class JsonMessage implements BusMessage {
  private envelope: Envelope | null = null;
  private written: Buffer | null = null;

  /** @param bytes approximate size of the value in UTF-8: measuring it takes as long as writing it. */
  constructor(
    readonly topic: string,
    readonly json: unknown,
    readonly bytes: number,
    private readonly makeEnvelope: () => Envelope,
  ) {}

  get key(): string | null {
    return (this.envelope ??= this.makeEnvelope()).key;
  }

  get headers(): Record<string, string> {
    return (this.envelope ??= this.makeEnvelope()).headers;
  }

  get value(): Buffer {
    return (this.written ??= Buffer.from(JSON.stringify(this.json)));
  }
}

/** Approximate bytes of a message's value. */
export const valueBytes = (message: BusMessage): number =>
  message instanceof JsonMessage ? message.bytes : message.value.length;
