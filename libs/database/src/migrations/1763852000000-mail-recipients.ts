import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may get the alert mails of a project. Recipients of channels from before count as confirmed. */
export class MailRecipients1763852000000 implements MigrationInterface {
  name = 'MailRecipients1763852000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_recipients (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        address text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        confirmed_at timestamptz,
        stopped_at timestamptz,
        UNIQUE (project_id, address)
      )`);
    await runner.query(`
      INSERT INTO mail_recipients (project_id, address, confirmed_at)
      SELECT DISTINCT project_id, lower(address), now()
      FROM alert_channels, unnest(string_to_array(target_hint, ', ')) AS address WHERE kind = 'email'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE mail_recipients`);
  }
}
