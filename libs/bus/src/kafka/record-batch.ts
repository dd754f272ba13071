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

/** Records of a batch that are measured, and not yet written. */
export interface EncodedRecords {
  /** Bytes. */
  size: number;
  write(writer: Writer): void;
}

/** Measures records, and returns a function that writes them. The header of their batch isn't included. */
export function encodeRecords(records: readonly RecordFields[]): EncodedRecords {
  const sizes = records.map(bodySize);
  return {
    size: sizes.reduce((sum, size) => sum + varintSize(size) + size, 0),
    write(writer) {
      for (const [index, record] of records.entries()) writeRecord(writer, record, index, sizes[index]!);
    },
  };
}

function writeRecord(
  writer: Writer,
  { key = null, value, headers = {} }: RecordFields,
  index: number,
  size: number,
): void {
  writer.varint(size);
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

type HeaderValue = Buffer | null | (Buffer | null)[];

/** Record as kafkajs passes it to consumers. */
export class DecodedRecord {
  readonly magicByte = MAGIC;
  readonly attributes: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: string;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly isControlRecord: boolean;
  readonly batchContext: BatchContext;
  private readonly encodedHeaders: Buffer;

  /** Reads a record up to its end. */
  constructor(reader: Reader, end: number, batchContext: BatchContext) {
    const { firstOffset, firstTimestamp, maxTimestamp, hasAppendTime, isControlBatch } = batchContext;
    this.attributes = reader.int8();
    const timestampDelta = reader.varint();
    this.timestamp = hasAppendTime ? maxTimestamp : String(Number(firstTimestamp) + timestampDelta);
    this.offset = String(Number(firstOffset) + reader.varint());
    this.key = reader.bytes();
    this.value = reader.bytes();
    this.encodedHeaders = reader.until(end);
    this.isControlRecord = isControlBatch;
    this.batchContext = batchContext;
  }

  /** Decoded on access, because consumers read the headers of few records. */
  get headers(): Record<string, HeaderValue> {
    return decodeHeaders(this.encodedHeaders);
  }
}

/** @param bytes all records of the batch, decompressed. */
export function decodeRecords(bytes: Buffer, count: number, batchContext: BatchContext): DecodedRecord[] {
  const reader = new Reader(bytes);
  return Array.from({ length: count }, () => {
    const size = reader.varint();
    return new DecodedRecord(reader, reader.position + size, batchContext);
  });
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

/** Writes the types of the Kafka protocol to a buffer of the right size. */
export class Writer {
  position: number;
  readonly target: Buffer;

  constructor(target: Buffer, position: number) {
    this.target = target;
    this.position = position;
  }

  int8(value: number): void {
    this.position = this.target.writeInt8(value, this.position);
  }

  int16(value: number): void {
    this.position = this.target.writeInt16BE(value, this.position);
  }

  int32(value: number): void {
    this.position = this.target.writeInt32BE(value, this.position);
  }

  uint32(value: number): void {
    this.position = this.target.writeUInt32BE(value, this.position);
  }

  int64(value: bigint): void {
    this.position = this.target.writeBigInt64BE(value, this.position);
  }

  string(value: string | null): void {
    if (value === null) return this.int16(-1);
    const length = Buffer.byteLength(value);
    this.int16(length);
    this.bytes(value, length);
  }

  varint(value: number): void {
    let rest = zigzag(value);
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.target[this.position++] = (rest % 0x80) | 0x80;
    this.target[this.position++] = rest;
  }

  /** Writes the length as a varint, and then the value. */
  field(value: Bytes | null): void {
    if (value === null) return this.varint(-1);
    const length = Buffer.byteLength(value);
    this.varint(length);
    this.bytes(value, length);
  }

  bytes(value: Bytes, length: number): void {
    if (typeof value === 'string') this.target.write(value, this.position);
    else this.target.set(value, this.position);
    this.position += length;
  }
}

export const stringSize = (value: string | null): number => 2 + (value === null ? 0 : Buffer.byteLength(value));

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

function varintSize(value: number): number {
  let size = 1;
  for (let rest = zigzag(value); rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}
