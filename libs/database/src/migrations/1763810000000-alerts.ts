import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

/** Alerts of projects: their settings, when each fired and recovered, and how far counts were looked at. */
export class Alerts1763810000000 implements MigrationInterface {
  name = 'Alerts1763810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE alerts (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        kind text NOT NULL,
        agent_id uuid,
        agent_type text,
        operator text,
        threshold float8 NOT NULL,
        minimum integer NOT NULL,
        window_minutes integer NOT NULL,
        cooldown_minutes integer NOT NULL,
        recovery_minutes integer NOT NULL,
        is_enabled boolean NOT NULL DEFAULT true,
        muted_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CHECK (num_nonnulls(agent_id, agent_type, operator) <= 1)
      )`);
    await runner.query(`CREATE INDEX alerts_project ON alerts (project_id)`);
    await runner.query(`
      CREATE TABLE alert_events (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        alert_id uuid NOT NULL REFERENCES alerts ON DELETE CASCADE,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        -- The agent's id, or the host; '' stands for all.
        subject text NOT NULL,
        value float8 NOT NULL,
        usual float8,
        fired_at timestamptz NOT NULL,
        last_met_at timestamptz NOT NULL,
        recovered_at timestamptz
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX alert_events_open ON alert_events (alert_id, subject) WHERE recovered_at IS NULL`,
    );
    await runner.query(`CREATE INDEX alert_events_alert ON alert_events (alert_id, subject, fired_at)`);
    await runner.query(`CREATE INDEX alert_events_project ON alert_events (project_id, fired_at DESC, id DESC)`);
    await runner.query(`
      CREATE TABLE alert_evaluation (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        evaluated_until timestamptz NOT NULL
      )`);
    // What new projects have. Nothing is sent before a project has a channel.
    await runner.query(`
      INSERT INTO alerts (id, project_id, kind, threshold, minimum, window_minutes, cooldown_minutes, recovery_minutes)
      SELECT gen_random_uuid(), p.id, d.* FROM projects p, (VALUES
        ('new_agent', 0, 0, 15, 1440, 60), ('spoofing', 20, 0, 60, 1440, 60),
        ('errors', 50, 50, 60, 240, 60), ('no_visits', 0, 20, 60, 240, 15)
      ) d WHERE NOT p.is_demo`);
    await auditTable(runner, {
      table: 'alerts',
      subject: 'alert',
      project: 'project_id',
      keeps: [
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
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE alert_evaluation`);
    await runner.query(`DROP TABLE alert_events`);
    await runner.query(`DROP TABLE alerts`);
  }
}
