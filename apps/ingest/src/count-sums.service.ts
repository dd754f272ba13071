import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { CountSumsRepository } from '#libs/visit-store';
import { Gauge } from 'prom-client';

const LOOK_INTERVAL_MS = 60_000;
/** An hour of long ago, which an import fills, is not summed up again and again meanwhile. */
const OPEN_FOR_SECONDS = 120;

const lag = new Gauge({
  name: 'agent_traffic_ingest_rollup_lag_seconds',
  help: 'Age of the oldest finished hour that is not summed up',
});

/** Sums up what was counted, hours and days after they are over. Several processes may be at it. */
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

  /** Everything that is due, a day of a project at a time; one that fails keeps none of the others from it. */
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
