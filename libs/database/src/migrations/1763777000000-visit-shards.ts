import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that the statement which stores visits updates, with their primary keys without the shard. */
const KEYS = {
  visit_positions: 'project_id',
  visit_counts: 'project_id, bucket, agent_id, agent_type, result',
  visit_top_counts: 'project_id, bucket, dimension, value',
  visit_open_hours: 'project_id, hour',
};
/** Bits of a visit's position below its shard. */
const NUMBER_BITS = 56;

/** What stores begins with the first table, and what reads with the second: neither then holds what this waits for. */
const lockTables = (runner: QueryRunner): Promise<void> =>
  runner.query('LOCK TABLE visit_positions, visit_open_hours, visit_counts, visit_top_counts IN ACCESS EXCLUSIVE MODE');

/**
 * Statements that store visits at the same time number and count them in shards of their own, so that none waits for
 * another. What is there is in shard 0: visits keep their positions, and streams resume after the ids that clients have.
 */
export class VisitShards1763777000000 implements MigrationInterface {
  name = 'VisitShards1763777000000';

  async up(runner: QueryRunner): Promise<void> {
    await lockTables(runner);
    for (const [table, key] of Object.entries(KEYS)) {
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN shard smallint NOT NULL DEFAULT 0,
          DROP CONSTRAINT ${table}_pkey, ADD PRIMARY KEY (${key}, shard)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await lockTables(runner);
    // One sequence again: those of other shards come after those of shard 0.
    await runner.query(`
      UPDATE visits v SET position = n.position FROM (
        SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY position) + coalesce((
          SELECT position FROM visit_positions p WHERE p.project_id = o.project_id AND shard = 0
        ), 0) AS position
        FROM visits o WHERE position >> ${NUMBER_BITS} > 0
      ) n WHERE n.id = v.id`);
    // There were at least as many numbers as visits.
    await this.merge(runner, 'visit_positions', 'sum(position) AS position');
    await this.merge(runner, 'visit_counts', 'sum(visits) AS visits, max(last_at) AS last_at');
    await this.merge(runner, 'visit_top_counts', 'sum(visits) AS visits');
    await this.merge(runner, 'visit_open_hours', 'min(since) AS since');
  }

  private async merge(runner: QueryRunner, table: keyof typeof KEYS, sums: string): Promise<void> {
    const key = KEYS[table];
    await runner.query(
      `CREATE TEMPORARY TABLE merged ON COMMIT DROP AS SELECT ${key}, ${sums} FROM ${table} GROUP BY ${key}`,
    );
    await runner.query(`TRUNCATE ${table}`);
    await runner.query(`ALTER TABLE ${table} DROP COLUMN shard, ADD PRIMARY KEY (${key})`);
    // The columns in the order of the merged ones.
    const [{ columns }] = await runner.query(
      `SELECT string_agg(attname, ', ' ORDER BY attnum) AS columns FROM pg_attribute
       WHERE attrelid = 'merged'::regclass AND attnum > 0`,
    );
    await runner.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM merged`);
    await runner.query('DROP TABLE merged');
  }
}
