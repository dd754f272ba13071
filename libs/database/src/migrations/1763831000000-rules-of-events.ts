import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which settings of its alert each event is told, whatever becomes of these. */
export class RulesOfEvents1763831000000 implements MigrationInterface {
  name = 'RulesOfEvents1763831000000';

  async up(runner: QueryRunner): Promise<void> {
    // As EventRule of the console. Null where a console of a former release recorded the event: the alert's settings hold.
    await runner.query(`ALTER TABLE alert_events ADD COLUMN rule jsonb`);
    await runner.query(`
      UPDATE alert_events e SET rule = jsonb_build_object(
        'agent_id', a.agent_id, 'agent_type', a.agent_type, 'operator', a.operator, 'window_minutes', a.window_minutes)
      FROM alerts a WHERE a.id = e.alert_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alert_events DROP COLUMN rule`);
  }
}
