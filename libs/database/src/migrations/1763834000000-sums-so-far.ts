import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when the counts by dimension of a day that is not over are summed up: its sums are as those of days, but for less. */
export class SumsSoFar1763834000000 implements MigrationInterface {
  name = 'SumsSoFar1763834000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE visit_open_days ADD COLUMN summed_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE visit_open_days DROP COLUMN summed_until`);
  }
}
