import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stored visits that are identified again: written by console, and by ingest, which does it. */
export class Reidentifications1763799000000 implements MigrationInterface {
  name = 'Reidentifications1763799000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reidentifications (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        range_from timestamptz NOT NULL,
        range_to timestamptz NOT NULL,
        agent_token text,
        state text NOT NULL DEFAULT 'previewing'
          CHECK (state IN ('previewing', 'previewed', 'applying', 'applied', 'canceled')),
        is_paused boolean NOT NULL DEFAULT false,
        -- The last visit that was looked at in this state.
        after_at timestamptz NOT NULL,
        after_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        -- When visits were last moved between tables.
        moved_at timestamptz,
        preview jsonb,
        result jsonb,
        error text,
        -- Only saves work: what counts is that the last visit is the same when the next step is stored.
        claimed_by uuid,
        claimed_until timestamptz NOT NULL DEFAULT '-infinity',
        created_by uuid REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX reidentifications_project ON reidentifications (project_id, created_at DESC)`);
    await runner.query(`CREATE INDEX reidentifications_author ON reidentifications (created_by)`);
    // Two at a time would count what the other one changes.
    await runner.query(
      `CREATE UNIQUE INDEX reidentifications_at_work ON reidentifications (project_id)
       WHERE state IN ('previewing', 'applying')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE reidentifications`);
  }
}
