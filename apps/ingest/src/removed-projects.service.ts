import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, PeriodicTask, type Logger } from '#libs/platform';
import { RemovedProjectsRepository } from './removed-projects.repository.js';

const LOOK_INTERVAL_MS = 5_000;

/** Deletes the visits and counts of removed projects, some at a time. */
@Injectable()
export class RemovedProjectsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask(
    () => this.deleteAll(),
    LOOK_INTERVAL_MS,
    (error) => this.logger.warn({ err: error }, 'the visits of removed projects cannot be deleted yet'),
  );

  constructor(
    private readonly removed: RemovedProjectsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Everything that there is of them now. */
  async deleteAll(): Promise<void> {
    const projects = await this.removed.list();
    if (projects.length === 0) return;
    const tables = await this.removed.tables();
    for (const projectId of projects) {
      for (const table of tables) {
        while (!this.task.isStopped && (await this.removed.deleteSome(projectId, table))) continue;
        if (this.task.isStopped) return;
      }
      await this.removed.forgetSettled(projectId);
    }
  }
}
