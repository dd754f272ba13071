import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

/** What people show beside their password, and sign-ins that wait for it. */
export class SecondFactors1763820000000 implements MigrationInterface {
  name = 'SecondFactors1763820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE second_factors (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
        -- Encrypted by SecretBox.
        secret bytea NOT NULL,
        -- Null until a code has shown that the authenticator app has the secret.
        active_since timestamptz,
        -- Of the last code that was accepted: no code of this time step, or of one before, counts again.
        last_step bigint NOT NULL DEFAULT 0,
        -- SHA-256 of those that are left.
        recovery_codes bytea[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE pending_sign_ins (
        -- SHA-256 of the token that the browser has.
        hash bytea PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        attempts integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX pending_sign_ins_user ON pending_sign_ins (user_id)`);
    await auditTable(runner, {
      table: 'second_factors',
      subject: 'second_factor',
      id: 'user_id',
      keeps: ['user_id', 'active_since'],
      hides: ['secret', 'recovery_codes'],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE pending_sign_ins`);
    await runner.query(`DROP TABLE second_factors`);
  }
}
