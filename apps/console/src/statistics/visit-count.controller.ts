import { Controller } from '@nestjs/common';
import { countVisits, type VisitCount } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { VisitCountService } from './visit-count.service.js';

@Controller()
export class VisitCountController {
  constructor(
    private readonly counting: VisitCountService,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(countVisits)
  async count({ params: { id: projectId }, query }: RequestOf<typeof countVisits>): Promise<VisitCount> {
    await this.projects.require(projectId);
    return this.counting.count(projectId, query);
  }
}
