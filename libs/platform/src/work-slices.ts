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
