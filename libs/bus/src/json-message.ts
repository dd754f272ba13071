import type { BusMessage } from './bus.js';

/**
 * A message whose value is JSON. Within a process its consumers take the value as it is, and the bytes are made only when
 * somebody asks for them. Nobody may change what `json` holds: every consumer sees the same.
 */
export class JsonMessage implements BusMessage {
  readonly topic: string;
  readonly key: string | null;
  readonly headers: Record<string, string>;
  readonly json: unknown;
  /** Approximate size of the value in UTF-8: measuring it takes as long as writing it. */
  readonly bytes: number;
  private written: Buffer | null = null;

  constructor({ topic, key, headers, json, bytes }: Omit<BusMessage, 'value'> & { json: unknown; bytes: number }) {
    this.topic = topic;
    this.key = key;
    this.headers = headers;
    this.json = json;
    this.bytes = bytes;
  }

  get value(): Buffer {
    return (this.written ??= Buffer.from(JSON.stringify(this.json)));
  }
}

/** Approximate bytes of a message's value. */
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
