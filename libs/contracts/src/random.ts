import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8_192;
const pool = Buffer.alloc(POOL_BYTES);
let usedBytes = POOL_BYTES;

/** Returns random bytes for IDs. The bytes come from a pool because every call to the generator is expensive. */
export function randomIdBytes(count: number): Buffer {
  if (usedBytes + count > POOL_BYTES) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  usedBytes += count;
  // Copied because refilling the pool must not change bytes that were already returned.
  return Buffer.from(pool.subarray(usedBytes - count, usedBytes));
}
