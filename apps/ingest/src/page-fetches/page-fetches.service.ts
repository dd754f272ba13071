import { Inject, Injectable } from '@nestjs/common';
import { MAX_COVERAGE_AGENTS } from '#libs/contracts';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { NewFetchesRepository } from '#libs/visit-store';
import { PageFetchesRepository, type CountedProject } from './page-fetches.repository.js';

const POLL_INTERVAL_MS = 60_000;
/** Limits how long reading and counting a part blocks the process. */
const MAX_VISITS_PER_STEP = 16_000;

/**
 * Counts agents' fetches of the pages in projects with sitemaps. Runs after the visits have been stored, so storing
 * visits takes no longer. Can run in several processes.
 */
@Injectable()
export class PageFetchesService extends PeriodicService {
  constructor(
    private readonly newFetches: NewFetchesRepository,
    private readonly pageFetches: PageFetchesRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to count fetches of pages; retrying soon');
  }

  protected runRound(): Promise<void> {
    return this.countAll();
  }

  /** Counts all new visits, one project at a time. A failure doesn't stop the others. */
  async countAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const project of await this.pageFetches.list()) {
      if (this.isStopped) return;
      await this.countProject(project).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async countProject(project: CountedProject): Promise<void> {
    const { projectId } = project;
    let state: CountedProject | null = project;
    if (project.agents.length === 0) {
      state = { ...project, agents: await this.newFetches.findTopAgents(projectId, MAX_COVERAGE_AGENTS) };
    }
    while (state !== null && !this.isStopped) {
      const read = await this.newFetches.read(projectId, state.position, MAX_VISITS_PER_STEP);
      if (read === null) {
        await this.pageFetches.confirm(projectId);
        return;
      }
      state = await this.pageFetches.add(state, read);
    }
  }
}
