import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, PeriodicTask, type Logger } from '#libs/platform';
import { AccountsRepository } from './accounts.repository.js';

const HOUR = 3_600_000;

/** Forgets sessions, invitations and codes that have ended: nobody gets in by them, and nobody needs them. */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask(
    () => this.accounts.forgetExpired(),
    HOUR,
    (error) => this.logger.warn({ err: error }, 'what has ended of sessions and invitations stays for another hour'),
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
