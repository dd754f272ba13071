import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { AuditRepository } from './audit.repository.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class AuditExpiryService extends PeriodicService {
  constructor(
    private readonly log: AuditRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, INTERVAL_MS, 'failed to delete expired audit log entries; retrying in an hour');
  }

  protected runRound(): Promise<void> {
    return this.log.deleteExpired();
  }
}
