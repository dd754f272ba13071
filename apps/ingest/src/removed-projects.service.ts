import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, Rounds, type Logger } from '#libs/platform';
import { RemovedProjectsRepository } from './removed-projects.repository.js';

const LOOK_EVERY_MS = 5_000;

/** Deletes the visits and counts of removed projects, some at a time. */
@Injectable()
export class RemovedProjectsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds(
    () => this.deleteAll(),
    LOOK_EVERY_MS,
    (error) => this.logger.warn({ err: error }, 'visits of removed projects can not be deleted yet'),
  );

  constructor(
    private readonly removed: RemovedProjectsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /** Everything that there is of them now. */
  async deleteAll(): Promise<void> {
    const projects = await this.removed.list();
    if (projects.length === 0) return;
    const tables = await this.removed.tables();
    for (const projectId of projects) {
      for (const table of tables) {
        while (!this.rounds.isStopped && (await this.removed.deleteSome(projectId, table))) continue;
        if (this.rounds.isStopped) return;
      }
      await this.removed.forgetSettled(projectId);
    }
  }
}
