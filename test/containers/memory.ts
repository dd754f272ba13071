import { setTimeout as sleep } from 'node:timers/promises';
import type { ComposeProject } from './podman.ts';

const SERVICES = ['gateway', 'console', 'enrichment', 'ingest', 'catalog', 'rules'];
const MAX_IDLE_MEGABYTES = 120;
/** Readings per service. The lowest counts, because the others may include uncollected garbage. */
const [READINGS, INTERVAL_MS] = [6, 10_000];

/** @returns the megabytes per service. @throws if a service uses too much. */
export async function checkMemory(project: ComposeProject): Promise<string> {
  const lowest = SERVICES.map(() => Infinity);
  for (let reading = 0; reading < READINGS; reading += 1) {
    await sleep(INTERVAL_MS);
    for (const [index, service] of SERVICES.entries()) {
      lowest[index] = Math.min(lowest[index]!, await project.memory(service));
    }
  }
  const found = SERVICES.map((service, index) => `${service} ${lowest[index]!.toFixed(0)}`).join(', ');
  if (lowest.some((megabytes) => megabytes > MAX_IDLE_MEGABYTES)) {
    throw new Error(`idle services take at most ${MAX_IDLE_MEGABYTES} MB each, not ${found}`);
  }
  return `idle services take, in MB: ${found}`;
}
