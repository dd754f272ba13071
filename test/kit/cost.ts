/// <reference types="node" />
/**
 * Compares the cost of work with other work in the same process, so tests don't depend on the machine's speed. Absolute
 * speed is measured by `npm run bench`.
 */

/** Work to measure, possibly asynchronous. Time on other threads and in other processes hardly counts. */
type Work = () => unknown;

/** Alternating rounds. Taking the minimum filters out compilation, garbage collection and other processes. */
const ROUNDS = 5;
/** Ratio of the two input sizes that {@link growth} compares. */
const GROWTH_FACTOR = 64;
/** Resolution of a thread's CPU time on Linux, which may only update on clock ticks. */
const TICK_MS = 10;

/** Limit for {@link growth}: the geometric mean of linear (1) and quadratic (64). */
export const MAX_GROWTH = 8;

/**
 * Returns the cost of the work as a multiple of the baseline's cost, each the minimum of several alternating rounds.
 *
 * @param enough Ratio at which to stop early.
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
 * Returns the growth of the cost per unit of input when the input is 64 times as large. Work that grows linearly or
 * less gives at most about 1, quadratic work about 64. Compare the result with {@link MAX_GROWTH}.
 *
 * @param workOf Prepares work on input of the given size. May be called several times.
 * @param size Size of the smaller input, large enough that the fixed cost of a call is negligible.
 */
export async function growth(workOf: (size: number) => Work, size: number): Promise<number> {
  const small = Array.from({ length: GROWTH_FACTOR }, () => workOf(size));
  return costRatio(workOf(size * GROWTH_FACTOR), async () => {
    for (const work of small) await work();
  });
}

/**
 * Returns the cost in milliseconds: elapsed time or, if other processes used the CPU, this thread's CPU time plus one
 * tick. Never lower than the true cost. Only for comparisons within a process.
 */
export async function costOf(work: Work): Promise<number> {
  const started = performance.now();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(performance.now() - started, (user + system) / 1_000 + TICK_MS);
}
