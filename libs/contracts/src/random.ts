import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8_192;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** Random bytes for ids. A call of the generator costs far more than its bytes, so they come from a pool. */
export function randomIdBytes(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  // A copy: what is handed out must not change with the next filling.
  return Buffer.from(pool.subarray(used - count, used));
}
