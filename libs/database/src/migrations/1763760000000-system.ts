import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the processes are, settings of the instance, versions of rules, and links that reset a password. */
export class System1763760000000 implements MigrationInterface {
  name = 'System1763760000000';

  async up(runner: QueryRunner): Promise<void> {
    // Each process writes its own row, every few seconds, and removes it when it ends as it should.
    await runner.query(`
      CREATE TABLE service_instances (
        id uuid PRIMARY KEY,
        service text NOT NULL,
        host text NOT NULL,
        version text NOT NULL,
        started_at timestamptz NOT NULL,
        reported_at timestamptz NOT NULL,
        status text NOT NULL,
        checks json NOT NULL
      )`);
    // One row: console writes what is set in the dashboard, ingest what its configuration says.
    await runner.query(`
      CREATE TABLE instance_settings (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        retention_days integer,
        configured_retention_days integer
      )`);
    await runner.query(`INSERT INTO instance_settings DEFAULT VALUES`);
    // Written by console.
    await runner.query(`
      CREATE TABLE rules_versions (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        selection json NOT NULL,
        text text NOT NULL,
        catalogue_version text NOT NULL,
        saved_by uuid REFERENCES users ON DELETE SET NULL,
        saved_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX rules_versions_newest ON rules_versions (project_id, saved_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX rules_versions_saver ON rules_versions (saved_by)`);
    await runner.query(`
      CREATE TABLE password_resets (
        user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        hash bytea NOT NULL UNIQUE,
        expires_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['password_resets', 'rules_versions', 'instance_settings', 'service_instances']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
