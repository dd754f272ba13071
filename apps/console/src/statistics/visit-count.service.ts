import { Inject, Injectable } from '@nestjs/common';
import { MAX_COUNTED_VISITS, type FilterName, type TimelineFilters, type VisitCount } from '#libs/contracts';
import { CLOCK, type Clock, ProblemError } from '#libs/platform';
import { CountsRepository, type NewestVisits, TimelineRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { about } from './about.js';
import { isAny, only, passesBy, without } from './counted-filters.js';

/** Timeouts for reading visits, and for each query of counts. Numbers that aren't available in time are null. */
const COUNTING_TIMEOUT_MS = 600;
const ESTIMATING_TIMEOUT_MS = 250;
const QUARTER_MS = 900_000;
/** Filters that can be applied to counts without the catalog. */
const COUNTED: readonly FilterName[] = ['agent', 'type', 'result'];

/** Counts the visits in a list. Estimates large numbers, so it never reads all visits of a large project. */
@Injectable()
export class VisitCountService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly timeline: TimelineRepository,
    private readonly counts: CountsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async count(projectId: string, filters: TimelineFilters): Promise<VisitCount> {
    const newest = await this.inTime(COUNTING_TIMEOUT_MS, (snapshot) =>
      this.timeline.newest(projectId, filters, MAX_COUNTED_VISITS + 1, snapshot),
    );
    if (newest !== null && newest.visits <= MAX_COUNTED_VISITS) return { visits: newest.visits, is_exact: true };
    const visits = await this.inTime(ESTIMATING_TIMEOUT_MS, (snapshot) =>
      this.estimate(projectId, filters, newest, snapshot),
    );
    return { visits, is_exact: false };
  }

  /** @param newest newest visits, more than the limit. Null if counting them timed out. */
  private async estimate(projectId: string, filters: TimelineFilters, newest: NewestVisits | null, snapshot: Snapshot) {
    const stored = await this.timeline.stored(projectId, snapshot);
    // No visits occur later.
    const to = Math.min(filters.to ?? Infinity, this.now() + QUARTER_MS);
    const counted = (from: number, end: number) =>
      this.counted(projectId, { ...filters, from, to: end }, stored, snapshot);
    const all = await counted(filters.from ?? 0, to);
    const isCounted = !isAny({ ...without(filters, COUNTED), from: null, to: null });
    // Two significant digits, because counts cover full 15-minute buckets.
    if (isCounted) return about(Math.max(all, newest?.visits ?? 0), 2);
    if (newest === null) return null;
    // Assumes the same share of matches among older visits. This share can vary, so only one digit is significant.
    const since = await counted(newest.since!, to);
    return about(newest.visits * Math.max(1, since === 0 ? 1 : all / since), 1);
  }

  /** Sums up counts since the oldest stored visit, separately for agents and unknown visitors. */
  private async counted(
    projectId: string,
    { from, to, ...filters }: TimelineFilters & { from: number; to: number },
    stored: { agents: number | null; unknown: number | null },
    snapshot: Snapshot,
  ): Promise<number> {
    const isWanted = passesBy(only(filters, COUNTED));
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
        if ((count.result === 'unknown_agent') === isUnknown && isWanted(count)) visits += count.visits;
      }
    }
    return visits;
  }

  /** @returns null on timeout. */
  private async inTime<T>(timeoutMs: number, work: (snapshot: Snapshot) => Promise<T>): Promise<T | null> {
    try {
      return await this.reading.read(work, { timeoutMs });
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'deadline-exceeded') return null;
      throw error;
    }
  }
}
