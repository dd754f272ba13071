import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The project of made-up visits, and how far they are loaded. */
export class DemoData1763785000000 implements MigrationInterface {
  name = 'DemoData1763785000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects ADD COLUMN is_demo boolean NOT NULL DEFAULT false`);
    await runner.query(`CREATE UNIQUE INDEX projects_demo ON projects (is_demo) WHERE is_demo`);
    await runner.query(`
      CREATE TABLE demo_loads (
        project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        visits integer NOT NULL DEFAULT 0,
        done real NOT NULL DEFAULT 0,
        has_failed boolean NOT NULL DEFAULT false,
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    // Those that the command line made before were known by name and address.
    await runner.query(`
      UPDATE projects SET is_demo = true WHERE id = (
        SELECT id FROM projects WHERE name = 'Demo shop' AND site_address = 'https://demo-shop.example'
        ORDER BY created_at LIMIT 1)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE demo_loads`);
    await runner.query(`ALTER TABLE projects DROP COLUMN is_demo`);
  }
}
