import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, PeriodicTask, type Logger } from '#libs/platform';
import { AuditRepository } from './audit.repository.js';

const INTERVAL_MS = 3_600_000;

/** Deletes entries of the audit log when their retention is over. */
@Injectable()
export class AuditExpiryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask(
    () => this.log.deleteExpired(),
    INTERVAL_MS,
    (error) =>
      this.logger.warn({ err: error }, 'old entries of the audit log could not be deleted; trying again in an hour'),
  );

  constructor(
    private readonly log: AuditRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }
}
