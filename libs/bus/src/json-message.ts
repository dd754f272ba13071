import type { BusMessage } from './bus.js';

/**
 * A message whose value is JSON. Within a process its consumers read neither bytes nor text again, and the bytes are
 * made only when somebody asks for them. Nobody may change what `json` holds: every consumer sees the same.
 */
export class JsonMessage implements BusMessage {
  readonly topic: string;
  readonly key: string | null;
  readonly headers: Record<string, string>;
  readonly json: unknown;
  /** Of the value in UTF-8. */
  readonly bytes: number;
  private readonly text: string;
  private written: Buffer | null = null;

  constructor({ topic, key, headers, json }: Omit<BusMessage, 'value'> & { json: unknown }) {
    this.topic = topic;
    this.key = key;
    this.headers = headers;
    this.json = json;
    this.text = JSON.stringify(json);
    this.bytes = Buffer.byteLength(this.text);
  }

  get value(): Buffer {
    return (this.written ??= Buffer.from(this.text));
  }
}

/** Bytes of a message's value. */
export const valueBytes = (message: BusMessage): number =>
  message instanceof JsonMessage ? message.bytes : message.value.length;

/**
 * Reads a message's value as JSON.
 *
 * @param correct changes the text before it is read; not called for what this process has written.
 * @throws SyntaxError when it is not JSON.
 */
export function readJson(message: BusMessage, correct = (text: string): string => text): unknown {
  if (message instanceof JsonMessage) return message.json;
  return JSON.parse(correct(message.value.toString('utf8')));
}
