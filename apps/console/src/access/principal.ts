import { ProblemError } from '#libs/platform';

/** Who asks, as an API key says. */
export interface Principal {
  keyId: string;
  /** May do everything; others reach their projects only. */
  admin: boolean;
  projectIds: readonly string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes with `access: 'console'`. */
    principal: Principal;
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The same answer for what does not exist and for what is somebody else's. */
export const notFound = (what: string): ProblemError => new ProblemError('not-found', `There is no such ${what}.`);

/** @throws ProblemError 404 for an id that is no UUID. */
export function requireId(id: string, what: string): string {
  if (!UUID.test(id)) throw notFound(what);
  return id.toLowerCase();
}

/** @throws ProblemError 404 unless the project is one of the principal's. */
export function requireProject({ admin, projectIds }: Principal, id: string): string {
  const projectId = requireId(id, 'project');
  if (!admin && !projectIds.includes(projectId)) throw notFound('project');
  return projectId;
}

/** @throws ProblemError 403 unless the principal is an administrator. */
export function requireAdmin({ admin }: Principal): void {
  if (!admin) throw new ProblemError('forbidden', 'This takes an admin API key; yours is limited to projects.');
}
