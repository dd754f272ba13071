import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { createEgressPolicy } from '../robots-versions/robots-fetches.service.js';
import { readSitemaps } from './read-sitemaps.js';
import { SitemapsRepository } from './sitemaps.repository.js';

const POLL_INTERVAL_MS = 60_000;
const REFRESH_INTERVAL_MS = 6 * 3_600_000;
/** Maximum time for a project's sitemaps, so that other projects don't wait long. */
const PROJECT_TIMEOUT_MS = 120_000;
/** Maximum time for a project's sitemaps if a user is waiting. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Minimum time between user-requested reads. */
const MIN_INTERVAL_MS = 10_000;

/** Reads every project's sitemaps when they are due, one project at a time. Replicas share the work. */
@Injectable()
export class SitemapsService extends PeriodicService {
  constructor(
    private readonly sitemaps: SitemapsRepository,
    @Inject(CONSOLE_SETTINGS)
    private readonly settings: Pick<ConsoleSettings, 'ROBOTS_REFRESH_HOURS' | 'testVisits'>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to read sitemaps; retrying soon');
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.settings.ROBOTS_REFRESH_HOURS > 0) await super.onApplicationBootstrap();
  }

  protected async runRound(): Promise<void> {
    await this.sitemaps.addProjects(this.now());
    while (!this.isStopped && (await this.readNext(null, PROJECT_TIMEOUT_MS))) continue;
  }

  /** Reads a project's sitemaps as far as time allows. The rest is read soon. */
  async refreshProject(projectId: string): Promise<void> {
    await this.sitemaps.addProject(projectId, this.now());
    await this.readNext(projectId, REQUEST_TIMEOUT_MS);
  }

  /** @returns false if no project was read. */
  private async readNext(projectId: string | null, timeoutMs: number): Promise<boolean> {
    const project = await this.sitemaps.claim(projectId, this.now() - MIN_INTERVAL_MS, this.now());
    if (project === null) return false;
    const deadline = AbortSignal.timeout(timeoutMs);
    const { testVisits } = this.settings;
    const read = await readSitemaps(project, {
      createPolicy: (url) => createEgressPolicy(url, testVisits),
      isPrivateNetwork: testVisits.allowPrivateAddresses,
      signal: AbortSignal.any([deadline, this.shutdownSignal]),
    });
    // Another process reads the sitemaps when the claim expires.
    if (this.shutdownSignal.aborted) return false;
    const isIncomplete = projectId !== null && deadline.aborted;
    // Randomized, so projects don't all become due at once.
    const delayMs = isIncomplete ? 0 : REFRESH_INTERVAL_MS * (0.9 + 0.1 * Math.random());
    await this.sitemaps.saveFetched(project.projectId, read, this.now(), this.now() + delayMs);
    return true;
  }
}
