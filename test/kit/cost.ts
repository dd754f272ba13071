/// <reference types="node" />
/**
 * Measures the cost of work relative to other work in the same process, so tests don't depend on the machine's speed.
 * `npm run bench` measures absolute speed.
 */

/** Synchronous or asynchronous work to measure. Time in other threads and processes is mostly ignored. */
type Work = () => unknown;

/** Number of alternating rounds. The minimum filters out compilation, garbage collection, and other processes. */
const ROUNDS = 5;
/** Ratio between the two input sizes that {@link measureGrowth} compares. */
const GROWTH_FACTOR = 64;
/** Resolution of per-thread CPU time on Linux, where it may only advance with each clock tick. */
const TICK_MS = 10;

/** Limit for {@link measureGrowth} results: the geometric mean of linear (1) and quadratic (64) growth. */
export const MAX_GROWTH = 8;

/**
 * Returns the cost of the work as a multiple of the baseline's cost. Each cost is the minimum over several alternating
 * rounds.
 *
 * @param targetRatio Ratio at which measuring stops early.
 */
export async function measureCostRatio(work: Work, baseline: Work, targetRatio = 0): Promise<number> {
  let [workCost, baselineCost, ratio] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < ROUNDS && !(ratio <= targetRatio); round += 1) {
    baselineCost = Math.min(baselineCost, await measureCostMs(baseline));
    workCost = Math.min(workCost, await measureCostMs(work));
    ratio = workCost / baselineCost;
  }
  return ratio;
}

/**
 * Returns how much the cost per unit of input grows when the input is 64 times larger. Linear or cheaper work yields at
 * most about 1, quadratic work about 64. Compare the result with {@link MAX_GROWTH}.
 *
 * @param createWork Prepares work on input of the given size. May be called several times.
 * @param size Size of the smaller input. It must be large enough to make the fixed cost of a call negligible.
 */
export async function measureGrowth(createWork: (size: number) => Work, size: number): Promise<number> {
  const small = Array.from({ length: GROWTH_FACTOR }, () => createWork(size));
  return measureCostRatio(createWork(size * GROWTH_FACTOR), async () => {
    for (const work of small) await work();
  });
}

/**
 * Returns the cost in milliseconds, which is never lower than the true cost. This is the elapsed time or, if other
 * processes used the CPU, this thread's CPU time plus one tick. Only compare costs from the same process.
 */
export async function measureCostMs(work: Work): Promise<number> {
  const started = performance.now();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(performance.now() - started, (user + system) / 1_000 + TICK_MS);
}
