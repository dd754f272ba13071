/// <reference types="node" />
/**
 * Compares what work costs with other work of the same process, so that no test depends on how fast the machine is. What
 * is truly about speed is a row of `npm run bench`.
 */

/** May be asynchronous. What it does on other threads and in other processes hardly counts. */
type Work = () => unknown;

/** Rounds in which works take turns: a compiler, a garbage collection or another program may come in between. */
const ROUNDS = 5;
/** How much more input {@link growth} compares with. */
const GROWTH_FACTOR = 64;
/** Linux may know a running thread's processor time only as of the last tick of its clock. */
const TICK_MS = 10;

/** Limit of {@link growth} halfway between linear (1) and quadratic (64). */
export const MAX_GROWTH = 8;

/**
 * Returns the cost of the work as a multiple of the baseline's: that of the least of each, out of several rounds in
 * turn.
 *
 * @param enough a ratio at which no further round is needed.
 */
export async function costRatio(work: Work, baseline: Work, enough = 0): Promise<number> {
  let [own, other, ratio] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < ROUNDS && !(ratio <= enough); round += 1) {
    other = Math.min(other, await costOf(baseline));
    own = Math.min(own, await costOf(work));
    ratio = own / other;
  }
  return ratio;
}

/**
 * Returns how much more each unit of input costs where there is 64 times as much of it: at most about 1 where the cost
 * grows with the input or is bounded, about 64 where it grows with the square. Compare it with {@link MAX_GROWTH}.
 *
 * @param workOf prepares the work on input of a size; may be called several times.
 * @param size of the smaller input: large enough that the input, not the call, is what costs.
 */
export async function growth(workOf: (size: number) => Work, size: number): Promise<number> {
  const small = Array.from({ length: GROWTH_FACTOR }, () => workOf(size));
  return costRatio(workOf(size * GROWTH_FACTOR), async () => {
    for (const work of small) await work();
  });
}

/**
 * Milliseconds, never less than it truly costs: the time that went by, or, where others had the processor meanwhile, the
 * processor time of this thread. Only for comparisons within a process.
 */
export async function costOf(work: Work): Promise<number> {
  const started = performance.now();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(performance.now() - started, (user + system) / 1_000 + TICK_MS);
}
