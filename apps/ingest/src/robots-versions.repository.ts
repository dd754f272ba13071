import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt } from '#libs/contracts';
import { type DayNumber, isoDay } from '#libs/visit-store';

const DAY_MS = 86_400_000;

@Injectable()
export class RobotsVersionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Deletes versions that ended and were recorded before a day, and texts that are no longer referenced. */
  async deleteBefore(day: DayNumber): Promise<void> {
    await this.dataSource.query(`DELETE FROM robots_versions WHERE served_until < $1 AND id < $2`, [
      isoDay(day),
      firstIdAt(day * DAY_MS),
    ]);
    await this.dataSource.query(
      `DELETE FROM robots_texts t WHERE NOT EXISTS (SELECT FROM robots_versions v WHERE v.digest = t.digest)
         AND NOT EXISTS (SELECT FROM robots_hosts h WHERE h.digest = t.digest)`,
    );
  }
}
