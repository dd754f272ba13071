import { jest } from '@jest/globals';
import { randomBytes, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { produceRequest, type ProduceFields, type RecordFields } from './produce-request.js';

const require = createRequire(import.meta.url);
const MODULE = 'kafkajs/src/protocol/requests/produce/v3/request';
// Loaded anew, because another test of this process may have replaced it.
delete require.cache[require.resolve(MODULE)];
const theirs = require(MODULE) as typeof produceRequest;
const Long = require('kafkajs/src/utils/long') as { fromValue(value: string): { toString(): string } };

const random = (most: number): Buffer => randomBytes(randomInt(most + 1));
const message: RecordFields = { key: 'k', value: 'v', headers: { h: 'i' } };
const EDGES: RecordFields[] = [
  { value: null },
  { key: null, value: null },
  { key: '', value: '' },
  { key: 'ä€😀', value: Buffer.alloc(0), headers: { 'name ä': 'value €', empty: '' } },
  { key: 'k'.repeat(64), value: 'v'.repeat(65), headers: { '\u{7f}': '\u{80}' } },
  { key: 'k', value: Buffer.alloc(70_000, 7), headers: { many: ['a', 'b', Buffer.from([255])], none: [] } },
];

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(1_790_000_000_123));
afterEach(() => void jest.restoreAllMocks());

/** What either writes of a request. */
async function written(change: Partial<ProduceFields> & { messages?: RecordFields[] }): Promise<[Buffer, Buffer]> {
  const { messages = [message], ...fields } = change;
  const topicData = [{ topic: 'visits', partitions: [{ partition: 7, firstSequence: 0, messages }] }];
  const request: ProduceFields = { acks: -1, timeout: 1_500, topicData, ...fields };
  const [ours, their] = await Promise.all([produceRequest(request).encode(), theirs(request).encode()]);
  expect(ours.size()).toBe(their.size());
  return [ours.buffer, their.buffer];
}

it('writes the bytes that kafkajs writes', async () => {
  const many = Array.from({ length: 200 }, () => ({
    key: random(200),
    value: random(20_000),
    headers: Object.fromEntries(Array.from({ length: randomInt(8) }, (_, index) => [`h${index}`, random(200)])),
  }));
  const partition = (number: number) => ({ partition: number, firstSequence: 5, messages: [message, ...EDGES] });
  const [ours, theirBytes] = await written({ messages: many });
  expect(ours.equals(theirBytes)).toBe(true);
  for (const change of [
    ...EDGES.map((edge) => ({ messages: [edge] })),
    { messages: Array.from({ length: 9_000 }, () => message) },
    { compression: 1, messages: many },
    { transactionalId: 'ä', producerId: Long.fromValue('9007199254740993'), producerEpoch: 3 },
    { producerId: -1, producerEpoch: 0, transactionalId: null },
    { topicData: [] },
    {
      topicData: [
        { topic: 'ä', partitions: [partition(0), partition(11)] },
        { topic: 'b', partitions: [] },
      ],
    },
  ]) {
    const [bytes, expected] = await written(change);
    expect(bytes.toString('hex')).toBe(expected.toString('hex'));
  }
});

it('is the request that kafkajs makes', () => {
  for (const acks of [-1, 0]) {
    const fields = { acks, timeout: 1, topicData: [] };
    const { apiKey, apiVersion, apiName, expectResponse } = produceRequest(fields);
    const expected = theirs(fields);
    expect({ apiKey, apiVersion, apiName, answers: expectResponse() }).toEqual({
      apiKey: expected.apiKey,
      apiVersion: expected.apiVersion,
      apiName: expected.apiName,
      answers: expected.expectResponse(),
    });
  }
});
