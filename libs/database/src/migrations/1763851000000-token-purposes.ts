import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

const TOKENS = ['name', 'hint', 'from_environment', 'revoked_at', 'expires_at', 'allowed_networks'];

/** What an access token may be used for. Existing tokens keep all purposes. */
export class TokenPurposes1763851000000 implements MigrationInterface {
  name = 'TokenPurposes1763851000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE access_tokens ADD COLUMN purposes text[] NOT NULL DEFAULT '{report,drain,ask,forward}'`,
    );
    await audit(runner, [...TOKENS, 'purposes']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await audit(runner, TOKENS);
    await runner.query(`ALTER TABLE access_tokens DROP COLUMN purposes`);
  }
}

const audit = (runner: QueryRunner, keeps: string[]): Promise<void> =>
  auditTable(runner, { table: 'access_tokens', subject: 'access_token', project: 'project_id', keeps });
