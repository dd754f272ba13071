import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which week somebody had a report of last, so that no week is reported twice. */
export class ReportedWeeks1763825000000 implements MigrationInterface {
  name = 'ReportedWeeks1763825000000';

  async up(runner: QueryRunner): Promise<void> {
    // Its Monday, which is the same in every time zone; null before the first report.
    await runner.query(`ALTER TABLE report_subscriptions ADD COLUMN reported_week date`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE report_subscriptions DROP COLUMN reported_week`);
  }
}
