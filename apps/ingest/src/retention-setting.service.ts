import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { INGEST_SETTINGS, type IngestSettings } from './ingest-settings.js';
import { InstanceSettingsRepository, type SetDays } from './instance-settings.repository.js';

/** For how many days visits are kept: as the System page has it, else as the configuration does. */
@Injectable()
export class RetentionSetting {
  private setDays: SetDays | null = null;

  private readonly configuredDays: number;

  constructor(
    private readonly settings: InstanceSettingsRepository,
    @Inject(INGEST_SETTINGS) { RETENTION_DAYS }: Pick<IngestSettings, 'RETENTION_DAYS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.configuredDays = RETENTION_DAYS;
  }

  /** For ever before it has been read: more may have been set than is configured. */
  get days(): number {
    return this.setDays === null ? Infinity : (this.setDays.all ?? this.configuredDays);
  }

  /** The same of visits of unknown visitors, which are never kept longer than others. */
  get unknownDays(): number {
    return Math.min(this.setDays?.unknown ?? Infinity, this.days);
  }

  /** Whether it has been read: before, nothing may be thrown away by it. */
  get isRead(): boolean {
    return this.setDays !== null;
  }

  /** Reads it again; what was known holds while it can't be. @returns whether it has changed. */
  async refresh(): Promise<boolean> {
    const before = [this.days, this.unknownDays];
    try {
      this.setDays = await this.settings.retentionDays(this.configuredDays);
    } catch (error) {
      this.logger.warn({ err: error }, 'the retention cannot be read; it stays as it was');
    }
    return this.days !== before[0] || this.unknownDays !== before[1];
  }
}
