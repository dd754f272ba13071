import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where visits wait while Kafka is away. */
export class Outbox1763700000000 implements MigrationInterface {
  name = 'Outbox1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    // Written and emptied by gateway.
    await runner.query(`
      CREATE TABLE visits_outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        topic text NOT NULL,
        key text,
        value bytea NOT NULL,
        headers jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    // Bodies are read once: compressing them costs more than it saves.
    await runner.query(`ALTER TABLE visits_outbox ALTER COLUMN value SET STORAGE EXTERNAL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE visits_outbox`);
  }
}
