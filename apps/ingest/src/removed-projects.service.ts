import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { RemovedProjectsRepository } from './removed-projects.repository.js';

const LOOK_EVERY_MS = 5_000;

/** Deletes the visits and counts of removed projects, some at a time. */
@Injectable()
export class RemovedProjectsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    @Inject(RemovedProjectsRepository) private readonly removed: RemovedProjectsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const look = (): void => {
      this.underWay = this.deleteAll()
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, 'visits of removed projects can not be deleted yet'),
        )
        .finally(() => {
          if (!this.isStopped) this.timer = setTimeout(look, LOOK_EVERY_MS).unref();
        });
    };
    look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.underWay;
  }

  /** Everything that there is of them now. */
  async deleteAll(): Promise<void> {
    const projects = await this.removed.list();
    if (projects.length === 0) return;
    const tables = await this.removed.tables();
    for (const projectId of projects) {
      for (const table of tables) {
        while (!this.isStopped && (await this.removed.deleteSome(projectId, table))) continue;
        if (this.isStopped) return;
      }
      await this.removed.forgetSettled(projectId);
    }
  }
}
