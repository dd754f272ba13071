import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When lines of each day were first imported, which the IDs of imported visits are made from. Written by gateway. */
export class ImportDays1763853000000 implements MigrationInterface {
  name = 'ImportDays1763853000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE import_days (
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        day integer NOT NULL,
        first_at timestamptz NOT NULL,
        import_id uuid NOT NULL,
        PRIMARY KEY (project_id, day)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE import_days`);
  }
}
