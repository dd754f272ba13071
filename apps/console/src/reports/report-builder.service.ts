import { Inject, Injectable } from '@nestjs/common';
import { completeQuery, getLoad, getOverview, type Report } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { ProjectsRepository, type StoredProject } from '../projects/projects.repository.js';
import { PUBLIC_URL } from '../public-url.js';
import { ResultCache } from '../reads/result-cache.js';
import { LoadService } from '../statistics/load.service.js';
import { OverviewService } from '../statistics/overview.service.js';
import type { Series } from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';
import { listCostlyAgents, type CostlyAgents } from './costly-agents.js';
import { buildReport } from './report.js';
import { getReportedPeriod, type ZonedSchedule } from './report-period.js';

/** Reads the data of reports and builds their content. */
@Injectable()
export class ReportBuilder {
  private readonly results = new ResultCache();

  constructor(
    private readonly overviews: OverviewService,
    private readonly loads: LoadService,
    private readonly projects: ProjectsRepository,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns the same as {@link build}, for viewers. They share the report of each period for a minute. */
  buildShared(projectId: string, schedule: ZonedSchedule, now: number): Promise<Report> {
    const { from, to } = getReportedPeriod(schedule, now).current;
    const key = [projectId, schedule.frequency, schedule.time_zone, from, to].join(' ');
    return this.results.get(key, () => this.build(projectId, schedule, now));
  }

  /** Builds the report for the last full period before `now`. */
  async build(projectId: string, schedule: ZonedSchedule, now: number): Promise<Report> {
    const compared = getReportedPeriod(schedule, now);
    const project = await this.projects.require(projectId);
    const { visitors: _, compare_from: __, breakdown: ___, ...filters } = completeQuery(getOverview, {});
    const overview = await this.overviews.overview(projectId, compared, { filters, visitors: 'agents' });
    const { from, to } = compared.current;
    return buildReport(overview, {
      frequency: schedule.frequency,
      project,
      publicUrl: this.publicUrl,
      days: listDayStarts(from, to, schedule.time_zone),
      costly: await this.findCostlyAgents(project, compared.current),
    });
  }

  /** Returns null if reading all visits fails, for example because it takes too long. The report is sent without them. */
  private async findCostlyAgents(project: StoredProject, period: Series): Promise<CostlyAgents | null> {
    const query = completeQuery(getLoad, { not_result: ['unknown_agent', 'verification_failed'] });
    const { by, ...filters } = query;
    try {
      return listCostlyAgents(await this.loads.report(project.id, period, { by, filters }), project);
    } catch (error) {
      this.logger.warn({ err: error, project: project.id }, 'the report does not list the most expensive agents');
      return null;
    }
  }
}

function listDayStarts(from: number, to: number, timeZone: string): number[] {
  const zoned = ZonedTime.forZone(timeZone);
  const days = [from];
  while (days.at(-1)! < to) days.push(zoned.nextDay(days.at(-1)!));
  return days;
}
