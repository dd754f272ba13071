import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the person of a session last showed who they are: by signing in, or by their password since. */
export class ConfirmedSessions1763804000000 implements MigrationInterface {
  name = 'ConfirmedSessions1763804000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_sessions ADD COLUMN confirmed_at timestamptz NOT NULL DEFAULT now()`);
    await runner.query(`UPDATE user_sessions SET confirmed_at = created_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_sessions DROP COLUMN confirmed_at`);
  }
}
