import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the hosts of projects served as robots.txt, from when to when; written by console. Texts are stored once, however many
 * hosts serve them. A revision of a project tells enrichment that its versions have changed.
 */
export class RobotsVersions1763791000000 implements MigrationInterface {
  name = 'RobotsVersions1763791000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE robots_texts (
        digest bytea PRIMARY KEY,
        text text NOT NULL,
        is_cut boolean NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE robots_versions (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        host text NOT NULL,
        served_from timestamptz NOT NULL,
        served_until timestamptz CHECK (served_until > served_from),
        status smallint,
        digest bytea REFERENCES robots_texts,
        is_recorded boolean NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX robots_versions_host ON robots_versions (project_id, host, served_from)`);
    await runner.query(`CREATE INDEX robots_versions_time ON robots_versions (project_id, served_from DESC, id DESC)`);
    await runner.query(`CREATE INDEX robots_versions_digest ON robots_versions (digest)`);
    await runner.query(`
      CREATE TABLE robots_hosts (
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        host text NOT NULL,
        next_fetch_at timestamptz NOT NULL,
        claimed_until timestamptz,
        checked_at timestamptz,
        confirmed_at timestamptz,
        fault text,
        url text,
        etag text,
        last_modified text,
        digest bytea REFERENCES robots_texts,
        PRIMARY KEY (project_id, host)
      )`);
    await runner.query(`CREATE INDEX robots_hosts_due ON robots_hosts (next_fetch_at)`);
    await runner.query(`CREATE INDEX robots_hosts_digest ON robots_hosts (digest)`);
    await runner.query(`
      CREATE TABLE robots_revisions (
        project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        revision bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['robots_revisions', 'robots_hosts', 'robots_versions', 'robots_texts']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
