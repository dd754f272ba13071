import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who made a credential, and whether the environment replaced it or a person revoked it. */
export class Makers1763771000000 implements MigrationInterface {
  name = 'Makers1763771000000';

  async up(runner: QueryRunner): Promise<void> {
    // Null: made by a program, by somebody whose account was removed, or before this was recorded.
    await runner.query(`ALTER TABLE api_keys ADD COLUMN created_by uuid REFERENCES users ON DELETE SET NULL`);
    await runner.query(`ALTER TABLE access_tokens ADD COLUMN created_by uuid REFERENCES users ON DELETE SET NULL`);
    await runner.query(`ALTER TABLE password_resets ADD COLUMN created_by uuid REFERENCES users ON DELETE CASCADE`);
    // Left behind by people who were administrators or owners once.
    await runner.query(`
      DELETE FROM project_invitations i USING users u WHERE u.id = i.created_by AND NOT u.is_admin AND NOT EXISTS (
        SELECT FROM project_members m WHERE m.project_id = i.project_id AND m.user_id = u.id AND m.role = 'owner'
      )`);
    // Revoked only because the environment had another value: counts again once the environment has this one.
    for (const table of ['api_keys', 'access_tokens']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN is_replaced boolean NOT NULL DEFAULT false`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['api_keys', 'access_tokens']) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN is_replaced, DROP COLUMN created_by`);
    }
    await runner.query(`ALTER TABLE password_resets DROP COLUMN created_by`);
  }
}
