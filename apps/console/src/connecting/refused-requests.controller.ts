import { Controller } from '@nestjs/common';
import { listRefusedRequests, listUnknownTokenRequests, type RefusedRequest } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { RefusedRequestsRepository } from './refused-requests.repository.js';

@Controller()
export class RefusedRequestsController {
  constructor(
    private readonly refused: RefusedRequestsRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(listRefusedRequests)
  async ofProject({
    params: { id: projectId },
  }: RequestOf<typeof listRefusedRequests>): Promise<{ refused_requests: RefusedRequest[] }> {
    await this.projects.require(projectId);
    return { refused_requests: await this.refused.ofProject(projectId) };
  }

  /** Returns requests with unknown tokens. They can't be attributed to a project, so only administrators see them. */
  @Handle(listUnknownTokenRequests)
  async ofNobody(): Promise<{ refused_requests: RefusedRequest[] }> {
    return { refused_requests: await this.refused.ofNobody() };
  }
}
