import { bundledCatalog } from '#libs/catalog';
import type { Project } from '#libs/contracts';
import { CliError } from '../cli-error.js';
import type { Instance } from '../instance.js';
import { VisitSender } from '../logs/visit-sender.js';
import { accessProject } from '../project.js';
import { count } from '../terminal-text.js';
import { createDemo, findDemo } from './demo-project.js';
import { DemoVisits } from './demo-visits.js';
import { note } from '../output.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
const SHOW_INTERVAL_MS = 1_000;
const RETRY_FOR_MS = 60_000;
/** Requests in flight. */
const CONCURRENCY = 4;

export interface SeedOptions {
  days: number;
  seed: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Reports a shop's visits of the last days, as its site would have: what they are is for the instance to find out. They
 * end with the last full quarter of an hour. Done again, it adds those since.
 *
 * @returns the project, and how many visits there were in those days.
 */
export async function seedDemo(
  instance: Instance,
  { days, seed, now }: SeedOptions,
  signal: AbortSignal,
): Promise<{ project: Project; visits: number }> {
  const { client } = instance;
  const project = (await findDemo(client)) ?? (await createDemo(client));
  const { token } = await accessProject({ client, token: undefined }, project.id).catch(async () => {
    const { token: made } = await client.post<{ token: string }>(`/api/projects/${project.id}/tokens`, {});
    return { token: made };
  });
  const sender = new VisitSender({
    send: client.send.bind(client),
    token,
    retryFor: RETRY_FOR_MS,
    concurrency: CONCURRENCY,
    signal,
    onWait: (reason) => note(reason),
  });
  const demo = new DemoVisits(seed, bundledCatalog().agents);
  const end = Math.floor(now / HOUR_MS);
  const hours = Array.from({ length: days * 24 + 1 }, (_, index) => end - days * 24 + index);
  let [next, done, visits] = [0, 0, 0];
  const progress = setInterval(() => {
    note(`${count(visits)} visits, ${Math.floor((done / hours.length) * 100)} %`);
  }, SHOW_INTERVAL_MS);
  const work = async (): Promise<void> => {
    for (let hour = hours[next++]; hour !== undefined; hour = hours[next++]) {
      signal.throwIfAborted();
      const quarters = Map.groupBy(demo.ofHour(hour * HOUR_MS), ({ created }) =>
        Math.floor((Date.parse(created!) - hour * HOUR_MS) / QUARTER_MS),
      );
      for (const [quarter, made] of quarters) {
        if (hour * HOUR_MS + (quarter + 1) * QUARTER_MS > now) continue;
        const outcome = await sender.post(JSON.stringify(made), `demo-${seed}-${hour}-${quarter}`);
        if (outcome.kind !== 'accepted') throw new CliError(`The instance does not take the visits: ${outcome.kind}.`);
        visits += made.length;
      }
      done += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    clearInterval(progress);
  }
  return { project, visits };
}
