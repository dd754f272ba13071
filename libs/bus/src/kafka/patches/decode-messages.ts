import { createRequire } from 'node:module';

/** What is used here of kafkajs's decoder. */
export interface FieldReader {
  readInt32(): number;
  canReadBytes(length: number): boolean;
  readBytes(length: number): Buffer;
}

/** What the records of a batch have in common, by the names of kafkajs. */
interface BatchContext {
  firstOffset: string;
  firstTimestamp: string;
  maxTimestamp: string;
  /** Whether all records have the time at which the batch was appended. */
  hasAppendTime: boolean;
  producerId: string;
  inTransaction: boolean;
  isControlBatch: boolean;
}

type HeaderValue = Buffer | null | (Buffer | null)[];

/** Bytes of a record batch before a field, and before its records. */
const AT = { length: 8, magic: 16, attributes: 21, firstTimestamp: 27, maxTimestamp: 35, producerId: 43, count: 57 };
const [BEFORE_COUNTED, BATCH_HEAD] = [12, 61];
/** Of the protocol: the version of record batches, and bits of their attributes. */
const MAGIC = 2;
const [COMPRESSION, APPEND_TIME, TRANSACTIONAL, CONTROL] = [7, 8, 16, 32];

/**
 * The records of a partition in a Fetch response (Kafka protocol guide, "Record Batch"): what kafkajs reads of them, but keys,
 * headers and times only once somebody asks for them, which nobody does who stores visits. kafkajs has an object for each part of a
 * record and for each long number, and copies all headers for each header.
 *
 * Upstream: none known.
 */
export async function decodeMessages(decoder: FieldReader): Promise<unknown[]> {
  const size = decoder.readInt32();
  if (size <= 0 || !decoder.canReadBytes(size)) return [];
  const bytes = decoder.readBytes(size);
  if (bytes[AT.magic] !== MAGIC) return readMessageSet(bytes);
  const records: FetchedRecord[] = [];
  for (let at = 0; at + BATCH_HEAD <= bytes.length;) {
    const end = at + BEFORE_COUNTED + bytes.readInt32BE(at + AT.length);
    // A response has no more bytes than were asked for, so the last batch may be cut off.
    if (end > bytes.length) break;
    await readBatch(bytes.subarray(at, end), records);
    at = end;
  }
  return records;
}

/** The form that brokers before 0.11 wrote. */
function readMessageSet(bytes: Buffer): Promise<unknown[]> {
  const require = createRequire(import.meta.url);
  const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => FieldReader;
  const decode = require('kafkajs/src/protocol/messageSet/decoder') as (
    decoder: FieldReader,
    size: number,
  ) => Promise<unknown[]>;
  return decode(new Decoder(bytes), bytes.length);
}

async function readBatch(batch: Buffer, records: FetchedRecord[]): Promise<void> {
  const attributes = batch.readInt16BE(AT.attributes);
  const context: BatchContext = {
    firstOffset: String(batch.readBigInt64BE(0)),
    firstTimestamp: String(batch.readBigInt64BE(AT.firstTimestamp)),
    maxTimestamp: String(batch.readBigInt64BE(AT.maxTimestamp)),
    hasAppendTime: (attributes & APPEND_TIME) > 0,
    producerId: String(batch.readBigInt64BE(AT.producerId)),
    inTransaction: (attributes & TRANSACTIONAL) > 0,
    isControlBatch: (attributes & CONTROL) > 0,
  };
  const bytes = await decompressed(batch.subarray(BATCH_HEAD), attributes);
  const firstOffset = Number(context.firstOffset);
  const cursor = new Cursor(bytes);
  for (let left = batch.readInt32BE(AT.count); left > 0; left -= 1) {
    const end = cursor.varint() + cursor.at;
    const start = cursor.at;
    cursor.toOffset(start);
    const offset = String(firstOffset + cursor.varint());
    cursor.skipBytes();
    records.push(new FetchedRecord(offset, cursor.bytes(), context, bytes, start));
    cursor.at = end;
  }
}

async function decompressed(bytes: Buffer, attributes: number): Promise<Buffer> {
  if ((attributes & COMPRESSION) === 0) return bytes;
  const { lookupCodecByAttributes } = createRequire(import.meta.url)('kafkajs/src/protocol/message/compression') as {
    lookupCodecByAttributes(attributes: number): { decompress(bytes: Buffer): Promise<Buffer> };
  };
  return lookupCodecByAttributes(attributes).decompress(bytes);
}

/** A record as kafkajs hands it out. */
class FetchedRecord {
  readonly magicByte = MAGIC;
  readonly offset: string;
  readonly value: Buffer | null;
  readonly batchContext: BatchContext;
  private readonly bytes: Buffer;
  private readonly start: number;

  /** @param start where the record is in the bytes, after its length. */
  constructor(offset: string, value: Buffer | null, batchContext: BatchContext, bytes: Buffer, start: number) {
    this.offset = offset;
    this.value = value;
    this.batchContext = batchContext;
    this.bytes = bytes;
    this.start = start;
  }

  get attributes(): number {
    return this.bytes.readInt8(this.start);
  }

  get isControlRecord(): boolean {
    return this.batchContext.isControlBatch;
  }

  get timestamp(): string {
    const { hasAppendTime, firstTimestamp, maxTimestamp } = this.batchContext;
    if (hasAppendTime) return maxTimestamp;
    const cursor = new Cursor(this.bytes);
    cursor.at = this.start + 1;
    return String(Number(firstTimestamp) + cursor.varint());
  }

  get key(): Buffer | null {
    return this.cursorAtKey().bytes();
  }

  get headers(): Record<string, HeaderValue> {
    const cursor = this.cursorAtKey();
    cursor.skipBytes();
    cursor.skipBytes();
    // Any name may come, also those that every object has.
    const headers = Object.create(null) as Record<string, HeaderValue>;
    for (let left = cursor.varint(); left > 0; left -= 1) {
      const name = String(cursor.bytes());
      const value = cursor.bytes();
      const former = headers[name];
      headers[name] = former === undefined ? value : Array.isArray(former) ? [...former, value] : [former, value];
    }
    return headers;
  }

  private cursorAtKey(): Cursor {
    const cursor = new Cursor(this.bytes);
    cursor.toOffset(this.start);
    cursor.varint();
    return cursor;
  }
}

class Cursor {
  at = 0;
  private readonly source: Buffer;

  constructor(source: Buffer) {
    this.source = source;
  }

  /** Zigzag: small numbers of either sign are short. Precise up to 2^53, as are all numbers in a record. */
  varint(): number {
    let byte = this.source[this.at++]!;
    if (byte < 0x80) return (byte >>> 1) ^ -(byte & 1);
    let value = byte & 0x7f;
    for (let factor = 0x80; byte >= 0x80; factor *= 0x80) {
      byte = this.source[this.at++]!;
      value += (byte & 0x7f) * factor;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  bytes(): Buffer | null {
    const length = this.varint();
    if (length < 0) return null;
    const from = this.at;
    this.at += length;
    return this.source.subarray(from, this.at);
  }

  skipBytes(): void {
    const length = this.varint();
    if (length > 0) this.at += length;
  }

  /** Skips the attributes of a record and its time. */
  toOffset(start: number): void {
    this.at = start + 1;
    this.varint();
  }
}
