import { Controller } from '@nestjs/common';
import { countVisits, type VisitCount } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { AgentBehaviorsRepository } from '../visits/agent-behaviors.repository.js';
import { VisitCountService } from './visit-count.service.js';

@Controller()
export class VisitCountController {
  constructor(
    private readonly visitCountService: VisitCountService,
    private readonly projects: ProjectsRepository,
    private readonly behaviors: AgentBehaviorsRepository,
  ) {}

  @Handle(countVisits)
  async count({ params: { id: projectId }, query }: RequestOf<typeof countVisits>): Promise<VisitCount> {
    await this.projects.require(projectId);
    return this.visitCountService.count(projectId, await this.behaviors.resolve(query));
  }
}
