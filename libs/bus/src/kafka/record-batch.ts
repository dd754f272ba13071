/** Codec for record batches (Kafka protocol guide, "Record Batch", magic 2). */

type BinaryValue = Buffer | string;

export interface RecordFields {
  key?: BinaryValue | null;
  value: BinaryValue | null;
  headers?: Record<string, BinaryValue | BinaryValue[]>;
}

/** Values shared by all records in a batch. Offsets and IDs are strings because they are 64-bit integers. */
export interface BatchContext {
  firstOffset: string;
  firstTimestamp: string;
  maxTimestamp: string;
  /** Whether records use the time at which the broker appended them instead of the sender's time. */
  hasAppendTime: boolean;
  producerId: string;
  inTransaction: boolean;
  isControlBatch: boolean;
}

export const MAGIC_BYTE = 2;

/** A batch's records, which are measured but not yet written. */
export interface EncodedRecords {
  /** Size in bytes. */
  size: number;
  write(writer: Writer): void;
}

/** Measures records and returns a function that writes them. The batch header isn't included. */
export function encodeRecords(records: readonly RecordFields[]): EncodedRecords {
  const sizes = records.map(getBodySize);
  return {
    size: sizes.reduce((sum, size) => sum + getVarintSize(size) + size, 0),
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
  // Attributes (none are defined) and the timestamp delta (all records have the batch's time).
  writer.varint(0);
  writer.varint(0);
  writer.varint(index);
  writer.field(key);
  writer.field(value);
  writer.varint(countHeaders(headers));
  for (const name in headers) {
    for (const item of toArray(headers[name]!)) {
      writer.field(name);
      writer.field(item);
    }
  }
}

/** The size excludes the length prefix. */
function getBodySize({ key = null, value, headers = {} }: RecordFields, index: number): number {
  let size = 2 + getVarintSize(index) + getFieldSize(key) + getFieldSize(value) + getVarintSize(countHeaders(headers));
  for (const name in headers)
    for (const item of toArray(headers[name]!)) size += getFieldSize(name) + getFieldSize(item);
  return size;
}

function getFieldSize(value: BinaryValue | null): number {
  if (value === null) return getVarintSize(-1);
  const length = Buffer.byteLength(value);
  return getVarintSize(length) + length;
}

const toArray = (values: BinaryValue | BinaryValue[]): BinaryValue[] => (Array.isArray(values) ? values : [values]);

function countHeaders(headers: NonNullable<RecordFields['headers']>): number {
  let count = 0;
  for (const name in headers) count += toArray(headers[name]!).length;
  return count;
}

type HeaderValue = Buffer | null | (Buffer | null)[];

/** Record as kafkajs passes it to consumers. */
export class DecodedRecord {
  readonly magicByte = MAGIC_BYTE;
  readonly attributes: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: string;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly isControlRecord: boolean;
  readonly batchContext: BatchContext;
  private readonly encodedHeaders: Buffer;

  /** Reads a record up to the `end` position. */
  constructor(reader: Reader, end: number, batchContext: BatchContext) {
    const { firstOffset, firstTimestamp, maxTimestamp, hasAppendTime, isControlBatch } = batchContext;
    this.attributes = reader.int8();
    const timestampDelta = reader.varint();
    this.timestamp = hasAppendTime ? maxTimestamp : String(Number(firstTimestamp) + timestampDelta);
    this.offset = String(Number(firstOffset) + reader.varint());
    this.key = reader.bytes();
    this.value = reader.bytes();
    this.encodedHeaders = reader.readUntil(end);
    this.isControlRecord = isControlBatch;
    this.batchContext = batchContext;
  }

  /** Headers are decoded on access because consumers read the headers of few records. */
  get headers(): Record<string, HeaderValue> {
    return decodeHeaders(this.encodedHeaders);
  }
}

/** @param bytes All records in the batch, decompressed. */
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

  /** Reads a zigzag-encoded integer. The result is exact up to 2^53, which no number in a record exceeds. */
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
    return length < 0 ? null : this.readUntil(this.position + length);
  }

  readUntil(end: number): Buffer {
    const bytes = this.source.subarray(this.position, end);
    this.position = end;
    return bytes;
  }
}

/** Writes Kafka protocol types to a buffer of sufficient size. */
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
    let remaining = encodeZigzag(value);
    for (; remaining >= 0x80; remaining = Math.floor(remaining / 0x80))
      this.target[this.position++] = (remaining % 0x80) | 0x80;
    this.target[this.position++] = remaining;
  }

  /** Writes the length as a varint, followed by the value. */
  field(value: BinaryValue | null): void {
    if (value === null) return this.varint(-1);
    const length = Buffer.byteLength(value);
    this.varint(length);
    this.bytes(value, length);
  }

  bytes(value: BinaryValue, length: number): void {
    if (typeof value === 'string') this.target.write(value, this.position);
    else this.target.set(value, this.position);
    this.position += length;
  }
}

export const getStringSize = (value: string | null): number => 2 + (value === null ? 0 : Buffer.byteLength(value));

const encodeZigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

function getVarintSize(value: number): number {
  let size = 1;
  for (let remaining = encodeZigzag(value); remaining >= 0x80; remaining = Math.floor(remaining / 0x80)) size += 1;
  return size;
}
