import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { crc32c } from './crc32c.js';

const require = createRequire(import.meta.url);
const CRC32C_MODULE = 'kafkajs/src/protocol/recordBatch/crc32C';
// Load the module again, because another test in this process may have replaced it.
delete require.cache[require.resolve(CRC32C_MODULE)];
const kafkajsCrc32c = require(CRC32C_MODULE) as (bytes: Buffer) => number;

it('crc32c matches the RFC 3720 examples', () => {
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
});

it('crc32c returns the same checksums as kafkajs', () => {
  for (let length = 0; length < 300; length += 1) {
    const bytes = randomBytes(length);
    expect([length, crc32c(bytes)]).toEqual([length, kafkajsCrc32c(bytes)]);
  }
});
