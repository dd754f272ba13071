import type { AccessToken, Project, RevealedAccessToken } from '#libs/contracts';
import { CliError, EXIT } from './cli-error.js';
import type { InstanceClient } from './client.js';
import type { Instance } from './instance.js';

export async function listProjects(client: InstanceClient): Promise<Project[]> {
  return (await client.get('/api/projects')).projects;
}

/** Finds a project by ID or name (case-insensitive). By default, returns the only project. */
export async function findProject(client: InstanceClient, wanted: string | undefined): Promise<Project> {
  return chooseProject(await listProjects(client), wanted);
}

export function chooseProject(projects: readonly Project[], wanted: string | undefined): Project {
  if (projects.length === 0) {
    throw new CliError('There are no projects yet.', { hint: 'Create one: agent-traffic projects create "My site"' });
  }
  const listed = projects.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  if (wanted === undefined) {
    if (projects.length === 1) return projects[0]!;
    throw new CliError(`There are ${projects.length} projects. Choose one with --project NAME|ID:\n${listed}`, {
      exitCode: EXIT.usage,
    });
  }
  const same = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const byId = projects.find(({ id }) => same(id));
  if (byId) return byId;
  const exact = projects.filter(({ name }) => name === wanted);
  const named = exact.length > 0 ? exact : projects.filter(({ name }) => same(name));
  if (named.length === 1) return named[0]!;
  const fault =
    named.length > 1 ? `Several projects are named "${wanted}", use the id` : `No project is named "${wanted}"`;
  throw new CliError(`${fault}:\n${listed}`, { exitCode: EXIT.usage });
}

export async function listTokens(client: InstanceClient, projectId: string): Promise<AccessToken[]> {
  return (await client.get('/api/projects/{id}/tokens', { params: { path: { id: projectId } } })).tokens;
}

export function revealToken(client: InstanceClient, token: AccessToken): Promise<RevealedAccessToken> {
  return client.get('/api/projects/{id}/tokens/{tokenId}', {
    params: { path: { id: token.project_id, tokenId: token.id } },
  });
}

/** Token for recording visits, and its project if known. */
interface ProjectAccess {
  token: string;
  project: Project | undefined;
}

/**
 * Uses the token from the environment if it's set and no project is requested. Otherwise, uses the oldest unrevoked
 * token of the project.
 */
export async function accessProject(instance: Instance, wanted: string | undefined): Promise<ProjectAccess> {
  if (wanted === undefined && instance.token !== undefined) return { token: instance.token, project: undefined };
  const project = await findProject(instance.client, wanted);
  const [oldest] = (await listTokens(instance.client, project.id))
    .filter(({ revoked_at }) => revoked_at === null)
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
  if (oldest === undefined) {
    throw new CliError(`The project "${project.name}" has no active token.`, {
      hint: `Create one: agent-traffic tokens create --project ${project.id}`,
    });
  }
  return { token: (await revealToken(instance.client, oldest)).token, project };
}
