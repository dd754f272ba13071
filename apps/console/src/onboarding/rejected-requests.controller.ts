import { Controller } from '@nestjs/common';
import { listRefusedRequests, listUnknownTokenRequests, type RejectedRequest } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { RejectedRequestsRepository } from './rejected-requests.repository.js';

@Controller()
export class RejectedRequestsController {
  constructor(
    private readonly rejectedRequests: RejectedRequestsRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(listRefusedRequests)
  async listForProject({
    params: { id: projectId },
  }: RequestOf<typeof listRefusedRequests>): Promise<{ refused_requests: RejectedRequest[] }> {
    await this.projects.require(projectId);
    return { refused_requests: await this.rejectedRequests.listForProject(projectId) };
  }

  /** Returns requests with unknown tokens. They don't belong to a project, so only administrators can read them. */
  @Handle(listUnknownTokenRequests)
  async listWithUnknownToken(): Promise<{ refused_requests: RejectedRequest[] }> {
    return { refused_requests: await this.rejectedRequests.listWithUnknownToken() };
  }
}
