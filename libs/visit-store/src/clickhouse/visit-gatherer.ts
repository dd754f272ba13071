import type { VisitRow } from '../visit-row.js';

/**
 * Minimum time between batches of few visits, in milliseconds. However few visits it contains, an insert costs ClickHouse
 * about 13 ms of CPU time and creates parts that must be merged.
 */
const MIN_INTERVAL_MS = 100;
/** Number of visits that don't wait for others. */
const FULL_BATCH_VISITS = 500;

interface Gathered {
  visits: VisitRow[];
  stored: PromiseWithResolvers<string[]>;
}

/** Combines visits that are delivered shortly after one another into larger batches. */
export class VisitGatherer {
  private gathered: Gathered | null = null;
  /** Set while visits wait for others. */
  private pause: NodeJS.Timeout | undefined;

  constructor(private readonly store: (visits: readonly VisitRow[]) => Promise<string[]>) {}

  /**
   * Stores visits with those of other calls. If less than {@link MIN_INTERVAL_MS} have passed since the last batch, waits
   * for more visits.
   *
   * @returns the result of `store` for all of these visits.
   */
  async add(visits: readonly VisitRow[]): Promise<string[]> {
    this.gathered ??= { visits: [], stored: Promise.withResolvers() };
    const { visits: all, stored } = this.gathered;
    for (const visit of visits) all.push(visit);
    if (this.pause === undefined || all.length >= FULL_BATCH_VISITS) this.start();
    return stored.promise;
  }

  private start(): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.endPause(), MIN_INTERVAL_MS);
    const { visits, stored } = this.gathered!;
    this.gathered = null;
    this.store(visits).then(stored.resolve, stored.reject);
  }

  private endPause(): void {
    this.pause = undefined;
    if (this.gathered !== null) this.start();
  }
}
