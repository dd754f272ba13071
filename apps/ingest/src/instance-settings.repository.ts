import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Days as they are set on the System page. */
export interface SetDays {
  /** Null where the configuration counts. */
  all: number | null;
  /** Of unknown visitors; null for as long as others. */
  unknown: number | null;
}

/** Settings of the instance, as far as they are of concern here. */
@Injectable()
export class InstanceSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Tells what the configuration says, for the System page to show.
   *
   * @returns the days that were set there.
   */
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
