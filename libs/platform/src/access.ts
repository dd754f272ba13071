import type { Operation, OperationAccess } from '#libs/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from './problem.js';

/** Runs a read operation's method, or throws a ProblemError to reject the request. */
type ReadLimit = (request: FastifyRequest, read: () => Promise<unknown>) => Promise<unknown>;

/** Throws a ProblemError to reject the request. */
type AccessGuard = (request: FastifyRequest, reply: FastifyReply, operation: Operation) => Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's operation, set by `@Handle`. */
    operation?: Operation;
    /** The operation's access level, or `open` for a plugin's route. */
    access?: OperationAccess;
  }
  interface FastifyInstance {
    /** Sets the guard for all routes with this access level. It runs before the body is read, unlike a Nest guard. */
    guardAccess(access: Exclude<OperationAccess, 'open'>, guard: AccessGuard): void;
    /** Limits read operations selected by `isLimitedRead`. Null disables the limit. */
    readLimit: ReadLimit | null;
    /** Declares the operations that this process serves. Startup fails unless the routes match them exactly. */
    serveOperations(operations: readonly Operation[]): void;
  }
}

const denyAll: AccessGuard = async () => {
  throw new ProblemError('not-found', 'No resource exists at this address.');
};

/**
 * Denies access to every route by default. Must be called before routes are added.
 *
 * Startup fails if a declared operation has no route, a route has an undeclared operation, or an access level has no
 * guard. Only `open` routes may lack an operation.
 */
export function registerAccess(instance: FastifyInstance): void {
  const guards = new Map<OperationAccess | undefined, AccessGuard>([['open', async () => {}]]);
  const routes: { method: string | string[]; url: string; config?: { access?: OperationAccess } }[] = [];
  const servedOperations = new Set<Operation>();
  instance.decorate('guardAccess', (access, guard) => void guards.set(access, guard));
  instance.decorate('readLimit', null);
  instance.decorate('serveOperations', (operations) =>
    operations.forEach((operation) => servedOperations.add(operation)),
  );
  // Check routes in `onReady` because plugins set access levels in later hooks.
  instance.addHook('onRoute', (route) => void routes.push(route));
  instance.addHook('onReady', async () => {
    const unroutedOperations = new Set(servedOperations);
    for (const { method, url, config } of routes) {
      const { operation, access } = (config ?? {}) as { operation?: Operation; access?: OperationAccess };
      const fault = findFault(operation, access);
      if (fault !== null) throw new Error(`The route ${[method].flat().join(', ')} ${url} ${fault}.`);
      if (operation !== undefined) unroutedOperations.delete(operation);
    }
    for (const { id, method, path } of unroutedOperations) {
      throw new Error(
        `The operation ${id} (${method.toUpperCase()} ${path}) has no route. Bind it to a method with @Handle.`,
      );
    }
  });
  instance.addHook('onRequest', async (request, reply) => {
    if (request.is404) return;
    const { access, operation } = request.routeOptions.config;
    await (guards.get(access) ?? denyAll)(request, reply, operation!);
  });

  function findFault(operation: Operation | undefined, access: OperationAccess | undefined): string | null {
    if (operation === undefined) {
      return access === 'open' ? null : 'has no operation, so its access level is unknown. Bind it with @Handle';
    }
    if (!servedOperations.has(operation)) return `handles ${operation.id}, which this process doesn't serve`;
    return guards.has(access) ? null : `requires the access level "${access}", which has no guard`;
  }
}

/** Opens all routes of a plugin that can't declare access levels itself. Call it in a separate scope. */
export function allowAnyone(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'open' };
  });
}
