import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { CountRollupsRepository } from '#libs/visit-store';
import { Gauge } from 'prom-client';

const POLL_INTERVAL_MS = 60_000;
/**
 * Time to wait for more visits before rolling up an hour. Without it, an import into past hours would cause the same
 * hours to be rolled up again and again.
 */
const GRACE_PERIOD_SECONDS = 120;

const lagGauge = new Gauge({
  name: 'agent_traffic_ingest_rollup_lag_seconds',
  help: 'Age of the oldest finished hour that has not been rolled up',
});

/** Rolls up the counts of finished hours and days. Can run in several processes. */
@Injectable()
export class CountSumsService extends PeriodicService {
  constructor(
    private readonly sums: CountRollupsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to roll up counts; retrying soon');
  }

  protected runRound(): Promise<void> {
    return this.rollUpAll(new Date(), GRACE_PERIOD_SECONDS);
  }

  /** Rolls up everything that is due, one project and day at a time. A failure doesn't stop the others. */
  async rollUpAll(now: Date, gracePeriodSeconds = 0): Promise<void> {
    const failures: unknown[] = [];
    const due = await this.sums.due(now, gracePeriodSeconds);
    lagGauge.set(Math.max(0, ...due.map(({ waitedSeconds }) => waitedSeconds)));
    for (const day of due) {
      if (this.isStopped) return;
      await this.sums.rollUp(day, now).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
