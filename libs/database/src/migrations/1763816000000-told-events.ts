import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which events people are told of: both when they fire and when they recover, or neither. */
export class ToldEvents1763816000000 implements MigrationInterface {
  name = 'ToldEvents1763816000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alert_events ADD COLUMN is_told boolean NOT NULL DEFAULT true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alert_events DROP COLUMN is_told`);
  }
}
