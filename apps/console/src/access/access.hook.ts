import type { FastifyInstance } from 'fastify';
import type { AccessService } from './access.service.js';

/** Finds out who asks on routes with `access: 'console'` and `access: 'visitor'`, before the body is read. */
export function registerConsoleAccess(instance: FastifyInstance, access: AccessService): void {
  instance.decorateRequest('principal');
  instance.decorateRequest('visitor');
  instance.addHook('onRequest', async (request) => {
    const { access: kind } = request.routeOptions.config;
    if (kind === 'console') request.principal = await access.authorize(request);
    else if (kind === 'visitor') request.visitor = await access.recognize(request);
  });
}
