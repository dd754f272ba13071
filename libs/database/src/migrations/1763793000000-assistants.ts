import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The assistants that people come from, written by catalog: what was entered here, else what came with the release. */
export class Assistants1763793000000 implements MigrationInterface {
  name = 'Assistants1763793000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE assistants (
        id uuid PRIMARY KEY,
        bundled jsonb,
        own jsonb,
        changed_at timestamptz NOT NULL DEFAULT now(),
        CHECK (bundled IS NOT NULL OR own IS NOT NULL)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE assistants`);
  }
}
