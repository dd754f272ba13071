import {
  CONFIRMED_MINUTES,
  scopeOf,
  type ApiKeyScope,
  type Operation,
  type ProjectRole,
  type User,
} from '#libs/contracts';
import { notFound, ProblemError, requireId, unauthorized } from '#libs/platform';

/** Who sent a request: a program with an API key, or a person with a session. */
export interface Principal {
  /** Null for a person. */
  keyId: string | null;
  /** Who is responsible: the person, or the one who created the key. Null when nobody is known. */
  makerId: string | null;
  /** When an API key stops working, in milliseconds since the epoch; null: never. Sessions that have ended are not found. */
  expiresAt: number | null;
  /** Null for a program. */
  user: SessionUser | null;
  /** What an API key may be used for; a person may do everything that their roles allow. */
  scopes: readonly ApiKeyScope[];
  /** May do everything; others are limited to their projects. */
  admin: boolean;
  projectIds: readonly string[];
  /** The role in each project. The API key of a program owns its projects; a person's own key has their roles. */
  roles: ReadonlyMap<string, ProjectRole>;
}

export interface SessionUser extends User {
  sessionId: string;
  /** When the session ends unless it is used, in milliseconds since the epoch. */
  sessionExpiresAt: number;
  /** When they last showed who they are, by `performance.now()`: told from the database's clock, as processes differ in theirs. */
  confirmedAt: number;
  /** They have to set up a second factor before they do anything else. */
  owesSecondFactor: boolean;
}

export const sessionEnded = (): ProblemError => unauthorized('The session has ended. Sign in again.');

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on operations that take an API key or a session. */
    principal: Principal;
    /** Who is signed in, if anybody; set on operations with `access: 'public'`. */
    visitor: Principal | null;
  }
}

const RANKS: Record<ProjectRole, number> = { viewer: 0, member: 1, owner: 2 };

/** Names the API key or the person, to count by. */
export const principalName = ({ keyId, user }: Principal): string =>
  keyId === null ? `user ${user?.id}` : `key ${keyId}`;

/** @returns null when the principal has no access to the project. */
export const roleIn = ({ admin, roles }: Principal, projectId: string): ProjectRole | null =>
  admin ? 'owner' : (roles.get(projectId) ?? null);

/**
 * @param least role that the operation takes.
 * @throws ProblemError 404 without access to the project, 403 when the role in it does not suffice.
 */
export function requireProject(principal: Principal, id: string, least: ProjectRole = 'viewer'): string {
  const projectId = requireId(id, 'project');
  const role = roleIn(principal, projectId);
  if (role === null) throw notFound('project');
  requireRole(role, least);
  return projectId;
}

/** @throws ProblemError 403 */
function requireRole(role: ProjectRole, least: ProjectRole): void {
  if (RANKS[role] >= RANKS[least]) return;
  throw new ProblemError(
    'forbidden',
    least === 'owner'
      ? `Only owners of the project may do this; you are a ${role}.`
      : 'You have view-only access. Ask a project owner for a member role.',
  );
}

/** @throws ProblemError 403, which names the scope, when an API key lacks the one that the operation takes. */
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

/** @throws ProblemError 403 for scopes that the principal lacks: nobody passes on what they may not do. */
export function requireGrantable({ scopes }: Principal, wanted: readonly ApiKeyScope[]): void {
  const lacking = wanted.find((scope) => !scopes.includes(scope));
  if (lacking === undefined) return;
  throw new ProblemError('forbidden', `This API key lacks the scope "${lacking}", so it can't give it to another.`);
}

/** Whether a request of this method changes nothing. */
export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

const CONFIRMED_MS = CONFIRMED_MINUTES * 60_000;

/** Whether somebody has shown lately who they are. */
export const isConfirmed = ({ confirmedAt }: SessionUser): boolean => performance.now() - confirmedAt < CONFIRMED_MS;

/**
 * A session that somebody left open, or a stolen cookie, doesn't do for what opens ways in, or takes something away for good.
 *
 * @throws ProblemError 403 for a person who did not show lately who they are. API keys have nothing else to show.
 */
export function requireConfirmed({ user }: Principal): void {
  if (user === null || isConfirmed(user)) return;
  throw new ProblemError(
    'confirmation-required',
    `You signed in more than ${CONFIRMED_MINUTES} minutes ago. Confirm that it's you with your password, or sign in again.`,
  );
}

/** @throws ProblemError 403 for a person who has to set up a second factor first. */
export function requireSecondFactor({ user }: Principal): void {
  if (user === null || !user.owesSecondFactor) return;
  throw new ProblemError(
    'second-factor-required',
    'Your role requires two-factor authentication on this instance. Set it up in the dashboard.',
  );
}

/** @throws ProblemError 403 unless the principal is a person. */
export function requireSession({ user }: Principal): void {
  if (user === null) throw new ProblemError('forbidden', 'An API key has no account. Sign in to change yours.');
}

/** @throws ProblemError 403 unless the principal is an administrator. */
export function requireAdmin({ admin, user }: Principal): void {
  if (admin) return;
  throw new ProblemError(
    'forbidden',
    user === null ? 'This requires an API key for all projects.' : 'Only administrators of this instance may do this.',
  );
}
