import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable } from './audited-table.js';

/** Who gets a weekly report of which project. */
export class WeeklyReports1763813000000 implements MigrationInterface {
  name = 'WeeklyReports1763813000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE report_subscriptions (
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        -- In the links of the reports: it ends them, and opens nothing.
        unsubscription uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
        created_at timestamptz NOT NULL DEFAULT now(),
        -- When the next report is due, or tried again; of one that is being sent, when that is given up.
        next_attempt_at timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        PRIMARY KEY (user_id, project_id)
      )`);
    await runner.query(`CREATE INDEX report_subscriptions_project ON report_subscriptions (project_id)`);
    await runner.query(`CREATE INDEX report_subscriptions_due ON report_subscriptions (next_attempt_at)`);
    await auditTable(runner, {
      table: 'report_subscriptions',
      subject: 'report_subscription',
      id: 'user_id',
      project: 'project_id',
      keeps: ['user_id'],
      when: { update: false },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE report_subscriptions`);
  }
}
