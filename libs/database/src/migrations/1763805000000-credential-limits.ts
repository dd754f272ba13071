import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

const TOKENS = ['name', 'hint', 'from_environment', 'revoked_at'];
const KEYS = ['name', 'admin', 'project_ids', 'is_read_only', 'acts_as', 'from_environment', 'revoked_at'];

/** When tokens and keys stop working, and from where a token may be used. */
export class CredentialLimits1763805000000 implements MigrationInterface {
  name = 'CredentialLimits1763805000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE access_tokens ADD COLUMN expires_at timestamptz,
        ADD COLUMN allowed_networks text[] NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE api_keys ADD COLUMN expires_at timestamptz`);
    await audit(runner, ['expires_at', 'allowed_networks'], ['expires_at']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await audit(runner, [], []);
    await runner.query(`ALTER TABLE access_tokens DROP COLUMN expires_at, DROP COLUMN allowed_networks`);
    await runner.query(`ALTER TABLE api_keys DROP COLUMN expires_at`);
  }
}

async function audit(runner: QueryRunner, ofTokens: string[], ofKeys: string[]): Promise<void> {
  const tokens = [...TOKENS, ...ofTokens];
  await auditTable(runner, { table: 'access_tokens', subject: 'access_token', project: 'project_id', keeps: tokens });
  await auditTable(runner, { table: 'api_keys', subject: 'api_key', keeps: [...KEYS, ...ofKeys] });
}
