import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { AccountsRepository } from './accounts.repository.js';

const HOUR = 3_600_000;

/** Forgets sessions, invitations and codes that have ended: nobody gets in by them, and nobody needs them. */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(AccountsRepository) private readonly accounts: AccountsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), HOUR).unref();
    void this.sweep();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    try {
      await this.accounts.forgetExpired();
    } catch (error) {
      this.logger.warn({ err: error }, 'what has ended of sessions and invitations stays for another hour');
    }
  }
}
