import type { Project } from '#libs/contracts';
import type { InstanceClient } from '../client.js';
import { note } from '../output.js';
import { listProjects } from '../project.js';
import { visible } from '../terminal-text.js';

const DAY_MS = 86_400_000;
/** Days to look back: the default retention of visits. */
const EARLIER_DAYS = 90;
const MAX_PROJECTS = 5;

const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Prints commands that find earlier visits of new agents in each project. @param token Null: all agents. */
export async function noteEarlierVisits(client: InstanceClient, token: string | null): Promise<void> {
  const agent = token === null ? '' : ` --agent '${visible(token)}'`;
  const command = `agent-traffic visits reidentify${agent} --from ${dayIn(-EARLIER_DAYS)} --to ${dayIn(1)}`;
  // Agents have already been added, even if this key can't read projects.
  const projects = await listProjects(client).catch((): Project[] => []);
  if (projects.length < 2) return note(command);
  for (const { id, name } of projects.slice(0, MAX_PROJECTS)) {
    note(`In ${visible(name)}:\n${command} --project ${id}`);
  }
  if (projects.length > MAX_PROJECTS) note('In other projects, with their ids: agent-traffic projects list');
}
