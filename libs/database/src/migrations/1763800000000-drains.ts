import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logs that servers, CDNs and collectors send by HTTP: what a project demands of them, and what came of the last ones. */
export class Drains1763800000000 implements MigrationInterface {
  name = 'Drains1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE drain_settings (
        -- The project's.
        id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        allows_token_in_url boolean NOT NULL DEFAULT false,
        leaves_out_static_files boolean NOT NULL DEFAULT true,
        -- As DrainMapping of the contracts.
        mapping jsonb,
        vercel_verify text,
        -- Encrypted by SecretBox.
        vercel_secret bytea,
        fastly_service_ids text[] NOT NULL DEFAULT '{}'
      )`);
    await runner.query(`
      CREATE TABLE drains (
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        source text NOT NULL,
        first_batch_at timestamptz NOT NULL,
        last_batch_at timestamptz NOT NULL,
        -- As Drain of the contracts has them.
        last_batch jsonb NOT NULL,
        totals jsonb NOT NULL,
        unreadable_lines jsonb NOT NULL DEFAULT '[]',
        PRIMARY KEY (project_id, source)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE drains`);
    await runner.query(`DROP TABLE drain_settings`);
  }
}
