import { randomBytes, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { encodeRecord, type EncodedRecord, type RecordFields } from './record-encoder.js';

const require = createRequire(import.meta.url);
const MODULE = 'kafkajs/src/protocol/recordBatch/record/v0';
// Loaded anew, because another test of this process may have replaced it.
delete require.cache[require.resolve(MODULE)];
const theirs = require(MODULE) as (fields: RecordFields) => EncodedRecord;

const random = (most: number): Buffer => randomBytes(randomInt(most + 1));

it('writes the bytes that kafkajs writes', () => {
  const records: RecordFields[] = [
    { key: null, value: null },
    { key: '', value: '' },
    { key: 'ä€😀', value: Buffer.alloc(0), headers: { 'name ä': 'value €', empty: '' } },
    { key: 'k', value: Buffer.alloc(70_000, 7), headers: { many: ['a', 'b', Buffer.from([255])] } },
    { key: 'k', value: 'v', offsetDelta: 8_191, timestampDelta: 1_700_000_000_000 },
    { key: 'k', value: 'v', timestampDelta: -3 },
  ];
  for (let count = 0; count < 200; count += 1) {
    records.push({
      offsetDelta: randomInt(1 << 16),
      timestampDelta: randomInt(1 << 20),
      key: random(200),
      value: random(20_000),
      headers: Object.fromEntries(Array.from({ length: randomInt(8) }, (_, index) => [`h${index}`, random(200)])),
    });
  }
  for (const record of records) expect(encodeRecord(record).buffer.equals(theirs(record).buffer)).toBe(true);
});
