import { auditOf, type Operation, type OperationAccess } from '#libs/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AttemptsService } from './attempts.service.js';
import type { AccessService } from './access.service.js';
import { actorOf } from './actor.js';
import {
  isSafe,
  requireAdmin,
  requireConfirmed,
  requireProject,
  requireScope,
  requireSecondFactor,
  requireSession,
} from './principal.js';

type RoleCheck = (request: FastifyRequest, operation: Operation) => void;

const inProject =
  (role: 'viewer' | 'member' | 'owner'): RoleCheck =>
  ({ principal, params }, { isRoleOfContent, orThemselves }) => {
    if (isRoleOfContent) return;
    const { id } = params as Record<string, string>;
    requireProject(principal, id!, isAboutThemselves({ principal, params }, { orThemselves }) ? 'viewer' : role);
  };

/**
 * True if the operation only affects the person who requests it, e.g. leaving a project. This doesn't require the role
 * needed to affect others.
 */
function isAboutThemselves(
  { principal, params }: Pick<FastifyRequest, 'principal' | 'params'>,
  { orThemselves }: { orThemselves?: string | undefined },
): boolean {
  if (orThemselves === undefined || principal.user === null) return false;
  return (params as Record<string, string>)[orThemselves]?.toLowerCase() === principal.user.id;
}

const CHECKS = {
  authenticated: () => undefined,
  session: ({ principal }) => requireSession(principal),
  viewer: inProject('viewer'),
  member: inProject('member'),
  owner: inProject('owner'),
  administrator: ({ principal }) => requireAdmin(principal),
} satisfies Partial<Record<OperationAccess, RoleCheck>>;

/**
 * Authenticates and authorizes requests before their body is read. Rate-limits public operations, because they require
 * no credential.
 */
export function registerConsoleAccess(
  instance: FastifyInstance,
  access: AccessService,
  attempts: AttemptsService,
): void {
  instance.decorateRequest('principal');
  instance.decorateRequest('visitor');
  for (const [name, check] of Object.entries(CHECKS) as [keyof typeof CHECKS, RoleCheck][]) {
    instance.guardAccess(name, async (request, _reply, operation) => {
      request.principal = await access.authorize(request, operation.confirms);
      if (!operation.beforeSecondFactor) requireSecondFactor(request.principal);
      requireScope(request.principal, operation);
      check(request, operation);
      if (operation.confirms && !isAboutThemselves(request, operation)) requireConfirmed(request.principal);
      if (auditOf(operation) !== 'nothing') request.context.actor = actorOf(request, request.principal, operation);
    });
  }
  instance.guardAccess('public', async (request, _reply, operation) => {
    // Before rate limiting, so other sites can't use up the limit of their visitors' networks.
    request.visitor = await access.recognize(request);
    await attempts.openRequest(request, isSafe(request.method) ? 'reads' : 'open');
    if (auditOf(operation) !== 'nothing') request.context.actor = actorOf(request, request.visitor, operation);
  });
}
