import { Controller, Inject } from '@nestjs/common';
import { getLoad, getLoadSeries, type LoadReport, type LoadSeries } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { LoadService } from './load.service.js';
import { createSeries, resolveRange } from './time-range.js';

@Controller()
export class LoadController {
  constructor(
    private readonly loadService: LoadService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getLoad)
  async load({ params: { id: projectId }, query }: RequestOf<typeof getLoad>): Promise<LoadReport> {
    const { by, ...filters } = query;
    const { time_zone: timeZone, path_patterns: named } = await this.projects.require(projectId);
    const series = createSeries(resolveRange(query, this.now()), timeZone);
    const patterns = named.map(({ pattern }) => pattern);
    return this.loadService.report(projectId, series, { by, patterns, filters: { ...filters, from: null, to: null } });
  }

  @Handle(getLoadSeries)
  async loadSeries({ params: { id: projectId }, query }: RequestOf<typeof getLoadSeries>): Promise<LoadSeries> {
    const { time_zone: timeZone } = await this.projects.require(projectId);
    const series = createSeries(resolveRange(query, this.now()), timeZone);
    return this.loadService.series(projectId, series, { ...query, from: null, to: null });
  }
}
