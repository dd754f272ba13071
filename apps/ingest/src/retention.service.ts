import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import {
  CheckoutsRepository,
  toDayNumber,
  formatDay,
  PartitionsRepository,
  VisitFormsRepository,
} from '#libs/visit-store';
import { Counter, Gauge } from 'prom-client';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { ExpiredVisits } from './expired-visits.service.js';
import { RetentionSetting } from './retention-setting.service.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;
const POLL_INTERVAL_MS = 30_000;
/** Number of days to create partitions for in advance. */
const PARTITION_DAYS_AHEAD = 3;

const partitionsUntilGauge = new Gauge({
  name: 'agent_traffic_ingest_partitions_until_timestamp_seconds',
  help: 'Unix time until which the visit tables have partitions',
});
const failuresCounter = new Counter({
  name: 'agent_traffic_ingest_tidy_failures_total',
  help: 'Failed attempts to create partitions or delete expired data',
});

/** Creates partitions in advance and deletes expired data, hourly and whenever the retention changes. */
@Injectable()
export class RetentionService extends PeriodicService {
  private nextTidyAt = 0;

  constructor(
    private readonly partitions: PartitionsRepository,
    private readonly expiredVisits: ExpiredVisits,
    private readonly forms: VisitFormsRepository,
    private readonly deadLetters: DeadLettersRepository,
    private readonly robotsVersions: RobotsVersionsRepository,
    private readonly checkouts: CheckoutsRepository,
    private readonly setting: RetentionSetting,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to apply the retention; retrying soon');
  }

  /** Visits can't be stored before their partition exists. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.setting.refresh();
    await this.countFailure(() => this.createPartitions(), 'failed to create partitions; retrying soon');
    await super.onApplicationBootstrap();
  }

  protected async runRound(): Promise<void> {
    const hasChanged = await this.setting.refresh();
    if (!hasChanged && Date.now() < this.nextTidyAt) return;
    this.nextTidyAt = Date.now() + HOUR_MS;
    await this.countFailure(() => this.tidy(), 'failed to tidy the database; retrying in an hour');
  }

  private async countFailure(work: () => Promise<void>, message: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      failuresCounter.inc();
      this.logger.warn({ err: error }, message);
    }
  }

  private async tidy(): Promise<void> {
    await this.createPartitions();
    await this.deadLetters.deleteExpired();
    // Archiving can take hours.
    if (this.setting.isRead) await this.deleteExpired();
    await this.partitions.dropOldIds();
  }

  private async createPartitions(): Promise<void> {
    const today = toDayNumber(Date.now());
    await this.partitions.ensure(Array.from({ length: PARTITION_DAYS_AHEAD + 1 }, (_, ahead) => today + ahead));
    partitionsUntilGauge.set((today + PARTITION_DAYS_AHEAD + 1) * DAY_SECONDS);
  }

  private async deleteExpired(): Promise<void> {
    const { days, unknownDays } = this.setting;
    const today = toDayNumber(Date.now());
    const unknown = await this.expiredVisits.delete('unknown', today - unknownDays, this.shutdownSignal);
    const agents = await this.expiredVisits.delete('agents', today - days, this.shutdownSignal);
    // Visits that couldn't be archived, and restored visits, still need their forms.
    await this.forms.deleteBefore(Math.min(today - days, await this.partitions.findOldest()));
    await this.robotsVersions.deleteBefore(today - days);
    await this.checkouts.anonymize(days);
    if (unknown.length > 0 || agents.length > 0) {
      this.logger.info(
        { agents: agents.map(formatDay), unknown: unknown.map(formatDay) },
        'dropped visits past retention',
      );
    }
  }
}
