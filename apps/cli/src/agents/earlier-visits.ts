import type { Project } from '#libs/contracts';
import type { InstanceClient } from '../client.js';
import { note } from '../output.js';
import { listProjects } from '../project.js';
import { escapeInvisible } from '../terminal-text.js';

const DAY_MS = 86_400_000;
/** Number of days to search, which is the default retention of visits. */
const EARLIER_DAYS = 90;
const MAX_PROJECTS = 5;

const dateInDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Prints a command for each project to re-identify earlier visits. @param token New agent, or null for all agents. */
export async function suggestReidentification(client: InstanceClient, token: string | null): Promise<void> {
  const agent = token === null ? '' : ` --agent '${escapeInvisible(token)}'`;
  const command = `agent-traffic visits reidentify${agent} --from ${dateInDays(-EARLIER_DAYS)} --to ${dateInDays(1)}`;
  // The agents have already been added, so don't fail if this key isn't allowed to list projects.
  const projects = await listProjects(client).catch((): Project[] => []);
  if (projects.length < 2) return note(command);
  for (const { id, name } of projects.slice(0, MAX_PROJECTS)) {
    note(`In ${escapeInvisible(name)}:\n${command} --project ${id}`);
  }
  if (projects.length > MAX_PROJECTS) note('For the IDs of other projects: agent-traffic projects list');
}
