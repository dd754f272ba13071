import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pages and statuses of a day (UTC) from a bucket on until it ends, so that a range which begins within a day reads few of its hours.
 * Days that were summed up before have none, and are read by hours.
 */
export class RestsOfLists1763841000000 implements MigrationInterface {
  name = 'RestsOfLists1763841000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE visit_rest_top_counts (
        project_id uuid NOT NULL,
        bucket timestamptz NOT NULL,
        dimension text NOT NULL,
        top_values text[] NOT NULL,
        top_visits bigint[] NOT NULL,
        PRIMARY KEY (project_id, bucket, dimension)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE visit_rest_top_counts`);
  }
}
