import type { OutgoingHttpHeaders } from 'node:http';
import { Controller } from '@nestjs/common';
import { streamVisits, type VisitPosition } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf, invalidQueryError } from '#libs/platform';
import { createMatcher } from '#libs/visit-store';
import type { FastifyRequest } from 'fastify';
import { AccessService } from '../access/access.service.js';
import { getRole } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { AgentBehaviorsRepository } from './agent-behaviors.repository.js';
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
    private readonly behaviors: AgentBehaviorsRepository,
  ) {}

  /** Streams matching visits as server-sent events when they are stored. Resumes after `Last-Event-ID`. */
  @Handle(streamVisits)
  async stream({
    params: { id: projectId },
    query,
    principal,
    raw,
    reply,
  }: RequestOf<typeof streamVisits>): Promise<void> {
    const { max_per_second: maxPerSecond, last_event_id: queryEventId, ...filters } = query;
    const lastEventId = parseLastEventId(raw.headers['last-event-id']) ?? queryEventId;
    const matches = createMatcher(await this.behaviors.resolve(filters));
    if (reply.raw.destroyed) return;
    // The response always closes, so the slot is always released.
    reply.raw.once('close', this.limits.acquire(principal, projectId));
    await this.projects.require(projectId);
    const position = await this.streams.startPosition(projectId, lastEventId);
    // A stream whose response has already closed would never end.
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
      this.canStillRead(raw, projectId).then(
        (isAllowed) => isAllowed || connection.end(),
        () => undefined,
      );
    }, RECHECK_INTERVAL_MS);
    connection.onDisconnect(() => clearInterval(recheck));
  }

  private async canStillRead(request: FastifyRequest, projectId: string): Promise<boolean> {
    try {
      return getRole(await this.access.authorize(request), projectId) !== null;
    } catch (error) {
      // Only close the stream if the credential is no longer valid. If its validity can't be checked, the stream stays
      // open.
      return !(error instanceof ProblemError && error.type === 'unauthorized');
    }
  }
}

/** Browsers send the header when they reconnect, so it takes precedence over the parameter. */
function parseLastEventId(header: string | string[] | undefined): VisitPosition | null {
  const { read, fault } = streamVisits.query.last_event_id;
  const id = read([header ?? []].flat().filter((text) => text !== ''));
  if (id === undefined) throw invalidQueryError([{ pointer: '/last_event_id', detail: fault }]);
  return id;
}
