import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { crc32c } from './crc32c.js';

const require = createRequire(import.meta.url);
const MODULE = 'kafkajs/src/protocol/recordBatch/crc32C';
// Another test in this process may have replaced it.
delete require.cache[require.resolve(MODULE)];
const theirs = require(MODULE) as (bytes: Buffer) => number;

it('matches the examples of RFC 3720', () => {
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
});

it('matches the checksums of kafkajs', () => {
  for (let length = 0; length < 300; length += 1) {
    const bytes = randomBytes(length);
    expect([length, crc32c(bytes)]).toEqual([length, theirs(bytes)]);
  }
});
