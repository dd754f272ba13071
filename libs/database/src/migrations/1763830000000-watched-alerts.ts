import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when each alert watches what it watches now. */
export class WatchedAlerts1763830000000 implements MigrationInterface {
  name = 'WatchedAlerts1763830000000';

  async up(runner: QueryRunner): Promise<void> {
    // Null: since it was made.
    await runner.query(`ALTER TABLE alerts ADD COLUMN watched_since timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alerts DROP COLUMN watched_since`);
  }
}
