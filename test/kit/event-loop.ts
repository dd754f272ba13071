import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface EventLoopStrain {
  /** Longest event-loop turn, in milliseconds of this thread's CPU time. */
  stallMs: number;
  /** Peak growth of live memory in bytes, on and off the heap. 0 if not measured. */
  bytes: number;
}

/** Returns the memory in use, including garbage that hasn't been collected yet. */
function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/**
 * Measures how much work strains this process's event loop and memory.
 *
 * @param toleratedBytes Memory growth below which live memory isn't measured, because measuring forces a garbage
 * collection.
 */
export async function measureStrain(work: () => Promise<unknown>, toleratedBytes: number): Promise<EventLoopStrain> {
  collectGarbage();
  const usedBefore = usedBytes();
  const strain: EventLoopStrain = { stallMs: 0, bytes: 0 };
  let isDone = false;
  let turnStart = process.threadCpuUsage();
  const measure = (): void => {
    strain.stallMs = Math.max(strain.stallMs, cpuMs(process.threadCpuUsage(turnStart)));
    if (usedBytes() - usedBefore > Math.max(toleratedBytes, strain.bytes)) {
      collectGarbage();
      strain.bytes = Math.max(strain.bytes, usedBytes() - usedBefore);
    }
    turnStart = process.threadCpuUsage();
    // With `setImmediate`, the event loop would never wait, and would slow down the servers that the work needs.
    if (!isDone) setTimeout(measure, 1);
  };
  setTimeout(measure, 1);
  try {
    await work();
  } finally {
    isDone = true;
    measure();
  }
  return strain;
}
