import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TIMES = 100;
const BYTES = 100_000;

/** Share of the buffers given to `use` that collections of the young generation leave behind, once each use has ended. */
export async function keptByYoungCollections(use: (buffer: Buffer) => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  const before = process.memoryUsage().arrayBuffers;
  const kept = (): number => (process.memoryUsage().arrayBuffers - before) / (TIMES * BYTES);
  for (let count = 0; count < TIMES; count += 1) {
    const used = use(Buffer.alloc(BYTES));
    if (count % 10 === 0) collect({ type: 'minor' });
    await used;
  }
  // V8 frees buffers on another thread, which may take a while.
  for (let turns = 0; turns < 1_000 && kept() > 0.1; turns += 1) {
    collect({ type: 'minor' });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return kept();
}
