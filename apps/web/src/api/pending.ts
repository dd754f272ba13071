/**
 * Operations that the served OpenAPI document does not have yet, by hand. Once it has them, the generated types take
 * over and this file goes.
 */
export interface User {
  id: string;
  email: string;
  name: string;
  is_admin: boolean;
}

export interface Session {
  user: User | null;
  setup_required: boolean;
  oidc: { name: string } | null;
}

export type Role = 'owner' | 'member' | 'viewer';

export interface Member {
  user_id: string;
  email: string;
  name: string;
  role: Role;
}

export interface Invitation {
  id: string;
  role: Role;
  created_at: string;
  expires_at: string;
}

export interface ProjectSummary {
  project_id: string;
  last_visit_at: string | null;
  visits: number;
  verified: number;
  verification_failed: number;
  /** The last 24 hours, the oldest first. */
  hours: number[];
}

export interface HistogramMinute {
  time: string;
  visits: number;
  agents: number;
  verified: number;
  verification_failed: number;
}

interface Answer<T> {
  content: { 'application/json': T };
}
type Path<K extends string> = { parameters: { path: Record<K, string> } };
type Body<T> = { requestBody: { content: { 'application/json': T } } };
type Returns<S extends number, T = never> = {
  responses: { [status in S]: [T] extends [never] ? { content?: never } : Answer<T> };
};

export interface PendingPaths {
  '/api/session': {
    get: Returns<200, Session>;
    post: Body<{ email: string; password: string }> & Returns<200, { user: User }>;
    delete: Returns<204>;
  };
  '/api/session/password': {
    put: Body<{ current_password: string; new_password: string }> & Returns<204>;
  };
  '/api/setup': {
    post: Body<{ code: string; email: string; name: string; password: string }> & Returns<201, { user: User }>;
  };
  '/api/projects/{id}/members': {
    get: Path<'id'> & Returns<200, { members: Member[]; invitations: Invitation[] }>;
  };
  '/api/projects/{id}/members/{userId}': {
    patch: Path<'id' | 'userId'> & Body<{ role: Role }> & Returns<200, Member>;
    delete: Path<'id' | 'userId'> & Returns<204>;
  };
  '/api/projects/{id}/invitations': {
    post: Path<'id'> & Body<{ role: Role }> & Returns<201, Invitation & { url: string }>;
  };
  '/api/projects/{id}/invitations/{invitationId}': {
    delete: Path<'id' | 'invitationId'> & Returns<204>;
  };
  '/api/invitations/{token}': {
    get: Path<'token'> & Returns<200, { project_name: string; role: Role; expires_at: string }>;
    post: Path<'token'> &
      Body<{ name?: string; email?: string; password?: string }> &
      Returns<200, { user: User; project_id: string }>;
  };
  '/api/project-summaries': {
    get: Returns<200, { summaries: ProjectSummary[] }>;
  };
  '/api/projects/{id}/histogram': {
    get: Path<'id'> & Returns<200, { minutes: HistogramMinute[] }>;
  };
}
