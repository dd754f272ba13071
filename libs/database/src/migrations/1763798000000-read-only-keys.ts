import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys that only read, as assistants need them. */
export class ReadOnlyKeys1763798000000 implements MigrationInterface {
  name = 'ReadOnlyKeys1763798000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys ADD COLUMN is_read_only boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Without the column they could write.
    await runner.query(`DELETE FROM api_keys WHERE is_read_only`);
    await runner.query(`ALTER TABLE api_keys DROP COLUMN is_read_only`);
  }
}
