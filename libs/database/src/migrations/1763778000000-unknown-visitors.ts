import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Days for which a new instance keeps visits of unknown visitors. */
const DAYS = 7;

/** What is kept of visits of unknown visitors, and for how long. */
export class UnknownVisitors1763778000000 implements MigrationInterface {
  name = 'UnknownVisitors1763778000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE projects ADD COLUMN unknown_visitors text NOT NULL DEFAULT 'kept'
        CHECK (unknown_visitors IN ('kept', 'reduced', 'counted'))`);
    // Without days they are kept as long as other visits. Visits with ids from `unknown_visits_since` on are looked for
    // in unknown_visits alone, of agents, too; see visits.repository.ts.
    await runner.query(`
      ALTER TABLE instance_settings ADD COLUMN unknown_retention_days integer,
        ADD COLUMN unknown_retention_chosen boolean NOT NULL DEFAULT false,
        ADD COLUMN unknown_visits_since uuid`);
    // An instance that somebody uses keeps what it has until somebody chooses.
    await runner.query(
      `UPDATE instance_settings SET unknown_retention_days = $1, unknown_retention_chosen = true
       WHERE NOT EXISTS (SELECT FROM projects) AND NOT EXISTS (SELECT FROM users)`,
      [DAYS],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects DROP COLUMN unknown_visitors`);
    await runner.query(`
      ALTER TABLE instance_settings DROP COLUMN unknown_retention_days, DROP COLUMN unknown_retention_chosen,
        DROP COLUMN unknown_visits_since`);
  }
}
