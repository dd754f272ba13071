import type { Operation, OperationAccess } from '#libs/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AttemptsService } from './attempts.service.js';
import type { AccessService } from './access.service.js';
import { requireAdmin, requireProject, requireSession } from './principal.js';

/** What reads a body. */
const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Checks what the principal of a request may do, once it is known who that is. */
type RoleCheck = (request: FastifyRequest, operation: Operation) => void;

const inProject =
  (role: 'viewer' | 'member' | 'owner'): RoleCheck =>
  ({ principal, params }, { isRoleOfContent, orThemselves }) => {
    if (isRoleOfContent) return;
    const { id, ...names } = params as Record<string, string>;
    const isThemselves = orThemselves !== undefined && names[orThemselves]?.toLowerCase() === principal.user?.id;
    requireProject(principal, id!, isThemselves ? 'viewer' : role);
  };

/** By access, for what takes an API key or a session. */
const CHECKS = {
  authenticated: () => undefined,
  session: ({ principal }) => requireSession(principal),
  viewer: inProject('viewer'),
  member: inProject('member'),
  owner: inProject('owner'),
  administrator: ({ principal }) => requireAdmin(principal),
} satisfies Partial<Record<OperationAccess, RoleCheck>>;

/**
 * Finds out who asks, and whether they may, before the body is read. What is public asks for no credential, so there
 * requests are counted.
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
      request.principal = await access.authorize(request);
      check(request, operation);
    });
  }
  instance.guardAccess('public', async (request) => {
    // First: a page of another site must not use up what its visitors' network may do here.
    request.visitor = await access.recognize(request);
    if (!isSafe(request.method)) await attempts.openRequest(request);
  });
}
