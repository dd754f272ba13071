import { createRequire } from 'node:module';
import { crc32c } from '../crc32c.js';
import {
  decodeRecords,
  encodeRecords,
  MAGIC,
  type BatchContext,
  type DecodedRecord,
  type RecordFields,
} from '../record-batch.js';

/** Arguments of a kafkajs Produce request. */
export interface ProduceFields {
  acks: number;
  /** Milliseconds that the broker waits for its replicas. */
  timeout: number;
  transactionalId?: string | null;
  /** Number, or kafkajs's class for 64-bit integers. */
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

/** kafkajs's growable buffer. */
interface Encoder {
  readonly buffer: Buffer;
  writeInt16(value: number): this;
  writeInt32(value: number): this;
  writeString(value: string | null): this;
}

interface Payload {
  readonly buffer: Buffer;
  /** Same as `buffer`. kafkajs's original `createRequest` reads both. */
  readonly buf: Buffer;
  /** Parts of the buffer. Missing in kafkajs's own requests. */
  chunks?: Buffer[];
}

interface Request {
  apiKey: number;
  apiVersion: number;
  encode(): Promise<Payload>;
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

/** Size of the batch header in bytes. */
const HEAD_SIZE = 61;
/** Offsets of fields in the header. */
const OFFSET = {
  checksum: 17,
  attributes: 21,
  firstTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  count: 57,
};
/** Bytes that a batch's length field doesn't count: everything up to and including the field itself. */
const BEFORE_LENGTH_SIZE = 12;
/** Bit masks of the attributes. */
const [COMPRESSION, APPEND_TIME, TRANSACTIONAL, CONTROL] = [7, 8, 16, 32];

/** API key of Produce requests. */
const PRODUCE = 0;

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
  request: Request;
}): Promise<{ buffer: Buffer }> {
  const payload = await encode();
  const { buffer: head } = encoder()
    .writeInt16(apiKey)
    .writeInt16(apiVersion)
    .writeInt32(correlationId)
    .writeString(clientId);
  const chunks = [head, ...(payload.chunks ?? [payload.buffer])];
  const { buffer: size } = encoder().writeInt32(chunks.reduce((sum, { length }) => sum + length, 0));
  return { buffer: Buffer.concat([size, ...chunks]) };
}

/**
 * Returns a Produce request of version 3, which later versions extend. All records have the request's timestamp.
 * Replaces kafkajs's version, which copies each record through six nested buffers.
 */
export function produceRequest(fields: ProduceFields): Request & { apiName: string; expectResponse(): boolean } {
  const { acks, timeout, transactionalId = null, topicData } = fields;
  return {
    apiKey: PRODUCE,
    apiVersion: 3,
    apiName: 'Produce',
    expectResponse: () => acks !== 0,
    async encode() {
      const head = encoder()
        .writeString(transactionalId)
        .writeInt16(acks)
        .writeInt32(timeout)
        .writeInt32(topicData.length);
      const chunks = [head.buffer];
      for (const { topic, partitions } of topicData) {
        chunks.push(encoder().writeString(topic).writeInt32(partitions.length).buffer);
        for (const partition of partitions) {
          const batch = await encodeRecordBatch(fields, partition);
          chunks.push(encoder().writeInt32(partition.partition).writeInt32(batch.length).buffer, batch);
        }
      }
      return {
        chunks,
        get buffer() {
          return Buffer.concat(chunks);
        },
        get buf() {
          return Buffer.concat(chunks);
        },
      };
    },
  };
}

async function encodeRecordBatch(
  { transactionalId = null, producerId = -1, producerEpoch = 0, compression = 0 }: ProduceFields,
  { firstSequence = 0, messages }: PartitionFields,
): Promise<Buffer> {
  const plain = encodeRecords(messages, HEAD_SIZE);
  const batch = compression === 0 ? plain : await compressed(plain, compression);
  const now = BigInt(Date.now());
  let at = batch.writeBigInt64BE(0n, 0);
  at = batch.writeInt32BE(batch.length - BEFORE_LENGTH_SIZE, at);
  at = batch.writeInt32BE(0, at);
  at = batch.writeInt8(MAGIC, at);
  at = batch.writeInt16BE(compression | (transactionalId === null ? 0 : TRANSACTIONAL), OFFSET.attributes);
  at = batch.writeInt32BE(messages.length - 1, at);
  at = batch.writeBigInt64BE(now, at);
  at = batch.writeBigInt64BE(now, at);
  at = batch.writeBigInt64BE(BigInt(producerId.toString()), at);
  at = batch.writeInt16BE(producerEpoch, at);
  at = batch.writeInt32BE(firstSequence, at);
  batch.writeInt32BE(messages.length, at);
  batch.writeUInt32BE(crc32c(batch.subarray(OFFSET.attributes)), OFFSET.checksum);
  return batch;
}

/** Returns the batch with compressed records and an empty header. */
async function compressed(batch: Buffer, compression: number): Promise<Buffer> {
  const records = await codecOf(compression).compress({ buffer: batch.subarray(HEAD_SIZE) });
  return Buffer.concat([Buffer.alloc(HEAD_SIZE), records]);
}

/**
 * Decodes a record batch of a Fetch response. Replaces kafkajs's version, which copies all headers of a record for each
 * of them.
 *
 * @throws Error KafkaJSPartialMessageError if the response ends within the batch. kafkajs then ignores the batch.
 */
export async function decodeRecordBatch(decoder: FieldReader): Promise<{ records: DecodedRecord[] }> {
  const firstOffset = String(decoder.readInt64());
  const length = decoder.readInt32();
  if (!decoder.canReadBytes(length)) {
    throw Object.assign(new Error('the response ends within a record batch'), { name: 'KafkaJSPartialMessageError' });
  }
  const batch = decoder.readBytes(length);
  const field = (offset: number): number => offset - BEFORE_LENGTH_SIZE;
  const attributes = batch.readInt16BE(field(OFFSET.attributes));
  const context: BatchContext = {
    firstOffset,
    firstTimestamp: String(batch.readBigInt64BE(field(OFFSET.firstTimestamp))),
    maxTimestamp: String(batch.readBigInt64BE(field(OFFSET.maxTimestamp))),
    hasAppendTime: (attributes & APPEND_TIME) > 0,
    producerId: String(batch.readBigInt64BE(field(OFFSET.producerId))),
    inTransaction: (attributes & TRANSACTIONAL) > 0,
    isControlBatch: (attributes & CONTROL) > 0,
  };
  const compression = attributes & COMPRESSION;
  const body = batch.subarray(field(HEAD_SIZE));
  const records = compression === 0 ? body : await codecOf(compression).decompress(body);
  return { records: decodeRecords(records, batch.readInt32BE(field(OFFSET.count)), context) };
}

function codecOf(compression: number): Codec {
  const { lookupCodec } = kafkajs<{ lookupCodec(type: number): Codec }>('protocol/message/compression');
  return lookupCodec(compression);
}

const require = createRequire(import.meta.url);

/** Loads a kafkajs module on first use. */
const kafkajs = <T>(module: string): T => require(`kafkajs/src/${module}`) as T;

function encoder(): Encoder {
  const Class = kafkajs<new () => Encoder>('protocol/encoder');
  return new Class();
}
