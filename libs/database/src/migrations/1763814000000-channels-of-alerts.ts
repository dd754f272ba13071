import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

const ALERTS = [
  'kind',
  'agent_id',
  'agent_type',
  'operator',
  'threshold',
  'minimum',
  'window_minutes',
  'cooldown_minutes',
  'recovery_minutes',
  'is_enabled',
  'muted_until',
];

/** To which of a project's channels an alert goes. */
export class ChannelsOfAlerts1763814000000 implements MigrationInterface {
  name = 'ChannelsOfAlerts1763814000000';

  async up(runner: QueryRunner): Promise<void> {
    // Null: to all.
    await runner.query(`ALTER TABLE alerts ADD COLUMN channel_ids uuid[] CHECK (cardinality(channel_ids) > 0)`);
    await audit(runner, [...ALERTS, 'channel_ids']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await audit(runner, ALERTS);
    await runner.query(`ALTER TABLE alerts DROP COLUMN channel_ids`);
  }
}

const audit = (runner: QueryRunner, keeps: string[]): Promise<void> =>
  auditTable(runner, { table: 'alerts', subject: 'alert', project: 'project_id', keeps });
