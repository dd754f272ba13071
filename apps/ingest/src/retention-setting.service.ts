import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { INGEST_SETTINGS, type IngestSettings } from './ingest-settings.js';
import { InstanceSettingsRepository, type SetDays } from './instance-settings.repository.js';

/** Retention in days: the value from the System page or, if none is set, the configured one. */
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

  /** Infinity until the setting has been read, because it may exceed the configured value. */
  get days(): number {
    return this.setDays === null ? Infinity : (this.setDays.all ?? this.configuredDays);
  }

  /** Retention of unknown visitors, never longer than `days`. */
  get unknownDays(): number {
    return Math.min(this.setDays?.unknown ?? Infinity, this.days);
  }

  /** Whether the setting has been read. Nothing may be deleted before. */
  get isRead(): boolean {
    return this.setDays !== null;
  }

  /** Reads the setting again. On errors, the last known values stay. @returns true if the retention has changed. */
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
