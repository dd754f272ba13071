import { formatCount } from '../../format/count.js';

const WINDOW_MS = 10_000;

/** Average visits per second over the last 10 seconds, including visits that aren't listed. */
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
    // Right after the start, only part of the window has passed, so divide by the time since the start.
    return total / (Math.min(WINDOW_MS, Math.max(1_000, now - this.startedAt)) / 1_000);
  }
}

/** Formats an average number of visits, such as "1.1" or "12". */
export const formatRate = (visits: number): string =>
  formatCount(visits < 10 ? Math.round(10 * visits) / 10 : Math.round(visits));
