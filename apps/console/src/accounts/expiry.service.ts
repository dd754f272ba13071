import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, PeriodicTask, type Logger } from '#libs/platform';
import { AccountsRepository } from './accounts.repository.js';

const INTERVAL_MS = 3_600_000;

/** Deletes sessions, invitations, links and codes that have expired. */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask(
    () => this.accounts.deleteExpired(),
    INTERVAL_MS,
    (error) =>
      this.logger.warn(
        { err: error },
        'expired sessions and invitations could not be deleted; trying again in an hour',
      ),
  );

  constructor(
    private readonly accounts: AccountsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }
}
