import { setImmediate } from 'node:timers/promises';

/** Milliseconds of uninterrupted work after which other requests get a turn. */
const SLICE_MS = 20;

/**
 * Divides long work into slices, between which the event loop serves other requests:
 * `if (slices.isOver) await slices.next()` between any two steps.
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
