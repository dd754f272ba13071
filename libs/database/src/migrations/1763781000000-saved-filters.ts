import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Filters that a project keeps for its people, and API keys that act as a person. All of it is written by console. */
export class SavedFilters1763781000000 implements MigrationInterface {
  name = 'SavedFilters1763781000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saved_filters (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        page text NOT NULL,
        search text NOT NULL,
        created_by uuid REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE UNIQUE INDEX saved_filters_name ON saved_filters (project_id, lower(name))`);
    // A person's own key ends with the account. Null: a key that an administrator made for a program.
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN acts_as uuid REFERENCES users ON DELETE CASCADE,
        ADD COLUMN last_used_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Without the column they would be keys for no project.
    await runner.query(`DELETE FROM api_keys WHERE acts_as IS NOT NULL`);
    await runner.query(`ALTER TABLE api_keys DROP COLUMN acts_as, DROP COLUMN last_used_at`);
    await runner.query(`DROP TABLE saved_filters`);
  }
}
