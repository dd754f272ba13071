import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links for a new password. Written by console. */
export class PasswordResets1763780000000 implements MigrationInterface {
  name = 'PasswordResets1763780000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE password_resets (
        user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        hash bytea NOT NULL UNIQUE,
        expires_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE password_resets`);
  }
}
