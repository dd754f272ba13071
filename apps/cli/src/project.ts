import type { AccessToken, Project, RevealedAccessToken, TokenPurpose } from '#libs/contracts';
import { CliError, EXIT } from './cli-error.js';
import type { InstanceClient } from './client.js';
import type { Instance } from './instance.js';

export async function listProjects(client: InstanceClient): Promise<Project[]> {
  return (await client.get('/api/projects')).projects;
}

/** Finds a project by ID or name (case-insensitive). By default, returns the only project. */
export async function findProject(client: InstanceClient, nameOrId: string | undefined): Promise<Project> {
  return selectProject(await listProjects(client), nameOrId);
}

export function selectProject(projects: readonly Project[], nameOrId: string | undefined): Project {
  if (projects.length === 0) {
    throw new CliError('No projects exist yet.', { hint: 'To create one: agent-traffic projects create "My site"' });
  }
  const projectList = projects.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  if (nameOrId === undefined) {
    if (projects.length === 1) return projects[0]!;
    throw new CliError(`There are ${projects.length} projects. Choose one with --project NAME|ID:\n${projectList}`, {
      exitCode: EXIT.usage,
    });
  }
  const matches = (text: string) => text.toLowerCase() === nameOrId.toLowerCase();
  const byId = projects.find(({ id }) => matches(id));
  if (byId) return byId;
  const exact = projects.filter(({ name }) => name === nameOrId);
  const matching = exact.length > 0 ? exact : projects.filter(({ name }) => matches(name));
  if (matching.length === 1) return matching[0]!;
  const problem =
    matching.length > 1 ? `Several projects are named "${nameOrId}". Use an ID` : `No project is named "${nameOrId}"`;
  throw new CliError(`${problem}:\n${projectList}`, { exitCode: EXIT.usage });
}

export async function listTokens(client: InstanceClient, projectId: string): Promise<AccessToken[]> {
  return (await client.get('/api/projects/{id}/tokens', { params: { path: { id: projectId } } })).tokens;
}

export function revealToken(client: InstanceClient, token: AccessToken): Promise<RevealedAccessToken> {
  return client.get('/api/projects/{id}/tokens/{tokenId}', {
    params: { path: { id: token.project_id, tokenId: token.id } },
  });
}

/** Access token, and its project if known. */
interface ProjectAccess {
  token: string;
  project: Project | undefined;
}

/**
 * Returns the access token from the environment if it's set and no project is requested. Otherwise, returns the
 * project's oldest active token that has the purpose.
 */
export async function getProjectAccess(
  instance: Instance,
  nameOrId: string | undefined,
  purpose: TokenPurpose,
): Promise<ProjectAccess> {
  if (nameOrId === undefined && instance.token !== undefined) return { token: instance.token, project: undefined };
  const project = await findProject(instance.client, nameOrId);
  const [oldest] = (await listTokens(instance.client, project.id))
    .filter((token) => isActive(token) && token.purposes.includes(purpose))
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
  if (oldest === undefined) {
    throw new CliError(`The project "${project.name}" has no active access token with the purpose "${purpose}".`, {
      hint: `To create one: agent-traffic tokens create --project ${project.id} --purpose ${purpose}`,
    });
  }
  return { token: (await revealToken(instance.client, oldest)).token, project };
}

const isActive = ({ revoked_at: revokedAt, expires_at: expiresAt }: AccessToken): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
