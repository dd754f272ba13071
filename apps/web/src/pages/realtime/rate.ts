const WINDOW_MS = 10_000;

/** Visits per second over the last ten seconds, including visits that are not listed. */
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
    // The window isn't full right after the start.
    return total / (Math.min(WINDOW_MS, Math.max(1_000, now - this.startedAt)) / 1_000);
  }
}
