import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pages and statuses by hour, so that ranges which cut a day read few of its quarters: a row for all values of an hour, which takes
 * a thirtieth of what a row for each does. Hours that were summed up before have none, and are read by quarters.
 */
export class HoursOfLists1763840000000 implements MigrationInterface {
  name = 'HoursOfLists1763840000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE visit_hour_top_counts (
        project_id uuid NOT NULL,
        bucket timestamptz NOT NULL,
        dimension text NOT NULL,
        top_values text[] NOT NULL,
        top_visits bigint[] NOT NULL,
        PRIMARY KEY (project_id, bucket, dimension)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE visit_hour_top_counts`);
  }
}
