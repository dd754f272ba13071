/** Number of visits from which on a larger batch would hardly cost less per visit. */
const LARGE_BATCH = 500;

/** Delays small batches that closely follow another one, so that more messages gather for the next batch. */
export class BatchPacer {
  /** Earliest start of the next small batch, as a `performance.now()` value. */
  private nextStart = 0;

  /**
   * Returns the delay before a batch should start, in milliseconds. Large batches start immediately.
   *
   * @param visits Number of visits in the batch.
   * @param intervalMs Minimum time between the starts of two batches.
   */
  schedule(visits: number, intervalMs: number): number {
    const now = performance.now();
    const start = visits >= LARGE_BATCH ? now : Math.max(now, this.nextStart);
    this.nextStart = start + intervalMs;
    return start - now;
  }
}
