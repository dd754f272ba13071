import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { INGEST_SETTINGS, type IngestSettings } from './ingest-settings.js';
import { InstanceSettingsRepository, type RetentionOverrides } from './instance-settings.repository.js';

/** Retention in days: the value set on the System page or, by default, the configured one. */
@Injectable()
export class RetentionSetting {
  private overrides: RetentionOverrides | null = null;

  private readonly configuredDays: number;

  constructor(
    private readonly settings: InstanceSettingsRepository,
    @Inject(INGEST_SETTINGS) { RETENTION_DAYS }: Pick<IngestSettings, 'RETENTION_DAYS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.configuredDays = RETENTION_DAYS;
  }

  /** Infinity until the setting has been read, because it may be longer than the configured value. */
  get days(): number {
    return this.overrides === null ? Infinity : (this.overrides.all ?? this.configuredDays);
  }

  /** Retention for unknown visitors, never longer than `days`. */
  get unknownDays(): number {
    return Math.min(this.overrides?.unknown ?? Infinity, this.days);
  }

  /** True once the setting has been read. Until then, nothing may be deleted. */
  get isRead(): boolean {
    return this.overrides !== null;
  }

  /** Reads the setting again, keeping the last values on errors. Returns true if the retention changed. */
  async refresh(): Promise<boolean> {
    const previous = [this.days, this.unknownDays];
    try {
      this.overrides = await this.settings.syncRetentionDays(this.configuredDays);
    } catch (error) {
      this.logger.warn({ err: error }, 'failed to read the retention setting; keeping the last values');
    }
    return this.days !== previous[0] || this.unknownDays !== previous[1];
  }
}
