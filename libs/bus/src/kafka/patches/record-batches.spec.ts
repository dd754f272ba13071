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
const requireKafkajs = <T>(module: string): T => require(`kafkajs/src/protocol/${module}`) as T;
// Load these modules again, because another test in this process may have replaced them.
for (const name of Object.keys(REPLACEMENTS)) delete require.cache[require.resolve(name)];
const kafkajsCreateRequest = requireKafkajs<typeof createRequest>('request');
const kafkajsProduceRequest = requireKafkajs<typeof produceRequest>('requests/produce/v3/request');
const kafkajsDecode = requireKafkajs<typeof decodeRecordBatch>('recordBatch/v0/decoder');
const encodeRecord = requireKafkajs<(fields: object) => unknown>('recordBatch/record/v0');
const { RecordBatch } = requireKafkajs<{ RecordBatch(fields: object): Promise<{ buffer: Buffer }> }>('recordBatch/v0');
const Decoder = requireKafkajs<new (bytes: Buffer) => FieldReader>('decoder');
const Long = require('kafkajs/src/utils/long') as { fromValue(value: string): { toString(): string } };

const randomBuffer = (maxLength: number): Buffer => randomBytes(randomInt(maxLength + 1));
const RECORD: RecordFields = { key: 'k', value: 'v', headers: { h: 'i' } };
const EDGE_CASES: RecordFields[] = [
  { value: null },
  { key: null, value: null },
  { key: '', value: '', headers: {} },
  { key: 'ä€😀', value: Buffer.alloc(0), headers: { 'name ä': 'value €', empty: '' } },
  { key: 'k'.repeat(64), value: 'v'.repeat(8_192), headers: { '\u{7f}': '\u{80}' } },
  { key: 'k', value: randomBuffer(70_000), headers: { many: ['a', 'b', Buffer.from([255])], none: [] } },
];
const RANDOM_RECORDS: RecordFields[] = Array.from({ length: 200 }, () => ({
  key: randomBuffer(200),
  value: randomBuffer(2_000),
  headers: Object.fromEntries(Array.from({ length: randomInt(8) }, (_, index) => [`h${index}`, randomBuffer(200)])),
}));
const createPartition = (messages: RecordFields[], partition = 7) => ({ partition, firstSequence: 5, messages });
const REQUESTS: Partial<ProduceFields>[] = [
  ...[...EDGE_CASES.map((edge) => [edge]), EDGE_CASES, RANDOM_RECORDS, Array.from({ length: 9_000 }, () => RECORD)].map(
    (messages) => ({
      topicData: [{ topic: 'visits', partitions: [createPartition(messages)] }],
    }),
  ),
  { compression: 1, topicData: [{ topic: 'visits', partitions: [createPartition(RANDOM_RECORDS)] }] },
  {
    transactionalId: 'ä',
    producerId: Long.fromValue('9007199254740993'),
    producerEpoch: 3,
    topicData: [
      { topic: 'ä', partitions: [createPartition(EDGE_CASES, 0), createPartition(EDGE_CASES, 11)] },
      { topic: 'b', partitions: [] },
    ],
  },
  { transactionalId: null, producerId: -1, topicData: [] },
];

afterEach(() => void jest.restoreAllMocks());

it('produceRequest encodes the same requests as kafkajs', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(1_790_000_000_123);
  for (const overrides of REQUESTS) {
    for (const acks of [-1, 0]) {
      const fields: ProduceFields = { acks, timeout: 1_500, topicData: [], ...overrides };
      const [ourRequest, kafkajsRequest] = [produceRequest(fields), kafkajsProduceRequest(fields)];
      expect(ourRequest.expectResponse()).toBe(kafkajsRequest.expectResponse());
      const header = { correlationId: 2 ** 30, clientId: 'gateway ä' };
      const request = await createRequest({ ...header, request: ourRequest });
      const expected = await kafkajsCreateRequest({ ...header, request: kafkajsRequest });
      expect(request.buffer.equals(expected.buffer)).toBe(true);
      // The original `createRequest` must also accept replaced requests because a test may load kafkajs before the
      // patch.
      const unpatched = await kafkajsCreateRequest({ ...header, request: ourRequest });
      expect(unpatched.buffer.equals(expected.buffer)).toBe(true);
    }
  }
});

it('createRequest adds a header to other types of requests', async () => {
  const Metadata =
    requireKafkajs<(fields: object) => ReturnType<typeof produceRequest>>('requests/metadata/v0/request');
  const request = Metadata({ topics: ['a', 'b'] });
  const fields = { correlationId: 1, clientId: 'x', request };
  expect((await createRequest(fields)).buffer).toEqual((await kafkajsCreateRequest(fields)).buffer);
});

async function createBatch(records: readonly object[], fields: object = {}): Promise<Buffer> {
  const timestamps = { firstTimestamp: 1_790_000_000_123, maxTimestamp: 1_790_000_000_456 };
  const encoded = records.map((record, offsetDelta) => encodeRecord({ offsetDelta, ...record }));
  return (await RecordBatch({ firstOffset: 7, ...timestamps, ...fields, records: encoded })).buffer;
}

/** Decodes a response that starts with the batch and returns the fields of its records. */
async function decodeRecords(decode: typeof decodeRecordBatch, batch: Buffer): Promise<unknown[]> {
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

it('decodeRecordBatch decodes the same records as kafkajs', async () => {
  for (const batch of [
    await createBatch(EDGE_CASES),
    await createBatch(RANDOM_RECORDS),
    await createBatch(RANDOM_RECORDS, { compression: 1 }),
    await createBatch([{ ...RECORD, timestampDelta: -3 }]),
    await createBatch([{ ...RECORD, timestampDelta: 2 ** 40, offsetDelta: 2 ** 29 }]),
    await createBatch(EDGE_CASES, { firstOffset: 2 ** 40, producerId: 2 ** 33, transactional: true }),
  ]) {
    // Test a batch without attributes, with the append time, and with a transaction marker.
    for (const attributes of [0, 8, 32]) {
      batch.writeInt16BE(batch.readInt16BE(21) | attributes, 21);
      expect(await decodeRecords(decodeRecordBatch, batch)).toEqual(await decodeRecords(kafkajsDecode, batch));
    }
  }
});

it('decodeRecordBatch decodes headers named like built-in properties', async () => {
  const batch = await createBatch([{ value: 'v', headers: { ['__proto__']: 'x', constructor: 'y' } }]);
  const { records } = await decodeRecordBatch(new Decoder(batch));
  expect(Object.entries(records[0]!.headers)).toEqual([
    ['__proto__', Buffer.from('x')],
    ['constructor', Buffer.from('y')],
  ]);
});

it('decodeRecordBatch rejects a truncated batch, like kafkajs', async () => {
  const batch = await createBatch(EDGE_CASES);
  for (const size of [61, 62, batch.length - 1]) {
    for (const decode of [decodeRecordBatch, kafkajsDecode]) {
      await expect(decode(new Decoder(batch.subarray(0, size)))).rejects.toMatchObject({
        name: 'KafkaJSPartialMessageError',
      });
    }
  }
});
