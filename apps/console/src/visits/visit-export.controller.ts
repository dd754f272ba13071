import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { CLOCK, type Clock } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound, requireProject } from '../access/principal.js';
import { memberOf, ParameterReader, type Parameters } from '../parameters.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { readTimelineFilters } from './timeline-query.js';
import { VisitExportService } from './visit-export.service.js';

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

@Controller('api/projects/:id/visits/export')
export class VisitExportController {
  constructor(
    private readonly exports: VisitExportService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** The timeline as a file, for as long as the client takes it. */
  @Get()
  @RouteConfig({ access: 'console' })
  async export(
    @Req() { method, principal }: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query() parameters: Parameters,
  ): Promise<void> {
    const projectId = requireProject(principal, id);
    const reader = new ParameterReader(parameters);
    const format = reader.one('format', 'must be csv or ndjson', memberOf(['csv', 'ndjson'])) ?? 'csv';
    const filters = readTimelineFilters(reader);
    reader.finish();
    if ((await this.projects.find(projectId)) === null) throw notFound('project');
    const day = new Date(this.now()).toISOString().slice(0, 10);
    reply
      .header('content-type', MEDIA_TYPES[format])
      .header('content-disposition', `attachment; filename="visits-${day}.${format}"`)
      .header('cache-control', 'no-store');
    // Fastify reads to its end what a HEAD would have been sent.
    await reply.send(method === 'HEAD' ? '' : await this.exports.open(principal, projectId, filters, format));
  }
}
