import { receiveDrain, verifyForwardedRequest, type Operation } from '#libs/contracts';
import type { CredentialUsage } from '#libs/database';
import { ProblemError, unauthorized } from '#libs/platform';
import type { FastifyInstance } from 'fastify';
import type { ProjectAccess } from './access.repository.js';
import type { AccessService } from './access.service.js';
import type { RateLimitService } from './rate-limit.service.js';
import { bearerToken, drainToken, tokenInUrlError } from './request-token.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Project that the token belongs to. Set on routes with `access: 'token'`. */
    project: ProjectAccess;
  }
}

/** Authenticates and rate-limits requests to routes with `access: 'token'` before reading their bodies. */
export function registerProjectAccess(
  instance: FastifyInstance,
  access: AccessService,
  rates: RateLimitService,
  usage: CredentialUsage,
): void {
  instance.decorateRequest('project');
  instance.guardAccess('token', async (request, reply, operation) => {
    const requestToken =
      operation === receiveDrain ? drainToken(request) : { token: bearerToken(request), isInUrl: false };
    const project = await access.authorize(requestToken.token, request);
    request.project = project;
    request.context.projectId = project.projectId;
    requirePurpose(project, operation);
    if (requestToken.isInUrl && !project.drains.allowsTokenInUrl) throw tokenInUrlError();
    usage.record(project.tokenId);
    if (rates.enabled && operation !== verifyForwardedRequest) await rates.admit(project.projectId, reply);
  });
}

/**
 * @throws {ProblemError} 403 if the token lacks the purpose that the operation requires. The status is 401 for proxies
 * that check requests, because they would pass a 403 on to all visitors.
 */
function requirePurpose({ purposes }: ProjectAccess, operation: Operation): void {
  const { purpose } = operation;
  if (purpose === undefined || purposes.includes(purpose)) return;
  const detail = `This request requires an access token with the purpose "${purpose}" (got ${purposes.map((one) => `"${one}"`).join(', ')}). Create one in the project's settings.`;
  throw operation === verifyForwardedRequest ? unauthorized(detail) : new ProblemError('forbidden', detail);
}
