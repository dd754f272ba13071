import { setImmediate } from 'node:timers/promises';

/** Maximum time to block the event loop, in milliseconds. */
const SLICE_MS = 20;

/**
 * Splits long work into slices. In between, the event loop serves other requests.
 *
 * Call `if (slices.isOver) await slices.next()` between steps.
 */
export class WorkSlices {
  private started = performance.now();

  get isOver(): boolean {
    return performance.now() - this.started > SLICE_MS;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.started = performance.now();
  }
}
