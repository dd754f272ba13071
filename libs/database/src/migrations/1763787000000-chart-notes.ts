import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes that a project's people put on days of its charts, written by console, and updates of the catalog, by catalog. */
export class ChartNotes1763787000000 implements MigrationInterface {
  name = 'ChartNotes1763787000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE chart_notes (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        day date NOT NULL,
        text text NOT NULL,
        created_by uuid REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX chart_notes_day ON chart_notes (project_id, day)`);
    await runner.query(`CREATE INDEX chart_notes_author ON chart_notes (created_by)`);
    await runner.query(`
      CREATE TABLE catalog_updates (
        version text NOT NULL,
        updated_at timestamptz PRIMARY KEY DEFAULT now(),
        added integer NOT NULL,
        changed integer NOT NULL,
        removed integer NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE catalog_updates`);
    await runner.query(`DROP TABLE chart_notes`);
  }
}
