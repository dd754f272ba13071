import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ProblemError } from './problem.js';

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Responds with 405 and `Allow` if a path exists but doesn't support the method. Must be called before routes are
 * added.
 */
export function registerMethodNotAllowed(instance: FastifyInstance): void {
  const routes = new Map<string, Set<string>>();
  let isCollecting = true;
  instance.addHook('onRoute', ({ url, method }) => {
    if (!isCollecting) return;
    const methods = routes.get(url) ?? new Set<string>();
    for (const name of [method].flat()) methods.add(name);
    routes.set(url, methods);
  });
  instance.decorate('rejectOtherMethods', () => {
    isCollecting = false;
    for (const [url, methods] of routes) {
      if (url.includes('*')) continue;
      const otherMethods = METHODS.filter(
        (method) => !methods.has(method) && !(method === 'HEAD' && methods.has('GET')),
      );
      if (otherMethods.length === 0) continue;
      const allow = [...methods].sort().join(', ');
      // Reject in `onRequest`, so the body isn't read.
      const reject = async (): Promise<never> => {
        throw new ProblemError('method-not-allowed', `This address only supports ${allow}.`, { headers: { allow } });
      };
      instance.route({ method: otherMethods, url, config: { access: 'open' }, onRequest: reject, handler: reject });
    }
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds 405 responses to all routes registered so far, except wildcard routes. */
    rejectOtherMethods(): void;
  }
}
