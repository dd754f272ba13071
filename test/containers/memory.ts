import { setTimeout as sleep } from 'node:timers/promises';
import type { ComposeProject } from './podman.ts';

const SERVICES = ['gateway', 'console', 'enrichment', 'ingest', 'catalog', 'rules'];
const MAX_IDLE_MEGABYTES = 120;
/**
 * Number of readings per service, and the interval between them. Only the lowest reading counts, because the others may
 * include garbage that hasn't been collected yet.
 */
const [READINGS, INTERVAL_MS] = [6, 10_000];

/**
 * Checks the memory usage of idle services.
 *
 * @returns a summary for the log, in MB per service
 * @throws {Error} if a service uses too much memory
 */
export async function checkMemory(project: ComposeProject): Promise<string> {
  const lowest = SERVICES.map(() => Infinity);
  for (let reading = 0; reading < READINGS; reading += 1) {
    await sleep(INTERVAL_MS);
    for (const [index, service] of SERVICES.entries()) {
      lowest[index] = Math.min(lowest[index]!, await project.memory(service));
    }
  }
  const usage = SERVICES.map((service, index) => `${service} ${lowest[index]!.toFixed(0)}`).join(', ');
  if (lowest.some((megabytes) => megabytes > MAX_IDLE_MEGABYTES)) {
    throw new Error(`Idle services must use at most ${MAX_IDLE_MEGABYTES} MB each (got ${usage})`);
  }
  return `Idle services use (in MB): ${usage}`;
}
