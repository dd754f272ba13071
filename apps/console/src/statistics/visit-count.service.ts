import { Inject, Injectable } from '@nestjs/common';
import { MAX_COUNTED_VISITS, type FilterName, type TimelineFilters, type VisitCount } from '#libs/contracts';
import { CLOCK, type Clock, ProblemError } from '#libs/platform';
import { CountsRepository, type NewestVisits, TimelineRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { about } from './about.js';
import { isAny, only, passesBy, without } from './counted-filters.js';

/** For reading visits, and for each statement on counts. What isn't known by then is left out of the answer. */
const COUNTING_TIMEOUT_MS = 600;
const ESTIMATING_TIMEOUT_MS = 250;
const QUARTER_MS = 900_000;
/** Filters that counts can answer without the catalog. */
const COUNTED: readonly FilterName[] = ['agent', 'type', 'result'];

/** Says how many visits a list has, without ever reading all of very many. */
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

  /** @param newest more than are counted one by one; null: they could not be found in time. */
  private async estimate(projectId: string, filters: TimelineFilters, newest: NewestVisits | null, snapshot: Snapshot) {
    const stored = await this.timeline.stored(projectId, snapshot);
    // Nothing occurs later.
    const to = Math.min(filters.to ?? Infinity, this.now() + QUARTER_MS);
    const counted = (from: number, end: number) =>
      this.counted(projectId, { ...filters, from, to: end }, stored, snapshot);
    const all = await counted(filters.from ?? 0, to);
    const isCounted = !isAny({ ...without(filters, COUNTED), from: null, to: null });
    // With two digits, as charts are read.
    if (isCounted) return about(Math.max(all, newest?.visits ?? 0), 2);
    if (newest === null) return null;
    // As large a share of all visits before as of those since; it may differ, so that one digit has to do.
    const since = await counted(newest.since!, to);
    return about(newest.visits * Math.max(1, since === 0 ? 1 : all / since), 1);
  }

  /** Sums up the counts of visits that are still stored. */
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

  /** @returns null where it takes too long. */
  private async inTime<T>(timeoutMs: number, work: (snapshot: Snapshot) => Promise<T>): Promise<T | null> {
    try {
      return await this.reading.read(work, { timeoutMs });
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'deadline-exceeded') return null;
      throw error;
    }
  }
}
