import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of agents that others keep, what they bring, and the agents that were accepted from them. */
export class AgentFeeds1763795000000 implements MigrationInterface {
  name = 'AgentFeeds1763795000000';

  async up(runner: QueryRunner): Promise<void> {
    // Written by catalog. A feed is fetched from its address, or has a document that was sent. The process that reads it holds
    // the claim until then, so that no other does, and one that took too long changes nothing.
    await runner.query(`
      CREATE TABLE agent_feeds (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL,
        url text,
        document text,
        public_key text,
        accepts_all boolean NOT NULL,
        format text,
        signed_at timestamptz,
        etag text,
        last_modified text,
        fault text,
        fetched_at timestamptz,
        requested_at timestamptz DEFAULT now(),
        next_try_at timestamptz NOT NULL DEFAULT 'infinity',
        claim uuid,
        claimed_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CHECK ((url IS NULL) <> (document IS NULL))
      )`);
    await runner.query(`CREATE UNIQUE INDEX agent_feeds_name ON agent_feeds (lower(name))`);
    await runner.query(`
      CREATE TABLE feed_agents (
        feed_id uuid NOT NULL REFERENCES agent_feeds ON DELETE CASCADE,
        agent_id uuid NOT NULL,
        token text NOT NULL,
        record jsonb,
        state text NOT NULL,
        reason text,
        first_seen_at timestamptz NOT NULL DEFAULT now(),
        gone_at timestamptz,
        PRIMARY KEY (feed_id, agent_id)
      )`);
    await runner.query(`CREATE INDEX feed_agents_state ON feed_agents (state)`);
    // An agent is what was entered here, else what came with the release, else what was accepted from a feed.
    await runner.query(`
      ALTER TABLE agents
        ADD COLUMN feed jsonb,
        ADD COLUMN feed_id uuid REFERENCES agent_feeds ON DELETE SET NULL,
        ADD COLUMN feed_name text,
        ADD COLUMN feed_url text,
        ADD COLUMN feed_accepted_at timestamptz,
        ADD COLUMN feed_gone_at timestamptz,
        DROP CONSTRAINT agents_check,
        ADD CONSTRAINT agents_check CHECK (bundled IS NOT NULL OR own IS NOT NULL OR feed IS NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // What came from feeds is known on, as agents that were entered here.
    await runner.query(`UPDATE agents SET own = feed WHERE own IS NULL AND bundled IS NULL`);
    await runner.query(`
      ALTER TABLE agents
        DROP CONSTRAINT agents_check,
        DROP COLUMN feed, DROP COLUMN feed_id, DROP COLUMN feed_name, DROP COLUMN feed_url,
        DROP COLUMN feed_accepted_at, DROP COLUMN feed_gone_at,
        ADD CONSTRAINT agents_check CHECK (bundled IS NOT NULL OR own IS NOT NULL)`);
    await runner.query(`DROP TABLE feed_agents`);
    await runner.query(`DROP TABLE agent_feeds`);
  }
}
