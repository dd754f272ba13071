import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ProblemError } from './problem.js';

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Responds with 405 and `Allow` if a path exists, but not for the method. Call before routes are added. */
export function registerMethodNotAllowed(instance: FastifyInstance): void {
  const routes = new Map<string, Set<string>>();
  let collecting = true;
  instance.addHook('onRoute', ({ url, method }) => {
    if (!collecting) return;
    const methods = routes.get(url) ?? new Set<string>();
    for (const name of [method].flat()) methods.add(name);
    routes.set(url, methods);
  });
  instance.decorate('refuseOtherMethods', () => {
    collecting = false;
    for (const [url, methods] of routes) {
      if (url.includes('*')) continue;
      const others = METHODS.filter((method) => !methods.has(method) && !(method === 'HEAD' && methods.has('GET')));
      if (others.length === 0) continue;
      const allow = [...methods].sort().join(', ');
      // Refused in `onRequest`, so the body isn't read.
      const refuse = async (): Promise<never> => {
        throw new ProblemError('method-not-allowed', `This address answers ${allow} only.`, { headers: { allow } });
      };
      instance.route({ method: others, url, config: { access: 'open' }, onRequest: refuse, handler: refuse });
    }
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds the 405 responses to all routes registered so far, except wildcard routes. */
    refuseOtherMethods(): void;
  }
}
