import { getAudit, type Operation, type OperationAccess } from '#libs/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AttemptsService } from './attempts.service.js';
import type { AccessService } from './access.service.js';
import { toActor } from './actor.js';
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

const requireProjectRole =
  (role: 'viewer' | 'member' | 'owner'): RoleCheck =>
  ({ principal, params }, { isRoleOfContent, orThemselves }) => {
    if (isRoleOfContent) return;
    const { id } = params as Record<string, string>;
    requireProject(principal, id!, affectsOnlyCaller({ principal, params }, { orThemselves }) ? 'viewer' : role);
  };

/**
 * Returns true if the operation only affects the caller, as when someone leaves a project. In that case, any project
 * role is sufficient.
 */
function affectsOnlyCaller(
  { principal, params }: Pick<FastifyRequest, 'principal' | 'params'>,
  { orThemselves }: { orThemselves?: string | undefined },
): boolean {
  if (orThemselves === undefined || principal.user === null) return false;
  return (params as Record<string, string>)[orThemselves]?.toLowerCase() === principal.user.id;
}

const ROLE_CHECKS = {
  authenticated: () => undefined,
  session: ({ principal }) => requireSession(principal),
  viewer: requireProjectRole('viewer'),
  member: requireProjectRole('member'),
  owner: requireProjectRole('owner'),
  administrator: ({ principal }) => requireAdmin(principal),
} satisfies Partial<Record<OperationAccess, RoleCheck>>;

/**
 * Registers guards that authenticate and authorize requests before their body is read. Public operations are
 * rate-limited instead, because they need no credential.
 */
export function registerConsoleAccess(
  instance: FastifyInstance,
  access: AccessService,
  attempts: AttemptsService,
): void {
  instance.decorateRequest('principal');
  instance.decorateRequest('visitor');
  for (const [name, check] of Object.entries(ROLE_CHECKS) as [keyof typeof ROLE_CHECKS, RoleCheck][]) {
    instance.guardAccess(name, async (request, _reply, operation) => {
      request.principal = await access.authorize(request, operation.confirms);
      if (!operation.beforeSecondFactor) requireSecondFactor(request.principal);
      requireScope(request.principal, operation);
      check(request, operation);
      if (operation.confirms && !affectsOnlyCaller(request, operation)) requireConfirmed(request.principal);
      if (getAudit(operation) !== 'nothing') request.context.actor = toActor(request, request.principal, operation);
    });
  }
  instance.guardAccess('public', async (request, _reply, operation) => {
    // Recognizing the visitor also checks the request's origin. Do this before rate limiting, or other sites could use
    // up the limits by sending requests from their visitors' browsers.
    request.visitor = await access.recognize(request);
    await attempts.publicRequest(request, isSafe(request.method) ? 'reads' : 'open');
    if (getAudit(operation) !== 'nothing') request.context.actor = toActor(request, request.visitor, operation);
  });
}
