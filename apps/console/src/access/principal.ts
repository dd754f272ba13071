import {
  CONFIRMED_MINUTES,
  scopeOf,
  type ApiKeyScope,
  type Operation,
  type ProjectRole,
  type User,
} from '#libs/contracts';
import { notFound, ProblemError, requireId, unauthorized } from '#libs/platform';

/** Sender of a request: an API key, or a person with a session. */
export interface Principal {
  /** Null for a session. */
  keyId: string | null;
  /** ID of the responsible user: the person, or the creator of the key. Null if unknown. */
  makerId: string | null;
  /** Expiry of the API key, in milliseconds since the epoch. Null if it doesn't expire, and for sessions. */
  expiresAt: number | null;
  /** Null for an API key. */
  user: SessionUser | null;
  /** Scopes of the API key. Sessions have all scopes. */
  scopes: readonly ApiKeyScope[];
  /** Whether this is an administrator or an API key for all projects. Others are limited to `projectIds`. */
  admin: boolean;
  projectIds: readonly string[];
  /** Roles by project. A program's API key is an owner of its projects. A personal key has the person's roles. */
  roles: ReadonlyMap<string, ProjectRole>;
}

export interface SessionUser extends User {
  sessionId: string;
  /** Expiry of the session if it isn't used, in milliseconds since the epoch. */
  sessionExpiresAt: number;
  /**
   * Time of the last identity confirmation, as a value of `performance.now()`. The database computes its age, so clocks of
   * processes may differ.
   */
  confirmedAt: number;
  /** True if the person must set up a second factor before doing anything else. */
  owesSecondFactor: boolean;
}

export const sessionEnded = (): ProblemError => unauthorized('The session has ended. Sign in again.');

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on operations that require an API key or session. */
    principal: Principal;
    /** Set on operations with `access: 'public'`. Null if nobody is signed in. */
    visitor: Principal | null;
  }
}

const RANKS: Record<ProjectRole, number> = { viewer: 0, member: 1, owner: 2 };

/** Returns a name of the API key or person, for rate limits. */
export const principalName = ({ keyId, user }: Principal): string =>
  keyId === null ? `user ${user?.id}` : `key ${keyId}`;

/** Returns the principal's role in a project, or null without access. */
export const roleIn = ({ admin, roles }: Principal, projectId: string): ProjectRole | null =>
  admin ? 'owner' : (roles.get(projectId) ?? null);

/**
 * @param least Minimum role for the operation.
 * @returns the validated project ID.
 * @throws ProblemError 404 without access to the project, 403 if the role isn't sufficient.
 */
export function requireProject(principal: Principal, id: string, least: ProjectRole = 'viewer'): string {
  const projectId = requireId(id, 'project');
  const role = roleIn(principal, projectId);
  if (role === null) throw notFound('project');
  requireRole(role, least);
  return projectId;
}

function requireRole(role: ProjectRole, least: ProjectRole): void {
  if (RANKS[role] >= RANKS[least]) return;
  throw new ProblemError(
    'forbidden',
    least === 'owner'
      ? `Only owners of the project may do this; you are a ${role}.`
      : 'You have view-only access. Ask a project owner for a member role.',
  );
}

/** @throws ProblemError 403 if the API key lacks the operation's scope. */
export function requireScope({ scopes }: Principal, operation: Operation): void {
  const scope = scopeOf(operation);
  if (scope === null || scopes.includes(scope)) return;
  const has = scopes.map((name) => `"${name}"`).join(' and ');
  throw new ProblemError(
    'forbidden',
    `This API key lacks the scope "${scope}"; it has ${has}. Use a key that has it.`,
    {
      // RFC 6750 section 3.1.
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    },
  );
}

/** Rejects granting scopes that the principal doesn't have. @throws ProblemError 403 */
export function requireGrantable({ scopes }: Principal, wanted: readonly ApiKeyScope[]): void {
  const lacking = wanted.find((scope) => !scopes.includes(scope));
  if (lacking === undefined) return;
  throw new ProblemError('forbidden', `This API key lacks the scope "${lacking}", so it can't give it to another.`);
}

export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

const CONFIRMED_MS = CONFIRMED_MINUTES * 60_000;

/** Returns true if the person confirmed their identity within the last `CONFIRMED_MINUTES`. */
export const isConfirmed = ({ confirmedAt }: SessionUser): boolean => performance.now() - confirmedAt < CONFIRMED_MS;

/**
 * Rejects sessions without a recent identity confirmation. An unattended browser or a stolen cookie isn't enough to grant
 * access or to delete something permanently. API keys pass.
 *
 * @throws ProblemError 403
 */
export function requireConfirmed({ user }: Principal): void {
  if (user === null || isConfirmed(user)) return;
  throw new ProblemError(
    'confirmation-required',
    `You signed in more than ${CONFIRMED_MINUTES} minutes ago. Confirm that it's you with your password, or sign in again.`,
  );
}

/** @throws ProblemError 403 for a person who must set up a second factor first. */
export function requireSecondFactor({ user }: Principal): void {
  if (user === null || !user.owesSecondFactor) return;
  throw new ProblemError(
    'second-factor-required',
    'Your role requires two-factor authentication on this instance. Set it up in the dashboard.',
  );
}

/** @throws ProblemError 403 without a session. */
export function requireSession({ user }: Principal): void {
  if (user === null) throw new ProblemError('forbidden', 'An API key has no account. Sign in to change yours.');
}

/** @throws ProblemError 403 for anyone but administrators and API keys for all projects. */
export function requireAdmin({ admin, user }: Principal): void {
  if (admin) return;
  throw new ProblemError(
    'forbidden',
    user === null ? 'This requires an API key for all projects.' : 'Only administrators of this instance may do this.',
  );
}
