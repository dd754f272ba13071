import { Inject, Injectable } from '@nestjs/common';
import type { Report } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { PUBLIC_URL } from '../public-url.js';
import { ResultCache } from '../reads/result-cache.js';
import { ZonedTime } from '../statistics/zoned-time.js';
import { ReportDataService } from './report-data.service.js';
import { buildReport } from './report.js';
import { getReportedPeriod, type ReportedPeriod, type RequestedPeriod, type ZonedSchedule } from './report-period.js';

/** Builds the content of reports. */
@Injectable()
export class ReportBuilder {
  private readonly results = new ResultCache();

  constructor(
    private readonly data: ReportDataService,
    private readonly projects: ProjectsRepository,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /**
   * Builds the report for the schedule's last complete period, or for another one. Requests share the report of each
   * period for a minute.
   *
   * @param now Time that the period is relative to. Default: the current time.
   */
  build(
    projectId: string,
    schedule: ZonedSchedule,
    requested: RequestedPeriod = null,
    now: number = this.now(),
  ): Promise<Report> {
    const reported = getReportedPeriod(schedule, now, requested);
    const { from, to, timeZone } = reported.current;
    const key = [projectId, timeZone, from, to, reported.name].join(' ');
    return this.results.get(key, () => this.read(projectId, reported));
  }

  private async read(projectId: string, reported: ReportedPeriod): Promise<Report> {
    const project = await this.projects.require(projectId);
    const { from, to, timeZone } = reported.current;
    return buildReport(await this.data.read(project, reported, this.now()), {
      reported,
      project,
      publicUrl: this.publicUrl,
      days: listDayStarts(from, to, timeZone),
    });
  }
}

function listDayStarts(from: number, to: number, timeZone: string): number[] {
  const zoned = ZonedTime.forZone(timeZone);
  const days = [from];
  while (days.at(-1)! < to) days.push(zoned.nextDay(days.at(-1)!));
  return days;
}
