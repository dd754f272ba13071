import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { AccountsRepository } from './accounts.repository.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class ExpiryService extends PeriodicService {
  constructor(
    private readonly accounts: AccountsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, INTERVAL_MS, 'expired sessions and invitations could not be deleted; trying again in an hour');
  }

  protected round(): Promise<void> {
    return this.accounts.deleteExpired();
  }
}
