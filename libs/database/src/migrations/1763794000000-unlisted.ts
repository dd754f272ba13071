import type { MigrationInterface, QueryRunner } from 'typeorm';
import { INSIGHTS, partitionsWithout, visitsFull } from './1763790000000-insights.js';

const INDEX = 'unknown_visits_user_agent_group';
const COLUMNS = `(project_id, user_agent_group, occurred_at DESC, id DESC) WHERE user_agent_group IS NOT NULL`;

/**
 * The group of user agents that a visit of a suspected program belongs to, so that a group leads to its visits; and the
 * groups that a project's people dismissed, written by console.
 *
 * Statement by statement, as the migration of insights.
 */
export class Unlisted1763794000000 implements MigrationInterface {
  name = 'Unlisted1763794000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE unknown_visits ADD COLUMN IF NOT EXISTS user_agent_group integer`);
    await runner.query(visitsFull([...INSIGHTS, ['user_agent_group', 'NULL::integer', 'user_agent_group']]));
    await runner.query(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ONLY unknown_visits ${COLUMNS}`);
    for (const partition of await partitionsWithout(runner, 'unknown_visits', INDEX)) {
      const index = `${partition}_user_agent_group`;
      await runner.query(`CREATE INDEX IF NOT EXISTS ${index} ON ${partition} ${COLUMNS}`);
      await runner.query(`ALTER INDEX ${INDEX} ATTACH PARTITION ${index}`);
    }
    await runner.query(`
      CREATE TABLE IF NOT EXISTS dismissed_user_agents (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_agent_group text NOT NULL,
        dismissed_by uuid REFERENCES users ON DELETE SET NULL,
        dismissed_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, user_agent_group)
      )`);
    await runner.query(`CREATE INDEX IF NOT EXISTS dismissed_user_agents_by ON dismissed_user_agents (dismissed_by)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE IF EXISTS dismissed_user_agents`);
    await runner.query(`DROP INDEX IF EXISTS ${INDEX}`);
    await runner.query(`DROP VIEW IF EXISTS visits_full`);
    await runner.query(visitsFull(INSIGHTS));
    await runner.query(`ALTER TABLE unknown_visits DROP COLUMN IF EXISTS user_agent_group`);
  }
}
