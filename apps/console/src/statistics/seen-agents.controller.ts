import { Controller } from '@nestjs/common';
import { listSeenAgents, type SeenAgents } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { SeenAgentsService } from './seen-agents.service.js';

/** Counts visits to all projects that the caller can access. */
@Controller()
export class SeenAgentsController {
  constructor(
    private readonly agents: SeenAgentsService,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(listSeenAgents)
  async list({ principal }: RequestOf<typeof listSeenAgents>): Promise<SeenAgents> {
    const projects = await this.projects.list(principal.admin ? null : principal.projectIds);
    return this.agents.list(projects);
  }
}
