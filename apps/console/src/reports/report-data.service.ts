import { Inject, Injectable } from '@nestjs/common';
import { completeQuery, getLoad, getOverview } from '#libs/contracts';
import { hasEarlierData } from '#libs/contracts/change';
import { LOGGER, type Logger } from '#libs/platform';
import { ComplianceService } from '../compliance/compliance.service.js';
import type { StoredProject } from '../projects/projects.repository.js';
import { LoadService } from '../statistics/load.service.js';
import { NewsService } from '../statistics/news/news.service.js';
import { OverviewService } from '../statistics/overview.service.js';
import { ReferralsService } from '../statistics/referrals.service.js';
import { RecentActivityService } from '../statistics/recent-activity.service.js';
import type { ComparedSeries, Series } from '../statistics/time-range.js';
import { listCostlyAgents, type CostlyAgents } from './costly-agents.js';
import type { ReportData } from './report-data.js';

const { visitors: _, compare_from: __, breakdown: ___, ...NO_FILTERS } = completeQuery(getOverview, {});

/** Reads the data of reports. */
@Injectable()
export class ReportDataService {
  constructor(
    private readonly overviews: OverviewService,
    private readonly referrals: ReferralsService,
    private readonly compliance: ComplianceService,
    private readonly loads: LoadService,
    private readonly news: NewsService,
    private readonly activity: RecentActivityService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param now Milliseconds since the epoch. */
  async read(project: StoredProject, compared: ComparedSeries, now: number): Promise<ReportData> {
    const { current, previous } = compared;
    const optional = <T>(reading: Promise<T>): Promise<T | null> => this.ignoreFailure(project, reading);
    // One after another, because each one reads all of the period.
    const isCompared = hasEarlierData(await this.activity.findFirstVisit(project.id), previous.from);
    return {
      isCompared,
      previousCompliance: isCompared ? await optional(this.compliance.report(project.id, previous)) : null,
      overview: await this.overviews.overview(project.id, compared, { filters: NO_FILTERS, visitors: 'agents' }),
      referrals: await optional(this.referrals.referrals(project.id, compared)),
      compliance: await optional(this.compliance.report(project.id, current)),
      costly: await optional(this.findCostlyAgents(project, current)),
      news: await optional(this.news.findNews(project.id, current, { previous, now, isAdmin: false })),
    };
  }

  /** Returns null if reading fails, for example because it takes too long. The report is sent without this part. */
  private async ignoreFailure<T>(project: StoredProject, reading: Promise<T>): Promise<T | null> {
    try {
      return await reading;
    } catch (error) {
      this.logger.warn({ err: error, project: project.id }, 'part of the report is missing');
      return null;
    }
  }

  private async findCostlyAgents(project: StoredProject, period: Series): Promise<CostlyAgents | null> {
    const query = completeQuery(getLoad, { not_result: ['unknown_agent', 'verification_failed'] });
    const { by, ...filters } = query;
    return listCostlyAgents(await this.loads.report(project.id, period, { by, filters }), project);
  }
}
