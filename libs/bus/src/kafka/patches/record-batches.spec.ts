import { jest } from '@jest/globals';
import { randomBytes, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import type { RecordFields } from '../record-batch.js';
import { REPLACEMENTS } from './patch-kafkajs.js';
import {
  createRequest,
  decodeRecordBatch,
  produceRequest,
  type FieldReader,
  type ProduceFields,
} from './record-batches.js';

const require = createRequire(import.meta.url);
const kafkajs = <T>(module: string): T => require(`kafkajs/src/protocol/${module}`) as T;
// Another test in this process may have replaced them.
for (const name of Object.keys(REPLACEMENTS)) delete require.cache[require.resolve(name)];
const theirCreateRequest = kafkajs<typeof createRequest>('request');
const theirProduceRequest = kafkajs<typeof produceRequest>('requests/produce/v3/request');
const theirDecode = kafkajs<typeof decodeRecordBatch>('recordBatch/v0/decoder');
const encodeRecord = kafkajs<(fields: object) => unknown>('recordBatch/record/v0');
const { RecordBatch } = kafkajs<{ RecordBatch(fields: object): Promise<{ buffer: Buffer }> }>('recordBatch/v0');
const Decoder = kafkajs<new (bytes: Buffer) => FieldReader>('decoder');
const Long = require('kafkajs/src/utils/long') as { fromValue(value: string): { toString(): string } };

const random = (maxLength: number): Buffer => randomBytes(randomInt(maxLength + 1));
const RECORD: RecordFields = { key: 'k', value: 'v', headers: { h: 'i' } };
const EDGES: RecordFields[] = [
  { value: null },
  { key: null, value: null },
  { key: '', value: '', headers: {} },
  { key: 'ä€😀', value: Buffer.alloc(0), headers: { 'name ä': 'value €', empty: '' } },
  { key: 'k'.repeat(64), value: 'v'.repeat(8_192), headers: { '\u{7f}': '\u{80}' } },
  { key: 'k', value: random(70_000), headers: { many: ['a', 'b', Buffer.from([255])], none: [] } },
];
const MANY: RecordFields[] = Array.from({ length: 200 }, () => ({
  key: random(200),
  value: random(20_000),
  headers: Object.fromEntries(Array.from({ length: randomInt(8) }, (_, index) => [`h${index}`, random(200)])),
}));
const partitionOf = (messages: RecordFields[], partition = 7) => ({ partition, firstSequence: 5, messages });
const REQUESTS: Partial<ProduceFields>[] = [
  ...[...EDGES.map((edge) => [edge]), EDGES, MANY, Array.from({ length: 9_000 }, () => RECORD)].map((messages) => ({
    topicData: [{ topic: 'visits', partitions: [partitionOf(messages)] }],
  })),
  { compression: 1, topicData: [{ topic: 'visits', partitions: [partitionOf(MANY)] }] },
  {
    transactionalId: 'ä',
    producerId: Long.fromValue('9007199254740993'),
    producerEpoch: 3,
    topicData: [
      { topic: 'ä', partitions: [partitionOf(EDGES, 0), partitionOf(EDGES, 11)] },
      { topic: 'b', partitions: [] },
    ],
  },
  { transactionalId: null, producerId: -1, topicData: [] },
];

afterEach(() => void jest.restoreAllMocks());

it('encodes the same requests as kafkajs', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(1_790_000_000_123);
  for (const change of REQUESTS) {
    for (const acks of [-1, 0]) {
      const fields: ProduceFields = { acks, timeout: 1_500, topicData: [], ...change };
      const [ours, theirs] = [produceRequest(fields), theirProduceRequest(fields)];
      expect(ours.expectResponse()).toBe(theirs.expectResponse());
      const head = { correlationId: 2 ** 30, clientId: 'gateway ä' };
      const request = await createRequest({ ...head, request: ours });
      const expected = await theirCreateRequest({ ...head, request: theirs });
      expect(request.buffer.equals(expected.buffer)).toBe(true);
      // The original `createRequest` must accept replaced requests, too, because a test may load kafkajs before the
      // patch.
      const unpatched = await theirCreateRequest({ ...head, request: ours });
      expect(unpatched.buffer.equals(expected.buffer)).toBe(true);
    }
  }
});

it('adds a header to other kinds of requests', async () => {
  const Metadata = kafkajs<(fields: object) => ReturnType<typeof produceRequest>>('requests/metadata/v0/request');
  const request = Metadata({ topics: ['a', 'b'] });
  const fields = { correlationId: 1, clientId: 'x', request };
  expect((await createRequest(fields)).buffer).toEqual((await theirCreateRequest(fields)).buffer);
});

async function batchOf(records: readonly object[], fields: object = {}): Promise<Buffer> {
  const times = { firstTimestamp: 1_790_000_000_123, maxTimestamp: 1_790_000_000_456 };
  const encoded = records.map((record, offsetDelta) => encodeRecord({ offsetDelta, ...record }));
  return (await RecordBatch({ firstOffset: 7, ...times, ...fields, records: encoded })).buffer;
}

/** Decodes a response that starts with the batch. Returns the fields of its records. */
async function recordsOf(decode: typeof decodeRecordBatch, batch: Buffer): Promise<unknown[]> {
  const { records } = await decode(new Decoder(Buffer.concat([batch, Buffer.from('more')])));
  return records.map((record) => ({
    magicByte: record.magicByte,
    attributes: record.attributes,
    timestamp: record.timestamp,
    offset: record.offset,
    key: record.key,
    value: record.value,
    headers: Object.entries(record.headers),
    isControlRecord: record.isControlRecord,
    producerId: record.batchContext.producerId,
    inTransaction: record.batchContext.inTransaction,
  }));
}

it('decodes the same records as kafkajs', async () => {
  for (const batch of [
    await batchOf(EDGES),
    await batchOf(MANY),
    await batchOf(MANY, { compression: 1 }),
    await batchOf([{ ...RECORD, timestampDelta: -3 }]),
    await batchOf([{ ...RECORD, timestampDelta: 2 ** 40, offsetDelta: 2 ** 29 }]),
    await batchOf(EDGES, { firstOffset: 2 ** 40, producerId: 2 ** 33, transactional: true }),
  ]) {
    // No attributes, append time, and a transaction marker.
    for (const attributes of [0, 8, 32]) {
      batch.writeInt16BE(batch.readInt16BE(21) | attributes, 21);
      expect(await recordsOf(decodeRecordBatch, batch)).toEqual(await recordsOf(theirDecode, batch));
    }
  }
});

it('decodes headers named like built-in properties', async () => {
  const batch = await batchOf([{ value: 'v', headers: { ['__proto__']: 'x', constructor: 'y' } }]);
  const { records } = await decodeRecordBatch(new Decoder(batch));
  expect(Object.entries(records[0]!.headers)).toEqual([
    ['__proto__', Buffer.from('x')],
    ['constructor', Buffer.from('y')],
  ]);
});

it('rejects a truncated batch, like kafkajs', async () => {
  const batch = await batchOf(EDGES);
  for (const size of [61, 62, batch.length - 1]) {
    for (const decode of [decodeRecordBatch, theirDecode]) {
      await expect(decode(new Decoder(batch.subarray(0, size)))).rejects.toMatchObject({
        name: 'KafkaJSPartialMessageError',
      });
    }
  }
});
