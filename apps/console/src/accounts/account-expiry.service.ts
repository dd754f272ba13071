import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { AccountsRepository } from './accounts.repository.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class AccountExpiryService extends PeriodicService {
  constructor(
    private readonly accounts: AccountsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, INTERVAL_MS, 'failed to delete expired sessions and invitations; retrying in an hour');
  }

  protected runRound(): Promise<void> {
    return this.accounts.deleteExpired();
  }
}
