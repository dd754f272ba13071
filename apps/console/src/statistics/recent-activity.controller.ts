import { Controller, Inject } from '@nestjs/common';
import { getHistogram, listProjectSummaries, type Histogram, type ProjectSummary } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { AgentBehaviorsRepository } from '../visits/agent-behaviors.repository.js';
import { RecentActivityService } from './recent-activity.service.js';

@Controller()
export class RecentActivityController {
  constructor(
    private readonly recentActivity: RecentActivityService,
    private readonly projects: ProjectsRepository,
    private readonly behaviors: AgentBehaviorsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listProjectSummaries)
  async summaries({ principal }: RequestOf<typeof listProjectSummaries>): Promise<{ summaries: ProjectSummary[] }> {
    const projects = await this.projects.list(principal.admin ? null : principal.projectIds);
    const ids = projects.map(({ id }) => id);
    return { summaries: await this.recentActivity.summarizeProjects(ids, this.now()) };
  }

  @Handle(getHistogram)
  async histogram({ params: { id: projectId }, query }: RequestOf<typeof getHistogram>): Promise<Histogram> {
    await this.projects.require(projectId);
    const filters = await this.behaviors.resolve(query);
    return this.recentActivity.getHistogram(projectId, this.now(), { ...filters, from: null, to: null });
  }
}
