import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Settings of the instance, as far as they are of concern here. */
@Injectable()
export class InstanceSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Tells what the configuration says, for the System page to show.
   *
   * @returns the days that were set there; null where the configuration counts.
   */
  async retentionDays(configuredDays: number): Promise<number | null> {
    await this.dataSource.query(
      `UPDATE instance_settings SET configured_retention_days = $1 WHERE configured_retention_days IS DISTINCT FROM $1`,
      [configuredDays],
    );
    const [row]: { days: number | null }[] = await this.dataSource.query(
      `SELECT retention_days AS days FROM instance_settings`,
    );
    return row?.days ?? null;
  }
}
