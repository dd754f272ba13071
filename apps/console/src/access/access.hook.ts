import type { FastifyInstance } from 'fastify';
import type { AttemptsService } from '../accounts/attempts.service.js';
import type { AccessService } from './access.service.js';

/** What reads a body. */
const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Finds out who asks on routes with `access: 'console'` and `access: 'visitor'`, before the body is read. Those of
 * visitors ask for no credential, so there requests are counted.
 */
export function registerConsoleAccess(
  instance: FastifyInstance,
  access: AccessService,
  attempts: AttemptsService,
): void {
  instance.decorateRequest('principal');
  instance.decorateRequest('visitor');
  instance.guardAccess('console', async (request) => {
    request.principal = await access.authorize(request);
  });
  instance.guardAccess('visitor', async (request) => {
    // First: a page of another site must not use up what its visitors' network may do here.
    request.visitor = await access.recognize(request);
    if (!isSafe(request.method)) await attempts.openRequest(request);
  });
}
