/** Tables for projects, members, credentials and saved settings. The console writes to them. */
export const PROJECTS = `
-- The gateway and enrichment also read this table.
CREATE TABLE projects (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  site_address text,
  host_names text[] NOT NULL DEFAULT '{}',
  time_zone text NOT NULL DEFAULT 'UTC',
  trusted_proxies jsonb NOT NULL DEFAULT '{}',
  redacted_headers text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Headers that are stored even though their names look like credentials.
  unredacted_headers text[] NOT NULL DEFAULT '{}',
  unknown_visitors text NOT NULL DEFAULT 'kept' CHECK (unknown_visitors IN ('kept', 'reduced', 'counted')),
  is_demo boolean NOT NULL DEFAULT false,
  -- Prices of 10^9 bytes sent and an hour of server time. Null if not set.
  price_per_gb double precision CHECK (price_per_gb >= 0),
  price_per_server_hour double precision CHECK (price_per_server_hour >= 0),
  -- ISO 4217 code.
  currency text NOT NULL DEFAULT 'USD',
  path_patterns jsonb NOT NULL DEFAULT '[]',
  -- Hosts that sell access to the site, and the prices per request.
  toll_hosts text[] NOT NULL DEFAULT '{}',
  list_prices jsonb NOT NULL DEFAULT '[]'
);
CREATE UNIQUE INDEX projects_demo ON projects (is_demo) WHERE is_demo;

-- Deleted projects whose visits and counts haven't been deleted yet.
CREATE TABLE removed_projects (
  project_id uuid PRIMARY KEY,
  removed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE project_members (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_user ON project_members (user_id);

CREATE TABLE project_invitations (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
  hash bytea NOT NULL UNIQUE,
  created_by uuid REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX project_invitations_project ON project_invitations (project_id);

-- Tokens are looked up by their SHA-256. The encrypted value lets the settings page display the token.
CREATE TABLE access_tokens (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  encrypted bytea NOT NULL,
  hint text NOT NULL,
  from_environment boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  -- Written by the gateway, accurate to the minute.
  last_used_at timestamptz,
  -- Null if the token was created by a program or by a deleted account.
  created_by uuid REFERENCES users ON DELETE SET NULL,
  -- True if the token was revoked because its environment variable changed. If the variable changes back, the token
  -- becomes valid again.
  is_replaced boolean NOT NULL DEFAULT false,
  expires_at timestamptz,
  allowed_networks text[] NOT NULL DEFAULT '{}',
  purposes text[] NOT NULL DEFAULT '{report,drain,ask,forward}'
);
CREATE INDEX access_tokens_project ON access_tokens (project_id);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  admin boolean NOT NULL,
  project_ids uuid[] NOT NULL DEFAULT '{}',
  from_environment boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  -- See access_tokens for the meaning of created_by and is_replaced.
  created_by uuid REFERENCES users ON DELETE SET NULL,
  is_replaced boolean NOT NULL DEFAULT false,
  -- Owner of a personal key. Null if an administrator created the key for a program.
  acts_as uuid REFERENCES users ON DELETE CASCADE,
  last_used_at timestamptz,
  expires_at timestamptz,
  scopes text[] NOT NULL CHECK (scopes <@ '{read,write,admin}' AND cardinality(scopes) > 0)
);

-- Links that show a project's overview to people without an account.
CREATE TABLE shared_links (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  password text,
  -- True for a badge without a page.
  is_badge boolean NOT NULL DEFAULT false,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  CHECK (NOT is_badge OR password IS NULL)
);
CREATE INDEX shared_links_project ON shared_links (project_id);

CREATE TABLE saved_filters (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  page text NOT NULL,
  search text NOT NULL,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_filters_name ON saved_filters (project_id, lower(name));

CREATE TABLE chart_notes (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  day date NOT NULL,
  text text NOT NULL,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX chart_notes_day ON chart_notes (project_id, day);
CREATE INDEX chart_notes_author ON chart_notes (created_by);

CREATE TABLE rules_versions (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  selection json NOT NULL,
  text text NOT NULL,
  catalog_version text NOT NULL,
  saved_by uuid REFERENCES users ON DELETE SET NULL,
  saved_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX rules_versions_newest ON rules_versions (project_id, saved_at DESC, id DESC);
CREATE INDEX rules_versions_saver ON rules_versions (saved_by);

-- Ordered rules on how to respond to agents. The newest version applies.
CREATE TABLE policy_versions (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  rules json NOT NULL,
  -- Forecast at the time of saving, or null.
  forecast json,
  saved_by uuid REFERENCES users ON DELETE SET NULL,
  saved_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX policy_versions_newest ON policy_versions (project_id, saved_at DESC, id DESC);
CREATE INDEX policy_versions_saver ON policy_versions (saved_by);

-- Decisions of rules by hour. Rule IDs include those of exceptions.
CREATE TABLE policy_decisions (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  rule_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  mode text NOT NULL,
  outcome text NOT NULL,
  decisions bigint NOT NULL,
  PRIMARY KEY (project_id, rule_id, hour, mode, outcome)
);

-- User-agent groups that were dismissed from the list of unlisted agents.
CREATE TABLE dismissed_user_agents (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  user_agent_group text NOT NULL,
  dismissed_by uuid REFERENCES users ON DELETE SET NULL,
  dismissed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, user_agent_group)
);
CREATE INDEX dismissed_user_agents_by ON dismissed_user_agents (dismissed_by);

-- Progress of loading sample visits, and of adding new ones afterwards.
CREATE TABLE demo_loads (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  seed integer NOT NULL DEFAULT 1,
  visits integer NOT NULL DEFAULT 0,
  done real NOT NULL DEFAULT 0,
  has_failed boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- True if new visits are added over time.
  is_live boolean NOT NULL DEFAULT true,
  -- Visits before this time are published. Null until loading starts.
  published_until timestamptz,
  -- Batch that continues from published_until. Its ID is stored first, so its visits are only stored once, even if
  -- several processes publish it.
  pending_until timestamptz,
  pending_batch_id uuid,
  has_past_alerts boolean NOT NULL DEFAULT false,
  CHECK ((pending_until IS NULL) = (pending_batch_id IS NULL))
);

-- Progress of test visits, shared between all replicas.
CREATE TABLE test_visits (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  state jsonb NOT NULL
);
CREATE INDEX test_visits_project ON test_visits (project_id, started_at);
CREATE UNIQUE INDEX test_visits_one ON test_visits (project_id) WHERE finished_at IS NULL;
`;
