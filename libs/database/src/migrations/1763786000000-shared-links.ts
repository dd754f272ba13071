import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links to a project's overview, for people without an account. All of it is written by console. */
export class SharedLinks1763786000000 implements MigrationInterface {
  name = 'SharedLinks1763786000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE shared_links (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        hash bytea NOT NULL UNIQUE,
        password text,
        created_by uuid REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        last_used_at timestamptz
      )`);
    await runner.query(`CREATE INDEX shared_links_project ON shared_links (project_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE shared_links`);
  }
}
