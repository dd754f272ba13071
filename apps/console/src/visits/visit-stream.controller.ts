import type { OutgoingHttpHeaders } from 'node:http';
import { Controller } from '@nestjs/common';
import { streamVisits, type VisitPosition } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf, unfitQuery } from '#libs/platform';
import { matcherOf } from '#libs/visit-store';
import type { FastifyRequest } from 'fastify';
import { AccessService } from '../access/access.service.js';
import { roleIn } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { StreamLimits } from './stream-limits.js';
import { VisitStreamService } from './visit-stream.service.js';

/** How often it is checked whether the credential still opens the stream. */
const RECHECK_INTERVAL_MS = 1_500;

@Controller()
export class VisitStreamController {
  constructor(
    private readonly streams: VisitStreamService,
    private readonly projects: ProjectsRepository,
    private readonly limits: StreamLimits,
    private readonly access: AccessService,
  ) {}

  /** Visits that match, as they are stored, as server-sent events. Resumes after `Last-Event-ID`. */
  @Handle(streamVisits)
  async stream({
    params: { id: projectId },
    query,
    principal,
    raw,
    reply,
  }: RequestOf<typeof streamVisits>): Promise<void> {
    const { max_per_second: maxPerSecond, last_event_id: inQuery, ...filters } = query;
    const lastEventId = eventIdIn(raw.headers['last-event-id']) ?? inQuery;
    const matches = matcherOf(filters);
    if (reply.raw.destroyed) return;
    // Released on every path: whatever becomes of the request, its response closes.
    reply.raw.once('close', this.limits.acquire(principal, projectId));
    await this.projects.require(projectId);
    const position = await this.streams.startPosition(projectId, lastEventId);
    // The response closed meanwhile: nothing would end a stream that starts now.
    if (reply.raw.destroyed) return;
    reply.hijack();
    reply.raw.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    } as OutgoingHttpHeaders);
    const connection = this.streams.watch(projectId, reply.raw, { position, maxPerSecond, matches });
    const recheck = setInterval(() => {
      this.mayStillRead(raw, projectId).then(
        (may) => may || connection.end(),
        () => undefined,
      );
    }, RECHECK_INTERVAL_MS);
    connection.onGone(() => clearInterval(recheck));
  }

  private async mayStillRead(request: FastifyRequest, projectId: string): Promise<boolean> {
    try {
      return roleIn(await this.access.authorize(request), projectId) !== null;
    } catch (error) {
      // While that cannot be checked, the stream stays open.
      return !(error instanceof ProblemError && error.type === 'unauthorized');
    }
  }
}

/** A browser sends the header automatically when it reconnects, so the header wins over the parameter. */
function eventIdIn(header: string | string[] | undefined): VisitPosition | null {
  const { read, fault } = streamVisits.query.last_event_id;
  const id = read([header ?? []].flat().filter((text) => text !== ''));
  if (id === undefined) throw unfitQuery([{ pointer: '/last_event_id', detail: fault }]);
  return id;
}
