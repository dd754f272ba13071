import type { OutgoingHttpHeaders } from 'node:http';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ProblemError } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessService } from '../access/access.service.js';
import { notFound, requireProject, roleIn } from '../access/principal.js';
import type { Parameters } from '../parameters.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { StreamLimits } from './stream-limits.js';
import { readStreamQuery } from './stream-query.js';
import { VisitStreamService } from './visit-stream.service.js';

/** Milliseconds between two looks at whether the credential still opens the stream. */
const RECHECK_MS = 1_500;

@Controller('api/projects/:id/visits/stream')
export class VisitStreamController {
  constructor(
    private readonly streams: VisitStreamService,
    private readonly projects: ProjectsRepository,
    private readonly limits: StreamLimits,
    private readonly access: AccessService,
  ) {}

  /** Visits that fit, as they are stored, as server-sent events; resumes after `Last-Event-ID`. */
  @Get()
  @RouteConfig({ access: 'console' })
  async stream(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query() parameters: Parameters,
  ): Promise<void> {
    const projectId = requireProject(request.principal, id);
    const { maxPerSecond, lastEventId, fits } = readStreamQuery(parameters, request.headers['last-event-id']);
    if (reply.raw.destroyed) return;
    // Given back on every path: whatever becomes of the request, its response closes.
    reply.raw.once('close', this.limits.acquire(request.principal, projectId));
    if ((await this.projects.find(projectId)) === null) throw notFound('project');
    const position = await this.streams.startPosition(projectId, lastEventId);
    // Its response has closed: nothing would end what begins now.
    if (reply.raw.destroyed) return;
    reply.hijack();
    reply.raw.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    } as OutgoingHttpHeaders);
    const viewer = this.streams.watch(projectId, reply.raw, { position, maxPerSecond, fits });
    const recheck = setInterval(() => {
      this.mayStillRead(request, projectId).then(
        (may) => may || viewer.end(),
        () => undefined,
      );
    }, RECHECK_MS);
    viewer.onGone(() => clearInterval(recheck));
  }

  private async mayStillRead(request: FastifyRequest, projectId: string): Promise<boolean> {
    try {
      return roleIn(await this.access.authorize(request), projectId) !== null;
    } catch (error) {
      // While nobody can say, the stream stays.
      return !(error instanceof ProblemError && error.type === 'unauthorized');
    }
  }
}
