import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { CheckoutsRepository, dayOf, isoDay, PartitionsRepository, VisitFormsRepository } from '#libs/visit-store';
import { Counter, Gauge } from 'prom-client';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { RetentionSetting } from './retention-setting.service.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;
const LOOK_INTERVAL_MS = 30_000;
/** Number of days for which partitions are created in advance. */
const DAYS_AHEAD = 3;

const partitionsUntil = new Gauge({
  name: 'agent_traffic_ingest_partitions_until_timestamp_seconds',
  help: 'Unix time until which the tables of visits have partitions',
});
const failures = new Counter({
  name: 'agent_traffic_ingest_tidy_failures_total',
  help: 'Failures to create partitions or to drop expired data',
});

/** Creates partitions in advance and deletes expired data, every hour and whenever the retention changes. */
@Injectable()
export class RetentionService extends PeriodicService {
  private nextTidy = 0;

  constructor(
    private readonly partitions: PartitionsRepository,
    private readonly forms: VisitFormsRepository,
    private readonly deadLetters: DeadLettersRepository,
    private readonly robotsVersions: RobotsVersionsRepository,
    private readonly checkouts: CheckoutsRepository,
    private readonly setting: RetentionSetting,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, LOOK_INTERVAL_MS, 'the retention is not applied; it is tried again soon');
  }

  /** Waits for the first round: no visit can be stored before its partition exists. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.round();
    await super.onApplicationBootstrap();
  }

  protected async round(): Promise<void> {
    const hasChanged = await this.setting.refresh();
    if (!hasChanged && Date.now() < this.nextTidy) return;
    this.nextTidy = Date.now() + HOUR_MS;
    await this.tidy();
  }

  private async tidy(): Promise<void> {
    try {
      const today = dayOf(Date.now());
      await this.partitions.ensure(Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead));
      partitionsUntil.set((today + DAYS_AHEAD + 1) * DAY_SECONDS);
      if (this.setting.isRead) await this.dropExpired(today);
      await this.deadLetters.deleteExpired();
    } catch (error) {
      failures.inc();
      this.logger.warn({ err: error }, 'tidying the database failed; it is tried again in an hour');
    }
  }

  private async dropExpired(today: number): Promise<void> {
    const { days, unknownDays } = this.setting;
    const unknown = await this.partitions.dropBefore('unknown', today - unknownDays);
    const agents = await this.partitions.dropBefore('agents', today - days);
    await this.forms.deleteBefore(today - days);
    await this.robotsVersions.deleteBefore(today - days);
    await this.checkouts.anonymize(days);
    if (unknown.length > 0 || agents.length > 0) {
      this.logger.info(
        { agents: agents.map(isoDay), unknown: unknown.map(isoDay) },
        'dropped the visits of days past the retention',
      );
    }
  }
}
