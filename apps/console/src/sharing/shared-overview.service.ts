import { Inject, Injectable } from '@nestjs/common';
import { queryWith, getOverview, SHARED_RANGES, type Overview, type SharedRange } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { CountsRepository } from '#libs/visit-store';
import { LRUCache } from 'lru-cache';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { OverviewService } from '../statistics/overview.service.js';
import { comparedRangeOf, rangeOf, seriesOf } from '../statistics/time-range.js';
import { totalsOf } from '../statistics/visit-counts.js';
import { ZonedTime } from '../statistics/zoned-time.js';
import type { OpenLink } from './shared-links.repository.js';

const DAY_MS = 86_400_000;
const MAX_AGE_MS = 60_000;
const MAX_ANSWERS = 200;

/** Counts visits for shared overviews and badges. Results are cached for a minute and shared by all viewers. */
@Injectable()
export class SharedOverviewService {
  private readonly answers = new LRUCache<string, Promise<unknown>>({ max: MAX_ANSWERS, ttl: MAX_AGE_MS });

  constructor(
    private readonly overviews: OverviewService,
    private readonly counts: CountsRepository,
    private readonly reading: SnapshotReader,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  overview({ project_id: id, time_zone: timeZone }: OpenLink, name: SharedRange): Promise<Overview> {
    return this.once(`${id} ${timeZone} ${name}`, async () => {
      const range = rangeOf({ from: this.now() - SHARED_RANGES[name] * DAY_MS, to: null }, this.now());
      const compared = {
        current: seriesOf(range, timeZone),
        previous: seriesOf(comparedRangeOf(range, null), timeZone),
      };
      const { visitors: _, compare_from: __, ...filters } = queryWith(getOverview, {});
      return this.overviews.overview(id, compared, { filters, visitors: 'agents' });
    });
  }

  /** Returns agents' visits since the start of the month in the project's time zone. */
  monthOfAgents({ project_id: id, time_zone: timeZone }: OpenLink): Promise<number> {
    return this.once(`${id} ${timeZone} month`, () => {
      const range = rangeOf({ from: ZonedTime.of(timeZone).startOfMonth(this.now()), to: null }, this.now());
      return this.reading.read(
        async (snapshot) => totalsOf(await this.counts.byAgent(snapshot, id, range)).agent_visits,
      );
    });
  }

  private once<T>(key: string, count: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const answer = count();
    this.answers.set(key, answer);
    // Errors aren't cached.
    answer.catch(() => this.answers.get(key) === answer && this.answers.delete(key));
    return answer;
  }
}
