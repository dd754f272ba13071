import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which channels did not answer the last time, so that they do not hold up others. */
export class UnansweredChannels1763826000000 implements MigrationInterface {
  name = 'UnansweredChannels1763826000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alert_channels ADD COLUMN is_unanswered boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alert_channels DROP COLUMN is_unanswered`);
  }
}
