import {
  CONFIRMED_MINUTES,
  getRequiredScope,
  type ApiKeyScope,
  type Operation,
  type ProjectRole,
  type User,
} from '#libs/contracts';
import { notFound, ProblemError, requireId, unauthorized } from '#libs/platform';

/** Authenticated sender of a request: an API key, or a user with a session. */
export interface Principal {
  /** ID of the API key. Null for a session. */
  keyId: string | null;
  /** ID of the responsible user: the session's user, or the creator of the key. Null if unknown. */
  makerId: string | null;
  /** Expiry of the API key in milliseconds since the epoch. Null for sessions and for keys that don't expire. */
  expiresAt: number | null;
  /** User of the session. Null for an API key. */
  user: SessionUser | null;
  /** Scopes of the API key. Sessions have all scopes. */
  scopes: readonly ApiKeyScope[];
  /** True for an administrator or an API key for all projects. Other principals are limited to `projectIds`. */
  admin: boolean;
  projectIds: readonly string[];
  /** Roles by project ID. A program's API key is an owner of its projects. A personal key has its owner's roles. */
  roles: ReadonlyMap<string, ProjectRole>;
}

export interface SessionUser extends User {
  sessionId: string;
  /** Expiry of the session if it isn't used again, in milliseconds since the epoch. */
  sessionExpiresAt: number;
  /**
   * Time of the last identity confirmation on the `performance.now()` timeline. The database calculates its age, so
   * this doesn't depend on synchronized clocks.
   */
  confirmedAt: number;
  /** True if the user must set up a second factor before they can do anything else. */
  mustSetUpSecondFactor: boolean;
}

export const sessionEnded = (): ProblemError => unauthorized('The session has ended. Sign in again.');

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for operations that require an API key or a session. */
    principal: Principal;
    /** Set for operations with `access: 'public'`. Null if nobody is signed in. */
    visitor: Principal | null;
  }
}

const ROLE_RANKS: Record<ProjectRole, number> = { viewer: 0, member: 1, owner: 2 };

/** Returns a unique name for an API key or user, for use in rate limits. */
export const principalName = ({ keyId, user }: Principal): string =>
  keyId === null ? `user ${user?.id}` : `key ${keyId}`;

/** Returns the principal's role in a project, or null if they have no access. */
export const getRole = ({ admin, roles }: Principal, projectId: string): ProjectRole | null =>
  admin ? 'owner' : (roles.get(projectId) ?? null);

/**
 * Requires a minimum role in a project.
 *
 * @param minimumRole Minimum role for the operation.
 * @returns The validated project ID.
 * @throws {ProblemError} 404 if the principal has no access to the project, or 403 if their role isn't sufficient.
 */
export function requireProject(principal: Principal, id: string, minimumRole: ProjectRole = 'viewer'): string {
  const projectId = requireId(id, 'project');
  const role = getRole(principal, projectId);
  if (role === null) throw notFound('project');
  requireRole(role, minimumRole);
  return projectId;
}

function requireRole(role: ProjectRole, minimumRole: ProjectRole): void {
  if (ROLE_RANKS[role] >= ROLE_RANKS[minimumRole]) return;
  throw new ProblemError(
    'forbidden',
    minimumRole === 'owner'
      ? `Only project owners can do this. You have the ${role} role.`
      : 'You have view-only access. Ask a project owner for the member role.',
  );
}

/**
 * Requires the operation's scope.
 *
 * @throws {ProblemError} 403 if the API key doesn't have it.
 */
export function requireScope({ scopes }: Principal, operation: Operation): void {
  const scope = getRequiredScope(operation);
  if (scope === null || scopes.includes(scope)) return;
  const grantedScopes = scopes.map((name) => `"${name}"`).join(' and ');
  throw new ProblemError(
    'forbidden',
    `This operation requires the "${scope}" scope. This API key only has ${grantedScopes}.`,
    {
      // Source: RFC 6750, section 3.1.
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    },
  );
}

/**
 * Prevents principals from granting scopes that they don't have.
 *
 * @throws {ProblemError} 403
 */
export function requireGrantable({ scopes }: Principal, requestedScopes: readonly ApiKeyScope[]): void {
  const missingScope = requestedScopes.find((scope) => !scopes.includes(scope));
  if (missingScope === undefined) return;
  throw new ProblemError(
    'forbidden',
    `This API key can't grant the "${missingScope}" scope, because it doesn't have it.`,
  );
}

export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

const CONFIRMED_MS = CONFIRMED_MINUTES * 60_000;

/** Returns whether the user confirmed their identity within the last `CONFIRMED_MINUTES`. */
export const isConfirmed = ({ confirmedAt }: SessionUser): boolean => performance.now() - confirmedAt < CONFIRMED_MS;

/**
 * Requires sessions to have a recent identity confirmation, so an unattended browser or a stolen cookie isn't enough to
 * grant access or delete something permanently. API keys always pass.
 *
 * @throws {ProblemError} 403 if the confirmation is too old.
 */
export function requireConfirmed({ user }: Principal): void {
  if (user === null || isConfirmed(user)) return;
  throw new ProblemError(
    'confirmation-required',
    `You signed in more than ${CONFIRMED_MINUTES} minutes ago. Confirm your password or sign in again.`,
  );
}

/** @throws {ProblemError} 403 if the user must set up a second factor first. */
export function requireSecondFactor({ user }: Principal): void {
  if (user === null || !user.mustSetUpSecondFactor) return;
  throw new ProblemError(
    'second-factor-required',
    'Your role requires two-factor authentication on this instance. Set it up in the dashboard.',
  );
}

/** @throws {ProblemError} 403 for API keys. */
export function requireSession({ user }: Principal): void {
  if (user === null)
    throw new ProblemError('forbidden', 'API keys have no account. Sign in to manage your own account.');
}

/** @throws {ProblemError} 403 for anyone except administrators and API keys for all projects. */
export function requireAdmin({ admin, user }: Principal): void {
  if (admin) return;
  throw new ProblemError(
    'forbidden',
    user === null
      ? 'This operation requires an API key for all projects.'
      : 'Only administrators of this instance can do this.',
  );
}
