import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Checkouts that visits reported, by ACP or UCP, written by ingest with the visits: one row for each, however often it was
 * reported. `id` is a digest; nothing of a buyer is here. Past the retention of visits the id is random, and no visit is named.
 */
export class Checkouts1763796000000 implements MigrationInterface {
  name = 'Checkouts1763796000000';

  async up(runner: QueryRunner): Promise<void> {
    // All but first_at is as the newest visit has it, by when it occurred and by its id.
    await runner.query(`
      CREATE TABLE checkouts (
        project_id uuid NOT NULL,
        id uuid NOT NULL,
        protocol text NOT NULL,
        state text NOT NULL,
        currency text,
        total float8,
        agent_id uuid,
        is_spoofed boolean NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        visit_id uuid,
        PRIMARY KEY (project_id, id)
      )`);
    // All that is counted, so that counting reads the index alone.
    await runner.query(`
      CREATE INDEX checkouts_first ON checkouts (project_id, first_at)
      INCLUDE (protocol, state, currency, total, agent_id, is_spoofed)`);
    // Days are written once, so what a report reads of them can be in the index.
    await runner.query(`
      CREATE INDEX IF NOT EXISTS visit_day_top_counts_dimension ON visit_day_top_counts (project_id, dimension, bucket)
      INCLUDE (value, visits) WHERE dimension NOT IN ('page', 'agent_page', 'status', 'agent_status')`);
    await runner.query(`CREATE INDEX checkouts_last ON checkouts (last_at) WHERE visit_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS visit_day_top_counts_dimension`);
    await runner.query(`DROP TABLE checkouts`);
  }
}
