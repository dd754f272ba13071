import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getFirstIdAt } from '#libs/contracts';
import { type DayNumber, formatDay } from '#libs/visit-store';

const DAY_MS = 86_400_000;

@Injectable()
export class RobotsVersionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Deletes versions that were recorded and replaced before a day, and texts that nothing references anymore. */
  async deleteBefore(day: DayNumber): Promise<void> {
    await this.dataSource.query(`DELETE FROM robots_versions WHERE served_until < $1 AND id < $2`, [
      formatDay(day),
      getFirstIdAt(day * DAY_MS),
    ]);
    await this.dataSource.query(
      `DELETE FROM robots_texts t WHERE NOT EXISTS (SELECT FROM robots_versions v WHERE v.digest = t.digest)
         AND NOT EXISTS (SELECT FROM robots_hosts h WHERE h.digest = t.digest)`,
    );
  }
}
