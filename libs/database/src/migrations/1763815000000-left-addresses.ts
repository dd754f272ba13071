import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which addresses a mail has not reached, where others have it: those must not get it again with each attempt. */
export class LeftAddresses1763815000000 implements MigrationInterface {
  name = 'LeftAddresses1763815000000';

  async up(runner: QueryRunner): Promise<void> {
    // Null: nobody has it, or everybody.
    await runner.query(`ALTER TABLE alert_deliveries ADD COLUMN left_addresses text[]`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alert_deliveries DROP COLUMN left_addresses`);
  }
}
