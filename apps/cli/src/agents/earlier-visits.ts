import type { Project } from '#libs/contracts';
import type { InstanceClient } from '../client.js';
import { note } from '../output.js';
import { listProjects } from '../project.js';
import { visible } from '../terminal-text.js';

const DAY_MS = 86_400_000;
/** Days of earlier visits that are suggested: visits are kept for so long unless somebody changed that. */
const EARLIER_DAYS = 90;
/** Projects that are named. */
const MAX_PROJECTS = 5;

const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Prints the commands that find earlier visits of new agents in each project: of one agent, or of all. */
export async function noteEarlierVisits(client: InstanceClient, token: string | null): Promise<void> {
  const agent = token === null ? '' : ` --agent '${visible(token)}'`;
  const command = `agent-traffic visits reidentify${agent} --from ${dayIn(-EARLIER_DAYS)} --to ${dayIn(1)}`;
  // The agents are there, whether or not this key may read projects.
  const projects = await listProjects(client).catch((): Project[] => []);
  if (projects.length < 2) return note(command);
  for (const { id, name } of projects.slice(0, MAX_PROJECTS)) {
    note(`In ${visible(name)}:\n${command} --project ${id}`);
  }
  if (projects.length > MAX_PROJECTS) note('In other projects, with their ids: agent-traffic projects list');
}
