import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With what sessions were opened: what those of the OpenID provider took is its business. */
export class SessionOpenings1763821000000 implements MigrationInterface {
  name = 'SessionOpenings1763821000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_sessions ADD COLUMN opened_by text NOT NULL DEFAULT 'password'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_sessions DROP COLUMN opened_by`);
  }
}
