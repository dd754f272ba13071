import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

/** Keys of people's devices to sign in with, and what these are asked to sign. */
export class Passkeys1763822000000 implements MigrationInterface {
  name = 'Passkeys1763822000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passkeys (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        name text NOT NULL,
        -- The device's name for it, in base64url.
        credential_id text NOT NULL UNIQUE,
        -- COSE_Key (RFC 9053).
        public_key bytea NOT NULL,
        -- Host that it is for.
        rp_id text NOT NULL,
        -- Uses that the device counted; many count none.
        uses bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz
      )`);
    await runner.query(`CREATE INDEX passkeys_user ON passkeys (user_id)`);
    await runner.query(`
      CREATE TABLE passkey_challenges (
        -- SHA-256 of the token that the browser has.
        hash bytea PRIMARY KEY,
        challenge text NOT NULL,
        -- Who registers a passkey; null where somebody signs in.
        user_id uuid REFERENCES users ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      )`);
    await auditTable(runner, {
      table: 'passkeys',
      subject: 'passkey',
      keeps: ['user_id', 'name', 'rp_id'],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE passkey_challenges`);
    await runner.query(`DROP TABLE passkeys`);
  }
}
