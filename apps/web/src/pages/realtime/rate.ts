const WINDOW_MS = 10_000;

/** Visits a second over the last ten seconds, also of those that are not listed. */
export class Rate {
  private readonly counts: { at: number; visits: number }[] = [];
  private readonly startedAt: number;

  constructor(now: number) {
    this.startedAt = now;
  }

  add(visits: number, now: number): void {
    this.counts.push({ at: now, visits });
  }

  perSecond(now: number): number {
    while (this.counts.length > 0 && this.counts[0]!.at <= now - WINDOW_MS) this.counts.shift();
    const total = this.counts.reduce((sum, { visits }) => sum + visits, 0);
    // Right after the start the window is not full yet.
    return total / (Math.min(WINDOW_MS, Math.max(1_000, now - this.startedAt)) / 1_000);
  }
}
