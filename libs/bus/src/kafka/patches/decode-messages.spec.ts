import { randomBytes, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { decodeMessages, type FieldReader } from './decode-messages.js';

interface Encoded {
  buffer: Buffer;
}

const require = createRequire(import.meta.url);
const MODULE = 'kafkajs/src/protocol/requests/fetch/v4/decodeMessages';
// Loaded anew, because another test of this process may have replaced it.
delete require.cache[require.resolve(MODULE)];
const theirs = require(MODULE) as typeof decodeMessages;
const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => FieldReader;
const MessageSet = require('kafkajs/src/protocol/messageSet') as (fields: object) => Encoded;
const encodeRecord = require('kafkajs/src/protocol/recordBatch/record/v0') as (fields: object) => Encoded;
const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0') as {
  RecordBatch(fields: object): Promise<Encoded>;
};

const AT = { attributes: 21 };
const random = (most: number): Buffer => randomBytes(randomInt(most + 1));
const record = { key: 'k', value: 'v', headers: { h: 'i' } };
const RECORDS = [
  record,
  { key: null, value: null },
  { key: '', value: '', headers: {} },
  { key: 'ä€😀', value: 'v', headers: { 'name ä': 'value €', empty: '' }, timestampDelta: -3 },
  { key: 'k'.repeat(64), value: 'v'.repeat(8_192), headers: { '\u{7f}': '\u{80}' }, timestampDelta: 2 ** 40 },
  {
    key: 'k',
    value: random(70_000),
    headers: { many: ['a', 'b', 'c'], none: [], __proto__: 'x' },
    offsetDelta: 2 ** 29,
  },
];

async function batchOf(records: readonly object[], fields: object = {}, attributes = 0): Promise<Buffer> {
  const encoded = records.map((each, offsetDelta) => encodeRecord({ offsetDelta, ...each }));
  const times = { firstTimestamp: 1_790_000_000_123, maxTimestamp: 1_790_000_000_456 };
  const { buffer } = await RecordBatch({ firstOffset: 7, ...times, ...fields, records: encoded });
  buffer.writeInt16BE(buffer.readInt16BE(AT.attributes) | attributes, AT.attributes);
  return buffer;
}

/** What is read of a partition's part of a response, each in words. */
function reading(decode: typeof decodeMessages, bytes: Buffer): Promise<unknown[]> {
  const size = Buffer.alloc(4);
  size.writeInt32BE(bytes.length);
  return decode(new Decoder(Buffer.concat([size, bytes, Buffer.from('what follows')]))).then((records) =>
    records.map((each) => {
      const { offset, timestamp, attributes, magicByte, isControlRecord, key, value, headers, batchContext } =
        each as Record<string, unknown> & { headers: object; batchContext: Record<string, unknown> };
      const { producerId, inTransaction } = batchContext ?? {};
      const pairs = Object.entries(headers ?? {});
      return {
        offset,
        timestamp,
        attributes,
        magicByte,
        isControlRecord,
        key,
        value,
        pairs,
        producerId,
        inTransaction,
      };
    }),
  );
}

/** @returns how many records both read. */
async function compare(bytes: Buffer): Promise<number> {
  const ours = await reading(decodeMessages, bytes);
  expect(ours).toEqual(await reading(theirs, bytes));
  return ours.length;
}

it('reads what kafkajs reads', async () => {
  const many = Array.from({ length: 200 }, () => ({
    key: random(200),
    value: random(20_000),
    headers: Object.fromEntries(Array.from({ length: randomInt(8) }, (_, index) => [`h${index}`, random(200)])),
  }));
  for (const batch of [
    await batchOf(RECORDS),
    await batchOf(many),
    await batchOf(many, { compression: 1 }),
    await batchOf(RECORDS, { firstOffset: 2 ** 40, producerId: 2 ** 33, transactional: true }),
    // The time is that of the broker; the records are marks of transactions.
    await batchOf(RECORDS, {}, 8),
    await batchOf([{ key: Buffer.from([0, 0, 0, 0]), value: 'v' }], { transactional: true }, 32),
  ]) {
    expect(await compare(batch)).toBeGreaterThan(0);
    expect(
      await compare(Buffer.concat([batch, await batchOf([record], { firstOffset: 1_000 }), batch])),
    ).toBeGreaterThan(2);
  }
});

it('leaves out a batch that is cut off, and takes a response without any', async () => {
  const batch = await batchOf(RECORDS);
  for (const cut of [0, 1, 60, 61, 62, batch.length - 1]) {
    const bytes = Buffer.concat([batch, (await batchOf(RECORDS)).subarray(0, cut)]);
    expect(await compare(bytes)).toBe(RECORDS.length);
  }
  expect(await compare(Buffer.alloc(0))).toBe(0);
});

it('reads messages of brokers before 0.11', async () => {
  const { buffer } = MessageSet({
    messageVersion: 1,
    entries: [{ key: 'k', value: 'v', timestamp: 1_790_000_000_123 }],
  });
  expect(await compare(buffer)).toBe(1);
});
