import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { CountSumsRepository } from '#libs/visit-store';
import { Gauge } from 'prom-client';

const LOOK_INTERVAL_MS = 60_000;
/**
 * How long an hour stays open for more visits. Otherwise, an import into past hours would make them roll up again and
 * again.
 */
const OPEN_FOR_SECONDS = 120;

const lag = new Gauge({
  name: 'agent_traffic_ingest_rollup_lag_seconds',
  help: 'Age of the oldest finished hour that is not summed up',
});

/** Rolls up counts of hours and days that are over. Can run in several processes. */
@Injectable()
export class CountSumsService extends PeriodicService {
  constructor(
    private readonly sums: CountSumsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, LOOK_INTERVAL_MS, 'counts cannot be rolled up yet');
  }

  protected round(): Promise<void> {
    return this.sumUpAll(new Date(), OPEN_FOR_SECONDS);
  }

  /** Rolls up everything that is due, a day of a project at a time. If one fails, the others still run. */
  async sumUpAll(now: Date, openForSeconds = 0): Promise<void> {
    const failures: unknown[] = [];
    const due = await this.sums.due(now, openForSeconds);
    lag.set(Math.max(0, ...due.map(({ waitedSeconds }) => waitedSeconds)));
    for (const day of due) {
      if (this.isStopped) return;
      await this.sums.sumUp(day, now).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
