import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of visits that wait for Kafka. A row without a visit stands for a removed project. */
export class VisitChanges1763855000000 implements MigrationInterface {
  name = 'VisitChanges1763855000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE visit_changes (
        sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        project_id uuid NOT NULL,
        visit_id uuid,
        received_at timestamptz,
        occurred_at timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE visit_changes`);
  }
}
