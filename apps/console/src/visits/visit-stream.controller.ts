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

const RECHECK_INTERVAL_MS = 1_500;

@Controller()
export class VisitStreamController {
  constructor(
    private readonly streams: VisitStreamService,
    private readonly projects: ProjectsRepository,
    private readonly limits: StreamLimits,
    private readonly access: AccessService,
  ) {}

  /** Streams newly stored visits that match, as server-sent events. Resumes after `Last-Event-ID`. */
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
    // Released in every case, because the response always closes.
    reply.raw.once('close', this.limits.acquire(principal, projectId));
    await this.projects.require(projectId);
    const position = await this.streams.startPosition(projectId, lastEventId);
    // Nothing would end a stream whose response has already closed.
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
      // The stream stays open if access can't be checked.
      return !(error instanceof ProblemError && error.type === 'unauthorized');
    }
  }
}

/** Browsers send the header when they reconnect, so it takes precedence over the parameter. */
function eventIdIn(header: string | string[] | undefined): VisitPosition | null {
  const { read, fault } = streamVisits.query.last_event_id;
  const id = read([header ?? []].flat().filter((text) => text !== ''));
  if (id === undefined) throw unfitQuery([{ pointer: '/last_event_id', detail: fault }]);
  return id;
}
