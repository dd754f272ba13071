import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

const KEYS = ['name', 'admin', 'project_ids', 'acts_as', 'from_environment', 'revoked_at', 'expires_at'];

/** API keys with scopes. Those that are there keep what they may, which `is_read_only` says. */
export class ApiKeyScopes1763812000000 implements MigrationInterface {
  name = 'ApiKeyScopes1763812000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys ADD COLUMN scopes text[]
        CHECK (scopes <@ '{read,write,admin}' AND cardinality(scopes) > 0)`);
    await auditTable(runner, { table: 'api_keys', subject: 'api_key', keeps: [...KEYS, 'is_read_only', 'scopes'] });
  }

  async down(runner: QueryRunner): Promise<void> {
    // The version before lets each key read, and a person's own key in all of their projects.
    await runner.query(`
      DELETE FROM api_keys WHERE NOT 'read' = ANY (scopes) OR (acts_as IS NOT NULL AND project_ids <> '{}')`);
    await auditTable(runner, { table: 'api_keys', subject: 'api_key', keeps: [...KEYS, 'is_read_only'] });
    await runner.query(`ALTER TABLE api_keys DROP COLUMN scopes`);
  }
}
