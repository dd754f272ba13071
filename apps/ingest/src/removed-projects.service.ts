import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { RemovedProjectsRepository } from '#libs/visit-store';

const POLL_INTERVAL_MS = 5_000;

@Injectable()
export class RemovedProjectsService extends PeriodicService {
  constructor(
    private readonly removed: RemovedProjectsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to delete the visits of removed projects; retrying soon');
  }

  protected runRound(): Promise<void> {
    return this.deleteAll();
  }

  async deleteAll(): Promise<void> {
    for (const projectId of await this.removed.list()) {
      for await (const _step of this.removed.delete(projectId)) {
        if (this.isStopped) return;
      }
      await this.removed.forgetSettled(projectId);
    }
  }
}
