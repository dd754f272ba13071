import { receiveDrain, type Operation } from '#libs/contracts';
import type { CredentialUsage } from '#libs/database';
import { ProblemError } from '#libs/platform';
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

/** Checks the access token and rate limit on routes with `access: 'token'`, before the body is read. */
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
    requirePurpose(project, operation);
    if (shown.isInUrl && !project.drains.allowsTokenInUrl) throw tokenInUrl();
    usage.record(project.tokenId);
    if (rates.enabled) await rates.admit(project.projectId, reply);
  });
}

/** @throws ProblemError 403 if the token lacks the operation's purpose. */
function requirePurpose({ purposes }: ProjectAccess, { purpose }: Operation): void {
  if (purpose === undefined || purposes.includes(purpose)) return;
  throw new ProblemError(
    'forbidden',
    `This needs an access token with the purpose "${purpose}" (got ${purposes.map((one) => `"${one}"`).join(', ')}). Create one in the settings of the project.`,
  );
}
