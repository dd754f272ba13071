import { createRequire } from 'node:module';
import { crc32c } from '../crc32c.js';
import {
  decodeRecords,
  encodeRecords,
  MAGIC_BYTE,
  getStringSize,
  Writer,
  type BatchContext,
  type DecodedRecord,
  type EncodedRecords,
  type RecordFields,
} from '../record-batch.js';

/** Arguments to a kafkajs Produce request. */
export interface ProduceFields {
  acks: number;
  /** How long the broker waits for its replicas, in milliseconds. */
  timeout: number;
  transactionalId?: string | null;
  /** A number, or kafkajs's class for 64-bit integers. */
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

interface EncodedPayload {
  readonly buffer: Buffer;
  /** Same as `buffer`. kafkajs's original `createRequest` reads both. */
  readonly buf: Buffer;
  /** Buffer that contains the reserved bytes followed by the payload. Undefined in kafkajs's own requests. */
  reserved?: Buffer;
}

interface KafkaRequest {
  apiKey: number;
  apiVersion: number;
  /** @param reservedBytes Number of bytes to reserve before the payload. */
  encode(reservedBytes?: number): Promise<EncodedPayload>;
}

/** Subset of kafkajs's decoder. */
export interface FieldReader {
  readInt64(): bigint;
  readInt32(): number;
  canReadBytes(length: number): boolean;
  readBytes(length: number): Buffer;
}

interface Codec {
  compress(records: { buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
}

const BATCH_HEADER_BYTES = 61;
const HEADER_OFFSETS = {
  checksum: 17,
  attributes: 21,
  firstTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  count: 57,
};
/** Bytes that a batch's length field doesn't count: everything up to and including the field. */
const UNCOUNTED_HEADER_BYTES = 12;
/** Bit masks for batch attributes. */
const [COMPRESSION, APPEND_TIME, TRANSACTIONAL, CONTROL] = [7, 8, 16, 32];

const PRODUCE_API_KEY = 0;

/**
 * Encodes a request with its header (Kafka protocol guide, "Request Header", version 1). Replaces kafkajs's version,
 * which copies requests twice into zero-filled buffers.
 */
export async function createRequest({
  correlationId,
  clientId,
  request: { apiKey, apiVersion, encode },
}: {
  correlationId: number;
  clientId: string;
  request: KafkaRequest;
}): Promise<{ buffer: Buffer }> {
  const headerBytes = 4 + 2 + 2 + 4 + getStringSize(clientId);
  const payload = await encode(headerBytes);
  const buffer = payload.reserved ?? Buffer.concat([Buffer.allocUnsafe(headerBytes), payload.buffer]);
  const writer = new Writer(buffer, 0);
  writer.int32(buffer.length - 4);
  writer.int16(apiKey);
  writer.int16(apiVersion);
  writer.int32(correlationId);
  writer.string(clientId);
  return { buffer };
}

/**
 * Returns a Produce request of version 3, which later versions extend. All records have the request's timestamp.
 * Replaces kafkajs's version, which copies each record through six nested buffers.
 */
export function produceRequest(fields: ProduceFields): KafkaRequest & { apiName: string; expectResponse(): boolean } {
  return {
    apiKey: PRODUCE_API_KEY,
    apiVersion: 3,
    apiName: 'Produce',
    expectResponse: () => fields.acks !== 0,
    async encode(reservedBytes = 0) {
      const records = new Map<PartitionFields, EncodedRecords>();
      for (const partition of fields.topicData.flatMap(({ partitions }) => partitions)) {
        records.set(partition, await compressRecords(encodeRecords(partition.messages), fields.compression));
      }
      const reserved = encodeProduce(fields, records, reservedBytes);
      const buffer = reserved.subarray(reservedBytes);
      return { reserved, buffer, buf: buffer };
    },
  };
}

async function compressRecords(records: EncodedRecords, compression = 0): Promise<EncodedRecords> {
  if (compression === 0) return records;
  const plain = Buffer.allocUnsafe(records.size);
  records.write(new Writer(plain, 0));
  const bytes = await getCodec(compression).compress({ buffer: plain });
  return { size: bytes.length, write: (writer) => writer.bytes(bytes, bytes.length) };
}

function encodeProduce(
  fields: ProduceFields,
  records: ReadonlyMap<PartitionFields, EncodedRecords>,
  reservedBytes: number,
): Buffer {
  const { acks, timeout, transactionalId = null, topicData } = fields;
  let size = reservedBytes + getStringSize(transactionalId) + 2 + 4 + 4;
  for (const { topic } of topicData) size += getStringSize(topic) + 4;
  for (const batch of records.values()) size += 4 + 4 + BATCH_HEADER_BYTES + batch.size;
  const writer = new Writer(Buffer.allocUnsafe(size), reservedBytes);
  writer.string(transactionalId);
  writer.int16(acks);
  writer.int32(timeout);
  writer.int32(topicData.length);
  for (const { topic, partitions } of topicData) {
    writer.string(topic);
    writer.int32(partitions.length);
    for (const partition of partitions) {
      const batch = records.get(partition)!;
      writer.int32(partition.partition);
      writer.int32(BATCH_HEADER_BYTES + batch.size);
      writeRecordBatch(writer, fields, partition, batch);
    }
  }
  return writer.target;
}

function writeRecordBatch(
  writer: Writer,
  { transactionalId = null, producerId = -1, producerEpoch = 0, compression = 0 }: ProduceFields,
  { firstSequence = 0, messages }: PartitionFields,
  records: EncodedRecords,
): void {
  const start = writer.position;
  const now = BigInt(Date.now());
  writer.int64(0n);
  writer.int32(BATCH_HEADER_BYTES + records.size - UNCOUNTED_HEADER_BYTES);
  writer.int32(0);
  writer.int8(MAGIC_BYTE);
  writer.uint32(0);
  writer.int16(compression | (transactionalId === null ? 0 : TRANSACTIONAL));
  writer.int32(messages.length - 1);
  writer.int64(now);
  writer.int64(now);
  writer.int64(BigInt(producerId.toString()));
  writer.int16(producerEpoch);
  writer.int32(firstSequence);
  writer.int32(messages.length);
  records.write(writer);
  const checksum = crc32c(writer.target.subarray(start + HEADER_OFFSETS.attributes, writer.position));
  writer.target.writeUInt32BE(checksum, start + HEADER_OFFSETS.checksum);
}

/**
 * Decodes a record batch in a Fetch response. Replaces kafkajs's version, which copies all of a record's headers for
 * each header.
 *
 * @throws {Error} KafkaJSPartialMessageError if the response ends within the batch. kafkajs then ignores the batch.
 */
export async function decodeRecordBatch(decoder: FieldReader): Promise<{ records: DecodedRecord[] }> {
  const firstOffset = String(decoder.readInt64());
  const length = decoder.readInt32();
  if (!decoder.canReadBytes(length)) {
    throw Object.assign(new Error('the response ends within a record batch'), { name: 'KafkaJSPartialMessageError' });
  }
  const batch = decoder.readBytes(length);
  const toRelativeOffset = (offset: number): number => offset - UNCOUNTED_HEADER_BYTES;
  const attributes = batch.readInt16BE(toRelativeOffset(HEADER_OFFSETS.attributes));
  const context: BatchContext = {
    firstOffset,
    firstTimestamp: String(batch.readBigInt64BE(toRelativeOffset(HEADER_OFFSETS.firstTimestamp))),
    maxTimestamp: String(batch.readBigInt64BE(toRelativeOffset(HEADER_OFFSETS.maxTimestamp))),
    hasAppendTime: (attributes & APPEND_TIME) > 0,
    producerId: String(batch.readBigInt64BE(toRelativeOffset(HEADER_OFFSETS.producerId))),
    inTransaction: (attributes & TRANSACTIONAL) > 0,
    isControlBatch: (attributes & CONTROL) > 0,
  };
  const compression = attributes & COMPRESSION;
  const body = batch.subarray(toRelativeOffset(BATCH_HEADER_BYTES));
  const records = compression === 0 ? body : await getCodec(compression).decompress(body);
  return { records: decodeRecords(records, batch.readInt32BE(toRelativeOffset(HEADER_OFFSETS.count)), context) };
}

function getCodec(compression: number): Codec {
  const { lookupCodec } = requireKafkajs<{ lookupCodec(type: number): Codec }>('protocol/message/compression');
  return lookupCodec(compression);
}

const require = createRequire(import.meta.url);

/** Loads a kafkajs module on first use. */
const requireKafkajs = <T>(module: string): T => require(`kafkajs/src/${module}`) as T;
