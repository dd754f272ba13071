import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of agents, the address lists that operators publish, and the test agent's key. */
export class Catalogue1763720000000 implements MigrationInterface {
  name = 'Catalogue1763720000000';

  async up(runner: QueryRunner): Promise<void> {
    // Written by catalog. An agent is what was entered here, else what came with the release.
    await runner.query(`
      CREATE TABLE agents (
        id uuid PRIMARY KEY,
        bundled jsonb,
        own jsonb,
        changed_at timestamptz NOT NULL DEFAULT now(),
        CHECK (bundled IS NOT NULL OR own IS NOT NULL)
      )`);
    // Ranges as they were last fetched without a fault; null until then.
    await runner.query(`
      CREATE TABLE address_lists (
        url text PRIMARY KEY,
        format text NOT NULL,
        ranges jsonb,
        fetched_at timestamptz,
        etag text,
        last_modified text,
        fault text,
        next_try_at timestamptz NOT NULL DEFAULT now()
      )`);
    // One row. The revision counts changes of all that the catalog is made of.
    await runner.query(`
      CREATE TABLE catalogue_state (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        revision bigint NOT NULL,
        bundled_version text NOT NULL
      )`);
    await runner.query(`INSERT INTO catalogue_state (revision, bundled_version) VALUES (1, '')`);
    // Made with the first project, read by catalog and console. The private key is encrypted.
    await runner.query(`
      CREATE TABLE test_agent_keys (
        id text PRIMARY KEY,
        public_key jsonb NOT NULL,
        private_key bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['test_agent_keys', 'catalogue_state', 'address_lists', 'agents']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
