import { Inject, Injectable } from '@nestjs/common';
import { ConfigurationError, LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { VisitsRepository } from '#libs/visit-store';
import pTimeout from 'p-timeout';

const POLL_INTERVAL_MS = 10_000;
/** Age after which the process that started to store visits has probably stopped. */
const MIN_AGE_MS = 15_000;
/** Time limit for the comparison during the start. If it doesn't finish, it's repeated before any visits are stored. */
const COMPARISON_TIMEOUT_MS = 5_000;

/** Finishes storing visits that other processes started to store. */
@Injectable()
export class PendingVisitsService extends PeriodicService {
  constructor(
    private readonly visits: VisitsRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super(log, POLL_INTERVAL_MS, 'failed to finish storing visits; retrying soon');
  }

  /** @throws {ConfigurationError} if new visits must not be stored. */
  override async onApplicationBootstrap(): Promise<void> {
    try {
      const missing = await pTimeout(this.visits.checkBackups(), { milliseconds: COMPARISON_TIMEOUT_MS });
      if (missing !== null) this.log.warn(missing);
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      this.log.warn({ err: error }, 'failed to compare the visits with their counts; retrying before any are stored');
    }
    await super.onApplicationBootstrap();
  }

  protected async runRound(): Promise<void> {
    const batches = await this.visits.finishStoring(MIN_AGE_MS);
    if (batches > 0) this.log.info({ batches }, 'stored visits that another process had left unfinished');
  }
}
