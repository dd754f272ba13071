import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Strain {
  /** Milliseconds that the longest turn of the event loop occupied the CPU. Time that other processes had doesn't count. */
  stallMs: number;
  /** Bytes of live memory, on the heap and off it, at the peak above those before. */
  bytes: number;
}

/** Bytes that are in use, or garbage. */
function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/**
 * Returns how much work strains the event loop of this process.
 *
 * @param enoughBytes memory that is not examined: only what exceeds it is told from garbage, by collecting that.
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
