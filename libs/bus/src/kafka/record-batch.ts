/** Codec for record batches (Kafka protocol guide, "Record Batch", magic 2). */

type Bytes = Buffer | string;

export interface RecordFields {
  key?: Bytes | null;
  value: Bytes | null;
  headers?: Record<string, Bytes | Bytes[]>;
}

/** Values shared by all records of a batch. Offsets and IDs are strings, because they're 64-bit integers. */
export interface BatchContext {
  firstOffset: string;
  firstTimestamp: string;
  maxTimestamp: string;
  /** Whether records have the time when the broker appended them, instead of the sender's time. */
  hasAppendTime: boolean;
  producerId: string;
  inTransaction: boolean;
  isControlBatch: boolean;
}

export const MAGIC = 2;

/**
 * Encodes records without the header of their batch.
 *
 * @param headSize bytes to reserve before the records.
 */
export function encodeRecords(records: readonly RecordFields[], headSize = 0): Buffer {
  const sizes = records.map(bodySize);
  const size = sizes.reduce((sum, body) => sum + varintSize(body) + body, headSize);
  const writer = new Writer(Buffer.allocUnsafe(size), headSize);
  for (const [index, { key = null, value, headers = {} }] of records.entries()) {
    writer.varint(sizes[index]!);
    // Attributes (none are defined) and timestamp delta (all records have the batch's time).
    writer.varint(0);
    writer.varint(0);
    writer.varint(index);
    writer.field(key);
    writer.field(value);
    writer.varint(headerCount(headers));
    for (const name in headers) {
      for (const item of valuesOf(headers[name]!)) {
        writer.field(name);
        writer.field(item);
      }
    }
  }
  return writer.target;
}

/** Returns the size of a record without the length in front of it. */
function bodySize({ key = null, value, headers = {} }: RecordFields, index: number): number {
  let size = 2 + varintSize(index) + fieldSize(key) + fieldSize(value) + varintSize(headerCount(headers));
  for (const name in headers) for (const item of valuesOf(headers[name]!)) size += fieldSize(name) + fieldSize(item);
  return size;
}

function fieldSize(value: Bytes | null): number {
  if (value === null) return varintSize(-1);
  const length = Buffer.byteLength(value);
  return varintSize(length) + length;
}

const valuesOf = (values: Bytes | Bytes[]): Bytes[] => (Array.isArray(values) ? values : [values]);

function headerCount(headers: NonNullable<RecordFields['headers']>): number {
  let count = 0;
  for (const name in headers) count += valuesOf(headers[name]!).length;
  return count;
}

/** Record as kafkajs passes it to consumers. */
export interface DecodedRecord {
  magicByte: number;
  attributes: number;
  /** Milliseconds since the epoch. */
  timestamp: string;
  offset: string;
  key: Buffer | null;
  value: Buffer | null;
  /** Decoded on access, because consumers read the headers of few records. */
  readonly headers: Record<string, HeaderValue>;
  isControlRecord: boolean;
  batchContext: BatchContext;
}

type HeaderValue = Buffer | null | (Buffer | null)[];

/** @param bytes all records of the batch, decompressed. */
export function decodeRecords(bytes: Buffer, count: number, batchContext: BatchContext): DecodedRecord[] {
  const reader = new Reader(bytes);
  return Array.from({ length: count }, () => {
    const size = reader.varint();
    return decodeRecord(reader, reader.position + size, batchContext);
  });
}

function decodeRecord(reader: Reader, end: number, batchContext: BatchContext): DecodedRecord {
  const { firstOffset, firstTimestamp, maxTimestamp, hasAppendTime, isControlBatch } = batchContext;
  const attributes = reader.int8();
  const timestampDelta = reader.varint();
  const offsetDelta = reader.varint();
  const key = reader.bytes();
  const value = reader.bytes();
  const headers = reader.until(end);
  return {
    magicByte: MAGIC,
    attributes,
    timestamp: hasAppendTime ? maxTimestamp : String(Number(firstTimestamp) + timestampDelta),
    offset: String(Number(firstOffset) + offsetDelta),
    key,
    value,
    get headers() {
      return decodeHeaders(headers);
    },
    isControlRecord: isControlBatch,
    batchContext,
  };
}

function decodeHeaders(bytes: Buffer): Record<string, HeaderValue> {
  const reader = new Reader(bytes);
  const values = new Map<string, HeaderValue>();
  for (let count = reader.varint(); count > 0; count -= 1) {
    const name = String(reader.bytes());
    const value = reader.bytes();
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, value);
    else values.set(name, Array.isArray(earlier) ? [...earlier, value] : [earlier, value]);
  }
  return Object.fromEntries(values);
}

class Reader {
  position = 0;
  private readonly source: Buffer;

  constructor(source: Buffer) {
    this.source = source;
  }

  int8(): number {
    return this.source.readInt8(this.position++);
  }

  /** Reads a zigzag-encoded integer. Exact up to 2^53, which no number in a record exceeds. */
  varint(): number {
    let value = 0;
    let byte: number;
    let factor = 1;
    do {
      byte = this.source[this.position++]!;
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte >= 0x80);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  bytes(): Buffer | null {
    const length = this.varint();
    return length < 0 ? null : this.until(this.position + length);
  }

  until(end: number): Buffer {
    const bytes = this.source.subarray(this.position, end);
    this.position = end;
    return bytes;
  }
}

class Writer {
  readonly target: Buffer;
  private position: number;

  constructor(target: Buffer, position: number) {
    this.target = target;
    this.position = position;
  }

  varint(value: number): void {
    let rest = zigzag(value);
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.target[this.position++] = (rest % 0x80) | 0x80;
    this.target[this.position++] = rest;
  }

  field(value: Bytes | null): void {
    if (value === null) return this.varint(-1);
    const length = Buffer.byteLength(value);
    this.varint(length);
    if (typeof value === 'string') this.target.write(value, this.position, 'utf8');
    else this.target.set(value, this.position);
    this.position += length;
  }
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

function varintSize(value: number): number {
  let size = 1;
  for (let rest = zigzag(value); rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}
