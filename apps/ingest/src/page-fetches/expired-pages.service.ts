import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { PageFetchesRepository } from './page-fetches.repository.js';

const INTERVAL_MS = 3_600_000;

/** Deletes counts of pages that agents no longer fetch and sitemaps don't list. Can run in several processes. */
@Injectable()
export class ExpiredPagesService extends PeriodicService {
  constructor(
    private readonly pageFetches: PageFetchesRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, INTERVAL_MS, 'failed to delete expired pages; retrying in an hour');
  }

  protected async runRound(): Promise<void> {
    for (const { projectId } of await this.pageFetches.list()) {
      if (this.isStopped) return;
      await this.pageFetches.deleteExpired(projectId);
    }
  }
}
