import { Controller, Inject } from '@nestjs/common';
import { getHistogram, listProjectSummaries, type Histogram, type ProjectSummary } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { LatestService } from './latest.service.js';

@Controller()
export class LatestController {
  constructor(
    private readonly latest: LatestService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listProjectSummaries)
  async summaries({ principal }: RequestOf<typeof listProjectSummaries>): Promise<{ summaries: ProjectSummary[] }> {
    const projects = await this.projects.list(principal.admin ? null : principal.projectIds);
    const ids = projects.map(({ id }) => id);
    return { summaries: await this.latest.summaries(ids, this.now()) };
  }

  @Handle(getHistogram)
  async histogram({ params: { id: projectId }, query }: RequestOf<typeof getHistogram>): Promise<Histogram> {
    await this.projects.require(projectId);
    return this.latest.histogram(projectId, this.now(), { ...query, from: null, to: null });
  }
}
