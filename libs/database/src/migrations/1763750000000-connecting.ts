import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What helps to connect a site: refused requests, test visits, and when tokens were last used. */
export class Connecting1763750000000 implements MigrationInterface {
  name = 'Connecting1763750000000';

  async up(runner: QueryRunner): Promise<void> {
    // Written by gateway, to the minute.
    await runner.query(`ALTER TABLE access_tokens ADD COLUMN last_used_at timestamptz`);
    // Written by gateway, which keeps the newest of each project, and of those with unknown tokens (without a project).
    await runner.query(`
      CREATE TABLE refused_requests (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id uuid REFERENCES projects ON DELETE CASCADE,
        token_id uuid REFERENCES access_tokens ON DELETE SET NULL,
        refused_at timestamptz NOT NULL,
        times integer NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        status smallint NOT NULL,
        code text NOT NULL,
        detail text NOT NULL,
        pointer text,
        client_address text NOT NULL
      )`);
    await runner.query(`CREATE INDEX refused_requests_newest ON refused_requests (project_id, id DESC)`);
    // Written by console: how far each test visit got, for every replica to tell.
    await runner.query(`
      CREATE TABLE test_visits (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        started_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        state jsonb NOT NULL
      )`);
    await runner.query(`CREATE INDEX test_visits_project ON test_visits (project_id, started_at)`);
    await runner.query(`CREATE UNIQUE INDEX test_visits_one ON test_visits (project_id) WHERE finished_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE test_visits`);
    await runner.query(`DROP TABLE refused_requests`);
    await runner.query(`ALTER TABLE access_tokens DROP COLUMN last_used_at`);
  }
}
