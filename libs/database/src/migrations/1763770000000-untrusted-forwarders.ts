import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who sends a process forwarding headers that it does not believe. */
export class UntrustedForwarders1763770000000 implements MigrationInterface {
  name = 'UntrustedForwarders1763770000000';

  async up(runner: QueryRunner): Promise<void> {
    // Processes of the release before go on writing their rows.
    await runner.query(`ALTER TABLE service_instances ADD COLUMN untrusted_forwarders json NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE service_instances DROP COLUMN untrusted_forwarders`);
  }
}
