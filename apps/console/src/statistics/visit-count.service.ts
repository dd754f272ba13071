import { Inject, Injectable } from '@nestjs/common';
import { MAX_COUNTED_VISITS, type FilterName, type TimelineFilters, type VisitCount } from '#libs/contracts';
import { CLOCK, type Clock, ProblemError } from '#libs/platform';
import { CountsRepository, type NewestVisits, TimelineRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { roundToDigits } from './rounding.js';
import { hasFilters, pickFilters, createCountPredicate, omitFilters } from './count-filters.js';

/** Timeouts for reading visits and for each count query. On a timeout, the number is null. */
const COUNTING_TIMEOUT_MS = 600;
const ESTIMATING_TIMEOUT_MS = 250;
const QUARTER_MS = 900_000;
/** Filters that can be applied to counts without looking up agents in the catalog. */
const COUNTABLE_FILTERS: readonly FilterName[] = ['agent', 'type', 'result'];

/** Counts the visits in a timeline. If the store can't count them fast enough, large numbers are estimated. */
@Injectable()
export class VisitCountService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly timeline: TimelineRepository,
    private readonly counts: CountsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async count(projectId: string, filters: TimelineFilters): Promise<VisitCount> {
    const newest = await this.readInTime(COUNTING_TIMEOUT_MS, (snapshot) =>
      this.timeline.countNewest(projectId, filters, MAX_COUNTED_VISITS + 1, snapshot),
    );
    if (newest !== null && newest.visits <= MAX_COUNTED_VISITS) return { visits: newest.visits, is_exact: true };
    if (newest !== null && this.timeline.countsAllFast) {
      const all = await this.readInTime(COUNTING_TIMEOUT_MS, (snapshot) =>
        this.timeline.countNewest(projectId, filters, null, snapshot),
      );
      if (all !== null) return { visits: all.visits, is_exact: true };
    }
    const visits = await this.readInTime(ESTIMATING_TIMEOUT_MS, (snapshot) =>
      this.estimate(projectId, filters, newest, snapshot),
    );
    return { visits, is_exact: false };
  }

  /** @param newest The newest visits, which exceed the limit. Null if counting them timed out. */
  private async estimate(projectId: string, filters: TimelineFilters, newest: NewestVisits | null, snapshot: Snapshot) {
    const stored = await this.timeline.findOldest(projectId, snapshot);
    // No stored visit is later than a quarter of an hour from now.
    const to = Math.min(filters.to ?? Infinity, this.now() + QUARTER_MS);
    const countBetween = (from: number, end: number) =>
      this.sumCounts(projectId, { ...filters, from, to: end }, stored, snapshot);
    const all = await countBetween(filters.from ?? 0, to);
    const countsSuffice = !hasFilters({ ...omitFilters(filters, COUNTABLE_FILTERS), from: null, to: null });
    // Counts only exist for full 15-minute buckets, so the result isn't exact. Round it to two digits.
    if (countsSuffice) return roundToDigits(Math.max(all, newest?.visits ?? 0), 2);
    if (newest === null) return null;
    // Estimate the number of all matching visits from the share of matching visits among the newest ones. Since this
    // share can vary, round the result to one digit.
    const since = await countBetween(newest.since!, to);
    return roundToDigits(newest.visits * Math.max(1, since === 0 ? 1 : all / since), 1);
  }

  /** Sums counts since the oldest stored visit, separately for agents and unknown visitors. Their retention differs. */
  private async sumCounts(
    projectId: string,
    { from, to, ...filters }: TimelineFilters & { from: number; to: number },
    stored: { agents: number | null; unknown: number | null },
    snapshot: Snapshot,
  ): Promise<number> {
    const matches = createCountPredicate(pickFilters(filters, COUNTABLE_FILTERS));
    let visits = 0;
    for (const [oldest, isUnknown] of [
      [stored.agents, false],
      [stored.unknown, true],
    ] as const) {
      const range = {
        from: Math.floor(Math.max(from, oldest ?? to) / QUARTER_MS) * QUARTER_MS,
        to: Math.ceil(to / QUARTER_MS) * QUARTER_MS,
      };
      if (oldest === null || range.from >= range.to) continue;
      for (const count of await this.counts.byAgent(snapshot, projectId, range)) {
        if ((count.result === 'unknown_agent') === isUnknown && matches(count)) visits += count.visits;
      }
    }
    return visits;
  }

  /** Returns null on timeout. */
  private async readInTime<T>(timeoutMs: number, work: (snapshot: Snapshot) => Promise<T>): Promise<T | null> {
    try {
      return await this.reading.read(work, { timeoutMs });
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'deadline-exceeded') return null;
      throw error;
    }
  }
}
