import type { FastifyInstance } from 'fastify';
import type { AccessService } from './access.service.js';

/** Finds out who asks on routes with `access: 'console'` and `access: 'visitor'`, before the body is read. */
export function registerConsoleAccess(instance: FastifyInstance, access: AccessService): void {
  instance.decorateRequest('principal');
  instance.decorateRequest('visitor');
  instance.guardAccess('console', async (request) => {
    request.principal = await access.authorize(request);
  });
  instance.guardAccess('visitor', async (request) => {
    request.visitor = await access.recognize(request);
  });
}
