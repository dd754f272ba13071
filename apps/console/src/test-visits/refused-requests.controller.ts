import { Controller, Get, Param, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { RefusedRequest } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { notFound, requireAdmin, requireProject } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { RefusedRequestsRepository } from './refused-requests.repository.js';

/** What the public interface refused, for whoever connects a site. */
@Controller('api')
export class RefusedRequestsController {
  constructor(
    private readonly refused: RefusedRequestsRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  @Get('projects/:id/refused-requests')
  @RouteConfig({ access: 'console' })
  async ofProject(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
  ): Promise<{ refused_requests: RefusedRequest[] }> {
    const projectId = requireProject(principal, id);
    if ((await this.projects.find(projectId)) === null) throw notFound('project');
    return { refused_requests: await this.refused.ofProject(projectId) };
  }

  /** With tokens that nobody knows: whose they are can't be told, so they are for administrators. */
  @Get('refused-requests')
  @RouteConfig({ access: 'console' })
  async ofNobody(@Req() { principal }: FastifyRequest): Promise<{ refused_requests: RefusedRequest[] }> {
    requireAdmin(principal);
    return { refused_requests: await this.refused.ofNobody() };
  }
}
