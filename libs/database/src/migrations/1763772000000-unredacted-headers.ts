import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names that a project keeps the values of although they look like those of credentials. */
export class UnredactedHeaders1763772000000 implements MigrationInterface {
  name = 'UnredactedHeaders1763772000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects ADD COLUMN unredacted_headers text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects DROP COLUMN unredacted_headers`);
  }
}
