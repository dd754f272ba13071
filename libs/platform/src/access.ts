import type { Operation, OperationAccess } from '#libs/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from './problem.js';

/** Runs the method of a read operation, or refuses the request by throwing a ProblemError. */
type ReadLimit = (request: FastifyRequest, read: () => Promise<unknown>) => Promise<unknown>;

/** Refuses a request by throwing a ProblemError. */
type AccessGuard = (request: FastifyRequest, reply: FastifyReply, operation: Operation) => Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation of the route, set by `@Handle`. */
    operation?: Operation;
    /** Access level of the operation, or `open` for a plugin's route. */
    access?: OperationAccess;
  }
  interface FastifyInstance {
    /** Guards all routes with this access level, before their bodies are read. Nest guards would run afterwards. */
    guardAccess(access: Exclude<OperationAccess, 'open'>, guard: AccessGuard): void;
    /** Limits the operations selected by `isLimitedRead`. Null: no limit. */
    readLimit: ReadLimit | null;
    /** Declares the operations of this process. Routes must match them exactly, or startup fails. */
    serveOperations(operations: readonly Operation[]): void;
  }
}

const nobody: AccessGuard = async () => {
  throw new ProblemError('not-found', 'No resource has this address.');
};

/**
 * Denies access by default. Startup fails if a declared operation has no route, an access level has no guard, or a
 * route has an undeclared operation. Only `open` routes may lack an operation. Call before routes are added.
 */
export function registerAccess(instance: FastifyInstance): void {
  const guards = new Map<OperationAccess | undefined, AccessGuard>([['open', async () => {}]]);
  const routes: { method: string | string[]; url: string; config?: { access?: OperationAccess } }[] = [];
  const served = new Set<Operation>();
  instance.decorate('guardAccess', (access, guard) => void guards.set(access, guard));
  instance.decorate('readLimit', null);
  instance.decorate('serveOperations', (operations) => operations.forEach((operation) => served.add(operation)));
  // Checked in `onReady`, because plugins set the access level of their routes in later hooks.
  instance.addHook('onRoute', (route) => void routes.push(route));
  instance.addHook('onReady', async () => {
    const missing = new Set(served);
    for (const { method, url, config } of routes) {
      const { operation, access } = (config ?? {}) as { operation?: Operation; access?: OperationAccess };
      const fault = faultOf(operation, access);
      if (fault !== null) throw new Error(`The route ${[method].flat().join(', ')} ${url} ${fault}.`);
      if (operation !== undefined) missing.delete(operation);
    }
    for (const { id, method, path } of missing) {
      throw new Error(`The operation ${id} (${method.toUpperCase()} ${path}) has no route: nothing handles it.`);
    }
  });
  instance.addHook('onRequest', async (request, reply) => {
    if (request.is404) return;
    const { access, operation } = request.routeOptions.config;
    await (guards.get(access) ?? nobody)(request, reply, operation!);
  });

  function faultOf(operation: Operation | undefined, access: OperationAccess | undefined): string | null {
    if (operation === undefined) {
      return access === 'open' ? null : 'states no operation, so nobody knows who may call it: bind it with @Handle';
    }
    if (!served.has(operation)) return `handles ${operation.id}, which is part of nothing that this process serves`;
    return guards.has(access) ? null : `has the access "${access}" without a guard, so everybody could call it`;
  }
}

/** Opens all routes of a plugin, because a plugin can't declare their access. Call it in a separate scope. */
export function allowEverybody(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'open' };
  });
}
