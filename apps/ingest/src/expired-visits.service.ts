import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { openArchive, type Archive, type ArchiveSettings } from '#libs/archive';
import { ConfigurationError, LOGGER, type Logger } from '#libs/platform';
import { ExpiredPartitionsRepository, formatDay, PartitionsRepository, type Visitors } from '#libs/visit-store';
import { Counter, Gauge } from 'prom-client';
import { INGEST_SETTINGS } from './ingest-settings.js';
import { InstanceSettingsRepository } from './instance-settings.repository.js';

const unarchivedGauge = new Gauge({
  name: 'agent_traffic_ingest_unarchived_partitions',
  help: 'Expired partitions that are kept because they could not be archived',
});
const archivedCounter = new Counter({
  name: 'agent_traffic_ingest_archived_visits_total',
  help: 'Visits written to the archive',
});

/** Deletes expired visits. If ARCHIVE_URL is set, archives them first, and so must all other ingest processes. */
@Injectable()
export class ExpiredVisits implements OnModuleInit {
  private readonly archive: Archive | null;
  /** Days that couldn't be archived, as `YYYY-MM-DD`. */
  private readonly unarchivedDays: Record<Visitors, readonly string[]> = { agents: [], unknown: [] };

  constructor(
    private readonly partitions: PartitionsRepository,
    private readonly expired: ExpiredPartitionsRepository,
    private readonly instanceSettings: InstanceSettingsRepository,
    @Inject(INGEST_SETTINGS) private readonly settings: ArchiveSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.archive = openArchive(settings);
  }

  /** @throws {ConfigurationError} if the archive can't be used until the configuration is changed. */
  async onModuleInit(): Promise<void> {
    try {
      await this.archive?.check();
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      this.logger.warn({ err: error }, 'the archive is not available; expired visits are kept until it is');
    }
  }

  /**
   * Deletes visits received before a day, except visits that can't be archived.
   *
   * @returns the days whose visits were deleted.
   */
  async delete(visitors: Visitors, before: number, signal: AbortSignal): Promise<number[]> {
    const { archive } = this;
    if (this.settings.ARCHIVE_URL !== undefined) await this.instanceSettings.setRequiresArchive(archive !== null);
    if (archive === null) return this.deleteUnarchived(visitors, before);
    const failures = new Map<number, unknown>();
    const dropped = await this.expired.archiveBefore(visitors, before, {
      save: async (partition) => {
        await archive.save(partition, signal);
        archivedCounter.inc(partition.projects.reduce((sum, { visits }) => sum + visits, 0));
      },
      onFailure: (day, error) => failures.set(day, error),
      signal,
    });
    this.reportFailures(visitors, failures);
    return dropped;
  }

  private async deleteUnarchived(visitors: Visitors, before: number): Promise<number[]> {
    const isRefused = await this.instanceSettings.requiresArchive();
    const expired = isRefused ? await this.partitions.listExpired(visitors, before) : [];
    const error = new ConfigurationError(
      "ARCHIVE_URL isn't set, but another ingest process uses an archive. Set ARCHIVE_URL for all of them, or set it to off to delete expired visits without archiving them.",
    );
    this.reportFailures(visitors, new Map(expired.map((day) => [day, error])));
    return isRefused ? [] : this.partitions.dropBefore(visitors, before);
  }

  /** Logs only if another day has failed, because failed days are retried every hour. */
  private reportFailures(visitors: Visitors, failures: ReadonlyMap<number, unknown>): void {
    const days = [...failures.keys()].map(formatDay);
    const hasNew = days.some((day) => !this.unarchivedDays[visitors].includes(day));
    this.unarchivedDays[visitors] = days;
    unarchivedGauge.set(this.unarchivedDays.agents.length + this.unarchivedDays.unknown.length);
    if (!hasNew) return;
    const [error] = failures.values();
    this.logger.warn(
      { err: error, visitors, days },
      'failed to archive expired visits; keeping them and retrying every hour',
    );
  }
}
