import { Inject, Injectable } from '@nestjs/common';
import { completeQuery, getOverview, SHARED_RANGES, type SharedOverview, type SharedRange } from '#libs/contracts';
import { hasEarlierData } from '#libs/contracts/change';
import { CLOCK, type Clock } from '#libs/platform';
import { CountsRepository } from '#libs/visit-store';
import { ResultCache } from '../reads/result-cache.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { OverviewService } from '../statistics/overview.service.js';
import { RecentActivityService } from '../statistics/recent-activity.service.js';
import { resolveComparisonRange, resolveRange, createSeries } from '../statistics/time-range.js';
import { sumTotals } from '../statistics/visit-counts.js';
import { ZonedTime } from '../statistics/zoned-time.js';
import type { OpenLink } from './shared-links.repository.js';

const DAY_MS = 86_400_000;

/** Counts visits for shared overviews and badges. All viewers share the results, which are cached for a minute. */
@Injectable()
export class SharedOverviewService {
  private readonly results = new ResultCache();

  constructor(
    private readonly overviews: OverviewService,
    private readonly activity: RecentActivityService,
    private readonly counts: CountsRepository,
    private readonly reading: SnapshotReader,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  overview(
    { project_id: id, time_zone: timeZone }: OpenLink,
    name: SharedRange,
  ): Promise<Omit<SharedOverview, 'project_name'>> {
    return this.results.get(`${id} ${timeZone} ${name}`, async () => {
      const range = resolveRange({ from: this.now() - SHARED_RANGES[name] * DAY_MS, to: null }, this.now());
      const compared = {
        current: createSeries(range, timeZone),
        previous: createSeries(resolveComparisonRange(range, null), timeZone),
      };
      const { visitors: _, compare_from: __, breakdown: ___, ...filters } = completeQuery(getOverview, {});
      return {
        overview: await this.overviews.overview(id, compared, { filters, visitors: 'agents', breakdown: 'result' }),
        has_earlier_data: hasEarlierData(await this.activity.findFirstVisit(id), compared.previous.from),
      };
    });
  }

  /** Returns the number of agent visits since the start of the month in the project's time zone. */
  countAgentVisitsThisMonth({ project_id: id, time_zone: timeZone }: OpenLink): Promise<number> {
    return this.results.get(`${id} ${timeZone} month`, () => {
      const range = resolveRange({ from: ZonedTime.forZone(timeZone).startOfMonth(this.now()), to: null }, this.now());
      return this.reading.read(
        async (snapshot) => sumTotals(await this.counts.byAgent(snapshot, id, range)).agent_visits,
      );
    });
  }
}
