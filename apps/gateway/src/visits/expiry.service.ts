import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { IdempotencyRepository } from './idempotency.repository.js';
import { ImportsRepository } from './imports.repository.js';

const HOUR_MS = 3_600_000;

@Injectable()
export class ExpiryService extends PeriodicService {
  constructor(
    private readonly idempotency: IdempotencyRepository,
    private readonly imports: ImportsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, HOUR_MS, 'could not delete expired idempotency keys and imports');
  }

  protected async runRound(): Promise<void> {
    await Promise.all([this.idempotency.deleteExpired(), this.imports.deleteExpired()]);
  }
}
