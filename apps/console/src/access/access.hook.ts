import type { FastifyInstance } from 'fastify';
import type { AccessService } from './access.service.js';

/** Checks the API key on routes with `access: 'console'`, before the body is read. */
export function registerConsoleAccess(instance: FastifyInstance, access: AccessService): void {
  instance.decorateRequest('principal');
  instance.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.access !== 'console') return;
    request.principal = await access.authorize(request.headers.authorization);
  });
}
