import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds after which everything has been read that is read after a start: lists, and the first catalog. */
const SETTLED_AFTER_MS = 10_000;

/**
 * Collects what a start leaves behind, some 30 MB, and once more what the first seconds do. V8 looks whether there is memory
 * to give back to the system after it has collected all of the heap, and it does that when the heap has grown by a share of
 * itself: in an idle process, never. It takes 40 to 90 ms.
 */
export function collectStartGarbage(): void {
  collect();
  setTimeout(collect, SETTLED_AFTER_MS).unref();
}

/** Node.js has it for contexts that are made while the flag is set; this one isn't kept. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  gc();
}
