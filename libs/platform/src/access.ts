import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Who may call a route: everybody (`public`), holders of a project's access token (`project`), of an API key or a
 * session (`console`), everybody with a session or without one (`visitor`), our other services (`internal`), or whoever
 * runs the process (`operator`).
 */
export type RouteAccess = 'public' | 'project' | 'console' | 'visitor' | 'internal' | 'operator';

/** Refuses a request by throwing a ProblemError. */
export type AccessGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route states it: without it the application does not start. */
    access?: RouteAccess;
  }
  interface FastifyInstance {
    /** Guards all routes with this access, before their bodies are read: Nest's guards would run after it. */
    guardAccess(access: Exclude<RouteAccess, 'public'>, guard: AccessGuard): void;
  }
}

/**
 * Lets nobody in by default: the application does not become ready with a route that states no access, or an access
 * that nothing guards. Call before routes are added.
 */
export function registerAccess(instance: FastifyInstance): void {
  const guards = new Map<RouteAccess | undefined, AccessGuard>([['public', async () => {}]]);
  const routes: { method: string | string[]; url: string; config?: { access?: RouteAccess } }[] = [];
  instance.decorate('guardAccess', (access, guard) => void guards.set(access, guard));
  // Read once ready: hooks of plugins state the access of their routes after this one.
  instance.addHook('onRoute', (route) => void routes.push(route));
  instance.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      if (guards.has(config?.access)) continue;
      const fault =
        config?.access === undefined ? 'states no access' : `has the access "${config.access}" without a guard`;
      throw new Error(`The route ${[method].flat().join(', ')} ${url} ${fault}, so everybody could call it.`);
    }
  });
  instance.addHook('onRequest', async (request, reply) => {
    if (!request.is404) await guards.get(request.routeOptions.config.access)!(request, reply);
  });
}

/** States that everybody may call the routes of a plugin, which can't state it themselves. Call in a scope of theirs. */
export function allowEverybody(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
  });
}
