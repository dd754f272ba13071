import { createRequire } from 'node:module';
import { crc32c } from './crc32c.js';

/** A message as kafkajs hands it on. */
export interface RecordFields {
  key?: Buffer | string | null;
  value: Buffer | string | null;
  headers?: Record<string, Buffer | string | (Buffer | string)[]>;
}

/** What kafkajs hands to the encoder of a Produce request. */
export interface ProduceFields {
  acks: number;
  /** Milliseconds. */
  timeout: number;
  transactionalId?: string | null;
  /** A number, or kafkajs's own kind of one. */
  producerId?: { toString(): string };
  producerEpoch?: number;
  compression?: number;
  topicData: { topic: string; partitions: PartitionFields[] }[];
}

interface PartitionFields {
  partition: number;
  firstSequence?: number;
  messages: RecordFields[];
}

/** Of the protocol: the key of Produce, the version of record batches, the bit of batches that are in a transaction. */
const [PRODUCE, MAGIC, TRANSACTIONAL] = [0, 2, 16];
/** Bytes of a batch before its records, and of those what its checksum and its length leave out. */
const [BATCH_HEAD, BEFORE_CHECKED, BEFORE_COUNTED] = [61, 21, 12];

/** The records of a batch: how many bytes they take, and how they are put there. */
interface Records {
  size: number;
  write(buf: Buffer, at: number): void;
}

/**
 * The request by which messages are sent (Kafka protocol guide, "Produce" of version 3 to 7 and "Record Batch"). Of what
 * kafkajs writes it writes the same bytes, in one buffer that is measured first. kafkajs lets a buffer grow for each part
 * of a part: 14 kB are cleared and copied for a visit of 600 bytes, and the garbage collector has to run for them.
 *
 * Each record has the time of its batch: nobody gives one another.
 *
 * Upstream: https://github.com/tulios/kafkajs/pull/811 made its encoder what it is in 2.2.4.
 */
export const produceRequest = (fields: ProduceFields) => ({
  apiKey: PRODUCE,
  apiVersion: 3,
  apiName: 'Produce',
  expectResponse: () => fields.acks !== 0,
  /** @param room bytes that are left before the request, in `whole`. */
  async encode(room = 0) {
    const batches: Records[][] = [];
    for (const { partitions } of fields.topicData) {
      const measured: Records[] = [];
      for (const { messages } of partitions) measured.push(await compressed(measure(messages), fields.compression));
      batches.push(measured);
    }
    const whole = encodeRequest(fields, batches, room);
    const buf = whole.subarray(room);
    return { whole, buf, buffer: buf, size: () => buf.length };
  },
});

async function compressed(records: Records, compression = 0): Promise<Records> {
  if (compression === 0) return records;
  const { lookupCodec } = createRequire(import.meta.url)('kafkajs/src/protocol/message/compression') as {
    lookupCodec(compression: number): { compress(records: { buffer: Buffer }): Promise<Buffer> };
  };
  const buffer = Buffer.allocUnsafe(records.size);
  records.write(buffer, 0);
  const bytes = await lookupCodec(compression).compress({ buffer });
  return { size: bytes.length, write: (buf, at) => bytes.copy(buf, at) };
}

function encodeRequest(fields: ProduceFields, batches: readonly Records[][], room: number): Buffer {
  const { acks, timeout, transactionalId = null, topicData } = fields;
  let size = room + stringSize(transactionalId) + 10;
  for (const [index, { topic }] of topicData.entries()) {
    size += stringSize(topic) + 4;
    for (const records of batches[index]!) size += 8 + BATCH_HEAD + records.size;
  }
  const buf = Buffer.allocUnsafe(size);
  let at = writeString(buf, transactionalId, room);
  at = buf.writeInt16BE(acks, at);
  at = buf.writeInt32BE(timeout, at);
  at = buf.writeInt32BE(topicData.length, at);
  for (const [index, { topic, partitions }] of topicData.entries()) {
    at = writeString(buf, topic, at);
    at = buf.writeInt32BE(partitions.length, at);
    for (const [each, partition] of partitions.entries()) {
      const records = batches[index]![each]!;
      at = buf.writeInt32BE(partition.partition, at);
      at = buf.writeInt32BE(BATCH_HEAD + records.size, at);
      at = writeBatch(buf.subarray(at), fields, partition, records) + at;
    }
  }
  return buf;
}

/** @returns how many bytes it wrote. */
function writeBatch(
  buf: Buffer,
  { transactionalId = null, producerId = -1, producerEpoch = 0, compression = 0 }: ProduceFields,
  { firstSequence = 0, messages }: PartitionFields,
  records: Records,
): number {
  const end = BATCH_HEAD + records.size;
  const now = BigInt(Date.now());
  let at = buf.writeBigInt64BE(0n, 0);
  at = buf.writeInt32BE(end - BEFORE_COUNTED, at);
  at = buf.writeInt32BE(0, at);
  at = buf.writeInt8(MAGIC, at);
  at = buf.writeInt16BE(compression | (transactionalId ? TRANSACTIONAL : 0), BEFORE_CHECKED);
  at = buf.writeInt32BE(messages.length - 1, at);
  at = buf.writeBigInt64BE(now, at);
  at = buf.writeBigInt64BE(now, at);
  at = buf.writeBigInt64BE(BigInt(producerId.toString()), at);
  at = buf.writeInt16BE(producerEpoch, at);
  at = buf.writeInt32BE(firstSequence, at);
  at = buf.writeInt32BE(messages.length, at);
  records.write(buf, at);
  buf.writeUInt32BE(crc32c(buf.subarray(BEFORE_CHECKED, end)), BEFORE_CHECKED - 4);
  return end;
}

type Bytes = Buffer | string | null;

/** Measures the records once, and keeps the lengths for writing them. */
function measure(messages: readonly RecordFields[]): Records {
  const parts = new Parts();
  const bodies: number[] = [];
  let size = 0;
  for (const [index, { key = null, value, headers = {} }] of messages.entries()) {
    let body = 2 + varintSize(index) + parts.add(key) + parts.add(value) + varintSize(headerCount(headers));
    for (const name in headers) {
      const given = headers[name]!;
      if (Array.isArray(given)) for (const item of given) body += parts.addHeader(name, item);
      else body += parts.addHeader(name, given);
    }
    bodies.push(body);
    size += varintSize(body) + body;
  }
  return { size, write: (buf, at) => writeRecords(buf, at, { messages, bodies, parts }) };
}

function writeRecords(
  buf: Buffer,
  start: number,
  { messages, bodies, parts }: { messages: readonly RecordFields[]; bodies: readonly number[]; parts: Parts },
): void {
  let at = start;
  for (const [index, { headers = {} }] of messages.entries()) {
    const end = bodies[index]! + varintSize(bodies[index]!) + at;
    at = writeVarint(buf, bodies[index]!, at);
    buf[at] = 0;
    at = writeVarint(buf, 0, at + 1);
    at = writeVarint(buf, index, at);
    at = parts.writeNext(buf, at);
    at = parts.writeNext(buf, at);
    at = writeVarint(buf, headerCount(headers), at);
    while (at < end) at = parts.writeNext(buf, at);
  }
}

/** Keys, values and headers in the order in which they are written. */
class Parts {
  private readonly parts: Bytes[] = [];
  /** Bytes of each part; -1 for what has its length before it already. */
  private readonly lengths: number[] = [];
  /** The last value of each header. Most are the same for all messages, and are encoded once. */
  private readonly lastHeaders = new Map<string, { value: Buffer | string; encoded: Buffer | null; name: Buffer }>();
  private next = 0;

  /** @returns how many bytes it takes, as do the others. */
  add(part: Bytes): number {
    const length = part === null ? 0 : Buffer.byteLength(part);
    this.parts.push(part);
    this.lengths.push(length);
    return varintSize(part === null ? -1 : length) + length;
  }

  addHeader(name: string, value: Buffer | string): number {
    const last = this.lastHeaders.get(name);
    if (last === undefined) {
      const encodedName = encoded([name]);
      this.lastHeaders.set(name, { value, encoded: null, name: encodedName });
      return this.addEncoded(encodedName) + this.add(value);
    }
    if (last.value === value) return this.addEncoded((last.encoded ??= encoded([name, value])));
    last.value = value;
    last.encoded = null;
    return this.addEncoded(last.name) + this.add(value);
  }

  private addEncoded(part: Buffer): number {
    this.parts.push(part);
    this.lengths.push(-1);
    return part.length;
  }

  /** @returns where it ends. */
  writeNext(buf: Buffer, start: number): number {
    const part = this.parts[this.next]!;
    const length = this.lengths[this.next]!;
    this.next += 1;
    if (part === null) return writeVarint(buf, -1, start);
    const at = length < 0 ? start : writeVarint(buf, length, start);
    if (typeof part === 'string') buf.write(part, at);
    else buf.set(part, at);
    return at + (length < 0 ? part.length : length);
  }
}

/** Texts, each after its length. */
function encoded(texts: readonly (Buffer | string)[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const buf = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + varintSize(length) + length, 0));
  let at = 0;
  for (const [index, text] of texts.entries()) {
    at = writeVarint(buf, lengths[index]!, at);
    if (typeof text === 'string') buf.write(text, at);
    else text.copy(buf, at);
    at += lengths[index]!;
  }
  return buf;
}

function headerCount(headers: NonNullable<RecordFields['headers']>): number {
  let count = 0;
  for (const name in headers) {
    const given = headers[name]!;
    count += Array.isArray(given) ? given.length : 1;
  }
  return count;
}

function stringSize(text: string | null): number {
  return 2 + (text === null ? 0 : Buffer.byteLength(text));
}

function writeString(buf: Buffer, text: string | null, start: number): number {
  if (text === null) return buf.writeInt16BE(-1, start);
  const at = buf.writeInt16BE(Buffer.byteLength(text), start);
  return at + buf.write(text, at);
}

/** Zigzag: small numbers of either sign are short. Sizes and places stay far below 2^52, so no 64-bit integers are needed. */
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
