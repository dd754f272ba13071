/** Tables for agents, assistants, feeds and published address lists. The catalog service writes to them. */
export const CATALOG = `
-- Third-party agent lists. A feed has either a URL or an uploaded document.
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
  -- Identifies the process that is reading the feed. If its claim has expired, the process can't store the result.
  claim uuid,
  claimed_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((url IS NULL) <> (document IS NULL))
);
CREATE UNIQUE INDEX agent_feeds_name ON agent_feeds (lower(name));

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
);
CREATE INDEX feed_agents_state ON feed_agents (state);

CREATE TABLE agents (
  id uuid PRIMARY KEY,
  bundled jsonb,
  own jsonb,
  changed_at timestamptz NOT NULL DEFAULT now(),
  feed jsonb,
  feed_id uuid REFERENCES agent_feeds ON DELETE SET NULL,
  feed_name text,
  feed_url text,
  feed_accepted_at timestamptz,
  feed_gone_at timestamptz,
  -- The record in effect.
  record jsonb NOT NULL GENERATED ALWAYS AS (coalesce(own, bundled, feed)) STORED
);

CREATE TABLE assistants (
  id uuid PRIMARY KEY,
  bundled jsonb,
  own jsonb,
  changed_at timestamptz NOT NULL DEFAULT now(),
  record jsonb NOT NULL GENERATED ALWAYS AS (coalesce(own, bundled)) STORED
);

-- IP address lists published by agent operators.
CREATE TABLE address_lists (
  url text PRIMARY KEY,
  format text NOT NULL,
  -- Result of the last successful fetch.
  ranges jsonb,
  fetched_at timestamptz,
  -- Last fetch with different ranges.
  changed_at timestamptz,
  etag text,
  last_modified text,
  fault text,
  next_try_at timestamptz NOT NULL DEFAULT now()
);

-- Contains a single row. Every catalog change increments the revision.
CREATE TABLE catalog_state (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  revision bigint NOT NULL,
  bundled_version text NOT NULL
);
INSERT INTO catalog_state (revision, bundled_version) VALUES (1, '');

CREATE TABLE catalog_updates (
  version text NOT NULL,
  updated_at timestamptz PRIMARY KEY DEFAULT now(),
  added integer NOT NULL,
  changed integer NOT NULL,
  removed integer NOT NULL
);

-- Signing keys of the test agent, created with the first project. The private key is encrypted.
CREATE TABLE test_agent_keys (
  id text PRIMARY KEY,
  public_key jsonb NOT NULL,
  private_key bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
`;
