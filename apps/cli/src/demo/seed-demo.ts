import { setTimeout as sleep } from 'node:timers/promises';
import type { NewDemo } from '#libs/contracts';
import { CliError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import { note } from '../output.js';
import { count } from '../terminal-text.js';

const POLL_INTERVAL_MS = 500;

/** Loads demo visits into a new project and waits until the instance has stored them all. */
export async function seedDemo(
  client: InstanceClient,
  options: Pick<NewDemo, 'days' | 'seed' | 'live'>,
  signal: AbortSignal,
): Promise<{ projectId: string; visits: number }> {
  const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  let demo = await client.post('/api/demo', { body: { ...options, time_zone } });
  while (demo.state === 'loading') {
    note(`${count(demo.visits)} visits, ${Math.floor(demo.done * 100)}%`);
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
    demo = await client.get('/api/demo');
  }
  if (demo.state === 'loaded') return { projectId: demo.project_id!, visits: demo.visits };
  throw new CliError('The demo data could not be loaded.', {
    hint: 'Remove incomplete data with "agent-traffic demo remove", then try again.',
  });
}

/** Deletes the demo project. @returns false if it doesn't exist. */
export async function removeDemo(client: InstanceClient): Promise<boolean> {
  const { project_id: projectId } = await client.get('/api/demo');
  if (projectId === null) return false;
  await client.delete('/api/projects/{id}', { params: { path: { id: projectId } } });
  return true;
}
