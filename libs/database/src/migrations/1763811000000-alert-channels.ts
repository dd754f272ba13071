import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

/** Where the alerts of projects are sent to, and the queue of what is to be sent. */
export class AlertChannels1763811000000 implements MigrationInterface {
  name = 'AlertChannels1763811000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE alert_channels (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        kind text NOT NULL,
        name text NOT NULL,
        -- What can be shown of the target: the URL, or the addresses as JSON. Encrypted by SecretBox, as the secrets are.
        target_hint text NOT NULL,
        target bytea NOT NULL,
        secret bytea,
        former_secret bytea,
        former_secret_until timestamptz,
        is_enabled boolean NOT NULL DEFAULT true,
        disabled_reason text,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX alert_channels_project ON alert_channels (project_id)`);
    await runner.query(`
      CREATE TABLE alert_deliveries (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        channel_id uuid NOT NULL REFERENCES alert_channels ON DELETE CASCADE,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        type text NOT NULL,
        -- As AlertMessage of the console.
        message jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        -- Null once it is delivered, or given up.
        next_attempt_at timestamptz,
        claimed_until timestamptz,
        last_attempt_at timestamptz,
        delivered_at timestamptz,
        status smallint,
        error text
      )`);
    await runner.query(
      `CREATE INDEX alert_deliveries_due ON alert_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX alert_deliveries_project ON alert_deliveries (project_id, created_at DESC, id DESC)`,
    );
    await runner.query(`CREATE INDEX alert_deliveries_channel ON alert_deliveries (channel_id)`);
    await runner.query(`CREATE INDEX alert_deliveries_age ON alert_deliveries (created_at)`);
    await auditTable(runner, {
      table: 'alert_channels',
      subject: 'alert_channel',
      project: 'project_id',
      keeps: ['kind', 'name', 'target_hint', 'is_enabled', 'disabled_reason'],
      hides: ['target', 'secret'],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE alert_deliveries`);
    await runner.query(`DROP TABLE alert_channels`);
  }
}
