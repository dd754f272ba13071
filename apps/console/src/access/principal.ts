import type { ProjectRole, User } from '#libs/contracts';
import { notFound, ProblemError, requireId } from '#libs/platform';

/** Who asks: a program with an API key, or a person with a session. */
export interface Principal {
  /** Null for a person. */
  keyId: string | null;
  /** On whose account something is made: the person, or whoever made the key; null where nobody is known. */
  makerId: string | null;
  /** Null for a program. */
  user: SessionUser | null;
  /** May do everything; others reach their projects only. */
  admin: boolean;
  projectIds: readonly string[];
  /** Of each of the projects; an API key that is limited to projects owns them. */
  roles: ReadonlyMap<string, ProjectRole>;
}

export interface SessionUser extends User {
  /** When the session ends unless it is used, in milliseconds since the epoch. */
  sessionExpiresAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes that take an API key or a session. */
    principal: Principal;
    /** Whoever is signed in; set on routes with `access: 'public'`. */
    visitor: Principal | null;
  }
}

const RANKS: Record<ProjectRole, number> = { viewer: 0, member: 1, owner: 2 };

/** @returns null when the project is none of the principal's. */
export const roleIn = ({ admin, roles }: Principal, projectId: string): ProjectRole | null =>
  admin ? 'owner' : (roles.get(projectId) ?? null);

/**
 * @param least role that the operation takes.
 * @throws ProblemError 404 unless the project is one of the principal's, 403 when the role in it is too small.
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

/** @throws ProblemError 403 unless the principal is a person. */
export function requireSession({ user }: Principal): void {
  if (user === null) throw new ProblemError('forbidden', 'An API key has no password; sign in to change yours.');
}

/** @throws ProblemError 403 unless the principal is an administrator. */
export function requireAdmin({ admin, user }: Principal): void {
  if (admin) return;
  throw new ProblemError(
    'forbidden',
    user === null
      ? 'This requires an admin API key. Yours is limited to projects.'
      : 'Only administrators of this instance may do this.',
  );
}
