import { Controller, Get, Header, Param, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { notFound, requireId, requireProject } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ReadingRepository } from '../statistics/reading.repository.js';
import { readTimelineQuery } from './timeline-query.js';
import { TimelineRepository } from './timeline.repository.js';

/** Milliseconds that a page is looked for. */
const DEADLINE = 5_000;

@Controller('api/projects/:id/visits')
export class VisitsController {
  constructor(
    private readonly timeline: TimelineRepository,
    private readonly reading: ReadingRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  /** A page of the timeline. The stored documents go out as they are, without being parsed. */
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @RouteConfig({ access: 'console' })
  async page(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Query() parameters: Record<string, string | string[]>,
  ): Promise<string> {
    const projectId = requireProject(principal, id);
    const query = readTimelineQuery(parameters);
    const page = await this.reading.read((run) => this.timeline.page(projectId, query, run), {
      deadline: DEADLINE,
      advice: 'Visits that fit are too rare to be found in time; ask for a shorter time with from and to.',
    });
    if (page.documents.length === 0 && (await this.projects.find(projectId)) === null) throw notFound('project');
    const cursors = { next_cursor: page.nextCursor, previous_cursor: page.previousCursor };
    return `{"visits":[${page.documents.join(',')}],${JSON.stringify(cursors).slice(1)}`;
  }

  /** One visit, as it is stored: what a link to it shows. */
  @Get(':visitId')
  @Header('content-type', 'application/json; charset=utf-8')
  @RouteConfig({ access: 'console' })
  async find(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Param('visitId') visitId: string,
  ): Promise<string> {
    const document = await this.timeline.find(requireProject(principal, id), requireId(visitId, 'visit'));
    if (document === null) throw notFound('visit');
    return document;
  }
}
