import type { NewProject, Project } from '#libs/contracts';
import { CliError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import { listProjects } from '../project.js';
import { DEMO_PROJECT } from './demo-shop.js';

/** The project that holds made-up visits: never one that merely has its name. */
export async function findDemo(client: InstanceClient): Promise<Project | undefined> {
  return (await listProjects(client)).find(isDemo);
}

export async function createDemo(client: InstanceClient): Promise<Project> {
  const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const body: NewProject = { ...DEMO_PROJECT, host_names: [...DEMO_PROJECT.host_names], time_zone };
  return client.post<Project>('/api/projects', body);
}

/** @returns whether there was one. */
export async function removeDemo(client: InstanceClient): Promise<boolean> {
  const project = await findDemo(client);
  if (project === undefined) return false;
  await client.delete(`/api/projects/${project.id}`);
  return true;
}

function isDemo({ name, site_address: address }: Project): boolean {
  return name === DEMO_PROJECT.name && address === DEMO_PROJECT.site_address;
}

export const noDemo = (): CliError => new CliError(`There is no project "${DEMO_PROJECT.name}".`);
