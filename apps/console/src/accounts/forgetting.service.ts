import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { AccountsRepository } from './accounts.repository.js';

const HOUR = 3_600_000;

/** Forgets sessions, links and codes that nobody can use any more, every hour. */
@Injectable()
export class ForgettingService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(AccountsRepository) private readonly accounts: AccountsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.forget(), HOUR);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async forget(): Promise<void> {
    try {
      await this.accounts.forgetExpired();
    } catch (error) {
      this.logger.warn({ err: error }, 'expired sessions could not be removed; it is tried again in an hour');
    }
  }
}
