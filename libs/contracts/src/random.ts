import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8_192;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** Returns random bytes for IDs. They come from a pool, because each call of the generator is expensive. */
export function randomIdBytes(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  // Copied, because refilling the pool must not change bytes already handed out.
  return Buffer.from(pool.subarray(used - count, used));
}
