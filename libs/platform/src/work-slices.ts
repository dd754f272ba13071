import { setImmediate } from 'node:timers/promises';

/** Maximum time that a slice may block the event loop, in milliseconds. */
const MAX_SLICE_MS = 20;

/**
 * Splits long work into slices, so the event loop can serve other requests in between.
 *
 * Call `if (slices.isSliceOver) await slices.yieldToEventLoop()` between steps.
 */
export class WorkSlices {
  private started = performance.now();

  get isSliceOver(): boolean {
    return performance.now() - this.started > MAX_SLICE_MS;
  }

  async yieldToEventLoop(): Promise<void> {
    await setImmediate();
    this.started = performance.now();
  }
}

/**
 * Iterates in slices over items that take long to find. Requires `null` at regular intervals while no item is found, and
 * drops it.
 */
export async function* inSlices<T>(items: Iterable<T | null>): AsyncGenerator<T> {
  const slices = new WorkSlices();
  for (const item of items) {
    if (slices.isSliceOver) await slices.yieldToEventLoop();
    if (item !== null) yield item;
  }
}
