import { receiveDrain } from '#libs/contracts';
import type { CredentialUsage } from '#libs/database';
import type { FastifyInstance } from 'fastify';
import type { ProjectAccess } from './access.repository.js';
import type { AccessService } from './access.service.js';
import type { RateLimitService } from './rate-limit.service.js';
import { bearerToken, drainToken, tokenInUrl } from './shown-token.js';

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
  instance.guardAccess('token', async (request, reply, operation) => {
    const shown = operation === receiveDrain ? drainToken(request) : { token: bearerToken(request), isInUrl: false };
    const project = await access.authorize(shown.token, request);
    request.project = project;
    request.context.projectId = project.projectId;
    if (shown.isInUrl && !project.drains.allowsTokenInUrl) throw tokenInUrl();
    usage.record(project.tokenId);
    if (rates.enabled) await rates.admit(project.projectId, reply);
  });
}
