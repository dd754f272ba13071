import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Strain {
  /** Longest turn of the event loop, in milliseconds of this thread's CPU time. */
  stallMs: number;
  /** Peak growth of live memory in bytes, on and off the heap. 0 if it wasn't measured. */
  bytes: number;
}

/** Returns the bytes in use, including garbage. */
function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/**
 * Measures how much work strains this process's event loop and memory.
 *
 * @param enoughBytes Growth up to which live memory isn't measured, because that requires a garbage collection.
 */
export async function strainOf(work: () => Promise<unknown>, enoughBytes: number): Promise<Strain> {
  collectGarbage();
  const usedBefore = usedBytes();
  const strain: Strain = { stallMs: 0, bytes: 0 };
  let isDone = false;
  let turn = process.threadCpuUsage();
  const measure = (): void => {
    strain.stallMs = Math.max(strain.stallMs, cpuMs(process.threadCpuUsage(turn)));
    if (usedBytes() - usedBefore > Math.max(enoughBytes, strain.bytes)) {
      collectGarbage();
      strain.bytes = Math.max(strain.bytes, usedBytes() - usedBefore);
    }
    turn = process.threadCpuUsage();
    if (!isDone) setImmediate(measure);
  };
  setImmediate(measure);
  try {
    await work();
  } finally {
    isDone = true;
    measure();
  }
  return strain;
}
