import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Histogram, ProjectSummary } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { notFound, requireProject } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { LatestService } from './latest.service.js';

/** What goes on right now. */
@Controller('api')
export class LatestController {
  constructor(
    private readonly latest: LatestService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Get('project-summaries')
  @RouteConfig({ access: 'console' })
  async summaries(@Req() { principal }: FastifyRequest): Promise<{ summaries: ProjectSummary[] }> {
    const projects = await this.projects.list(principal.admin ? null : principal.projectIds);
    const ids = projects.map(({ id }) => id);
    return { summaries: await this.latest.summaries(ids, this.now()) };
  }

  @Get('projects/:id/histogram')
  @RouteConfig({ access: 'console' })
  async histogram(@Req() { principal }: FastifyRequest, @Param('id') id: string): Promise<Histogram> {
    const projectId = requireProject(principal, id);
    if ((await this.projects.find(projectId)) === null) throw notFound('project');
    return this.latest.histogram(projectId, this.now());
  }
}
