import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Retention in days, as set on the System page. */
export interface RetentionOverrides {
  /** Retention for all visits, or null to use the configured value. */
  all: number | null;
  /** Retention for unknown visitors. Null to use the same value as for other visits. */
  unknown: number | null;
}

@Injectable()
export class InstanceSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores the configured value for display on the System page. Returns the values set on that page. */
  async syncRetentionDays(configuredDays: number): Promise<RetentionOverrides> {
    await this.dataSource.query(
      `UPDATE instance_settings SET configured_retention_days = $1 WHERE configured_retention_days IS DISTINCT FROM $1`,
      [configuredDays],
    );
    const [row]: RetentionOverrides[] = await this.dataSource.query(
      `SELECT retention_days AS all, unknown_retention_days AS unknown FROM instance_settings`,
    );
    return row ?? { all: null, unknown: null };
  }

  /** Stores whether all ingest processes must archive visits before they delete them. */
  async setRequiresArchive(required: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE instance_settings SET requires_archive = $1 WHERE requires_archive IS DISTINCT FROM $1`,
      [required],
    );
  }

  async requiresArchive(): Promise<boolean> {
    const [row]: { required: boolean }[] = await this.dataSource.query(
      `SELECT requires_archive AS required FROM instance_settings`,
    );
    return row?.required ?? false;
  }
}
