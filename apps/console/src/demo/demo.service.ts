import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { getBundledCatalog } from '#libs/catalog';
import { createBatchId, DEFAULT_DEMO_DAYS, type NewDemo } from '#libs/contracts';
import { countDecisions, DEMO_PROJECT, demoPolicyVersions, DemoVisits } from '#libs/demo';
import { LOGGER, type Logger } from '#libs/platform';
import { PolicyVersionsRepository } from '../policy/policy-versions.repository.js';
import { validateSettings } from '../projects/project-settings.js';
import { ProjectsRepository, type StoredProject } from '../projects/projects.repository.js';
import { DemoPublisher } from './demo-publisher.js';
import { DemoSiteFiles } from './demo-site-files.js';
import { DemoRepository } from './demo.repository.js';

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const DEFAULT_OPTIONS = { days: DEFAULT_DEMO_DAYS, seed: 1, time_zone: 'UTC', live: true };
/** Number of hours whose visits are published concurrently. A higher number would delay visits reported by sites. */
const MAX_CONCURRENT_HOURS = 2;

/** Creates the demo project, and publishes its visits in the background as if a site had reported them. */
@Injectable()
export class DemoService implements BeforeApplicationShutdown {
  private readonly closing = new AbortController();
  private load: Promise<void> = Promise.resolve();

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly demo: DemoRepository,
    private readonly files: DemoSiteFiles,
    private readonly policies: PolicyVersionsRepository,
    private readonly publisher: DemoPublisher,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns false if a demo project already exists. */
  async start(body: NewDemo, ownerId: string | null, traceparent: string): Promise<boolean> {
    const { days, seed, time_zone, live } = { ...DEFAULT_OPTIONS, ...body };
    const settings = { ...DEMO_PROJECT, host_names: [...DEMO_PROJECT.host_names], time_zone };
    const project = await this.projects.createDemo(validateSettings(settings), ownerId, { seed, isLive: live });
    if (project === null) return false;
    for (const { from, rules } of demoPolicyVersions(Date.parse(project.created_at))) {
      const version = { rules, forecast: null, savedAt: new Date(from) };
      // Nobody published these sample versions at their dates.
      await this.policies.save(project.id, version, null, () => undefined);
    }
    this.load = this.loadAll(project, { days, seed, traceparent }).catch(async (error: unknown) => {
      if (!this.closing.signal.aborted) this.logger.error({ err: error }, 'failed to load the demo data');
      // If the failure can't be recorded either, the load counts as failed after a minute without progress.
      await this.demo.fail(project.id).catch(() => undefined);
    });
    return true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.load;
  }

  /** Publishes all visits, hour by hour, up to the last full quarter-hour. */
  private async loadAll({ id, created_at: createdAt }: StoredProject, options: LoadOptions): Promise<void> {
    const now = Date.parse(createdAt);
    const demo = new DemoVisits({ seed: options.seed, agents: getBundledCatalog().agents, end: now });
    const end = Math.floor(now / QUARTER_MS) * QUARTER_MS;
    const last = Math.floor(end / HOUR_MS);
    await this.demo.startLoading(id, new Date(end));
    const hours = Array.from({ length: options.days * 24 + 1 }, (_, index) => last - options.days * 24 + index);
    await this.files.record(id, hours[0]! * HOUR_MS, now);
    let [nextIndex, doneHours, visits, projectExists] = [0, 0, 0, true];
    const work = async (): Promise<void> => {
      for (let hour = hours[nextIndex++]; hour !== undefined && projectExists; hour = hours[nextIndex++]) {
        const createdVisits = demo.generateHour(hour * HOUR_MS).filter(({ created }) => Date.parse(created!) < end);
        const batch = { batchId: createBatchId(), projectId: id, traceparent: options.traceparent };
        await this.publisher.publish(batch, createdVisits, this.closing.signal);
        await this.demo.addDecisions(id, countDecisions(createdVisits));
        doneHours += 1;
        visits += createdVisits.length;
        projectExists &&= await this.demo.save(id, { visits, done: doneHours / hours.length });
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_HOURS }, work));
  }
}

interface LoadOptions {
  days: number;
  seed: number;
  traceparent: string;
}
