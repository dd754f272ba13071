import { Controller, Inject } from '@nestjs/common';
import { getTools, type ToolsReport } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveRange, createSeries } from '../statistics/time-range.js';
import { ToolsService } from './tools.service.js';

@Controller()
export class ToolsController {
  constructor(
    private readonly tools: ToolsService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getTools)
  async report({ params: { id: projectId }, query }: RequestOf<typeof getTools>): Promise<ToolsReport> {
    const range = resolveRange(query, this.now());
    const { time_zone: timeZone } = await this.projects.require(projectId);
    return this.tools.report(projectId, createSeries(range, timeZone));
  }
}
