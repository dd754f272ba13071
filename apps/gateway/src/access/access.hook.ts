import type { CredentialUsage } from '#libs/database';
import type { FastifyInstance } from 'fastify';
import type { ProjectAccess } from './access.repository.js';
import type { AccessService } from './access.service.js';
import type { RateLimitService } from './rate-limit.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes with `access: 'token'`. */
    project: ProjectAccess;
  }
}

/** Checks token and rate on routes with `access: 'token'`, before the body is read. */
export function registerProjectAccess(
  instance: FastifyInstance,
  access: AccessService,
  rates: RateLimitService,
  usage: CredentialUsage,
): void {
  instance.decorateRequest('project');
  instance.guardAccess('token', async (request, reply) => {
    const project = await access.authorize(request.headers.authorization);
    request.project = project;
    request.context.projectId = project.projectId;
    usage.record(project.tokenId);
    if (rates.enabled) await rates.admit(project.projectId, reply);
  });
}
