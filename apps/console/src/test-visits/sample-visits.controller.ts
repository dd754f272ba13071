import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { RateLimiter, type BucketKind } from '#libs/cache';
import { NewSampleVisitSchema, validator } from '#libs/contracts';
import { tooManyRequests } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { notFound, requireProject } from '../access/principal.js';
import { checked } from '../checked.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { SampleVisitService } from './sample-visit.service.js';

const newSampleVisit = validator(NewSampleVisitSchema);
const KIND: BucketKind = { name: 'sample-visits', failsOpen: true };
/** Of a project: ten, then ten a minute. */
const LIMIT = { burst: 10, perSecond: 1 / 6 };

@Controller('api/projects/:id/sample-visits')
export class SampleVisitsController {
  constructor(
    private readonly samples: SampleVisitService,
    private readonly projects: ProjectsRepository,
    private readonly limiter: RateLimiter,
  ) {}

  @Post()
  @HttpCode(202)
  @RouteConfig({ access: 'console' })
  async send(
    @Req() { principal, context }: FastifyRequest,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<{ visit_id: string }> {
    const projectId = requireProject(principal, id, 'member');
    checked(newSampleVisit, body);
    const project = await this.projects.find(projectId);
    if (project === null) throw notFound('project');
    const { allowed, retryAfter } = await this.limiter.take(KIND, projectId, 1, LIMIT);
    if (!allowed) throw tooManyRequests(`That were many sample visits. Try again in ${retryAfter} s.`, retryAfter);
    return { visit_id: await this.samples.send(project, context.traceparent) };
  }
}
