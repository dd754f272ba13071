import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ProblemError } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessService } from '../access/access.service.js';
import { notFound, requireProject, roleIn } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { VisitStreamService } from './visit-stream.service.js';

/** Milliseconds between two looks at whether the credential still opens the stream. */
const RECHECK_MS = 1_500;

@Controller('api/projects/:id/visits/stream')
export class VisitStreamController {
  constructor(
    @Inject(VisitStreamService) private readonly streams: VisitStreamService,
    @Inject(ProjectsRepository) private readonly projects: ProjectsRepository,
    @Inject(AccessService) private readonly access: AccessService,
  ) {}

  /** Visits as they are stored, as server-sent events; resumes after `Last-Event-ID`. */
  @Get()
  @RouteConfig({ access: 'console' })
  async stream(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query('max_per_second') maxPerSecond?: string,
    @Query('last_event_id') lastEventId?: string,
  ): Promise<void> {
    const projectId = requireProject(request.principal, id);
    if ((await this.projects.find(projectId)) === null) throw notFound('project');
    const cap = readMaxPerSecond(maxPerSecond);
    const resumeAt = readPosition(request.headers['last-event-id'] ?? lastEventId);
    const position = await this.streams.startPosition(projectId, resumeAt);
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    });
    const viewer = this.streams.watch(projectId, reply.raw, { position, maxPerSecond: cap });
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

const invalid = (name: string, detail: string): ProblemError =>
  new ProblemError('invalid-body', `The parameters do not fit: ${name} ${detail}.`, {
    errors: [{ pointer: `/${name}`, detail }],
  });

function readMaxPerSecond(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw invalid('max_per_second', 'must be a whole number from 1 to 999999');
  return Number(text);
}

function readPosition(text: string | string[] | undefined): bigint | null {
  if (text === undefined || text === '') return null;
  if (typeof text !== 'string' || !/^\d{1,18}$/.test(text))
    throw invalid('last_event_id', 'must be the id of an event');
  return BigInt(text);
}
