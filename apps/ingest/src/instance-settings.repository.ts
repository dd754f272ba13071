import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Retention in days, as set on the System page. */
export interface SetDays {
  /** Null if the configured value applies. */
  all: number | null;
  /** For unknown visitors. Null if it's the same as for others. */
  unknown: number | null;
}

@Injectable()
export class InstanceSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores the configured value, which the System page shows. Returns the values set on that page. */
  async retentionDays(configuredDays: number): Promise<SetDays> {
    await this.dataSource.query(
      `UPDATE instance_settings SET configured_retention_days = $1 WHERE configured_retention_days IS DISTINCT FROM $1`,
      [configuredDays],
    );
    const [row]: SetDays[] = await this.dataSource.query(
      `SELECT retention_days AS all, unknown_retention_days AS unknown FROM instance_settings`,
    );
    return row ?? { all: null, unknown: null };
  }
}
