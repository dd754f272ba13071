/** Tables for the robots.txt history of each project's hosts. The console writes to them. */
export const ROBOTS = `
-- Contents of robots.txt files. Each text is stored only once, even if several hosts serve it.
CREATE TABLE robots_texts (
  digest bytea PRIMARY KEY,
  text text NOT NULL,
  is_cut boolean NOT NULL
);

CREATE TABLE robots_versions (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  host text NOT NULL,
  served_from timestamptz NOT NULL,
  served_until timestamptz CHECK (served_until > served_from),
  status smallint,
  digest bytea REFERENCES robots_texts,
  -- True if a person entered this version, false if it was fetched.
  is_recorded boolean NOT NULL
);
CREATE UNIQUE INDEX robots_versions_host ON robots_versions (project_id, host, served_from);
CREATE INDEX robots_versions_time ON robots_versions (project_id, served_from DESC, id DESC);
CREATE INDEX robots_versions_digest ON robots_versions (digest);

-- Fetch schedule and status of each host.
CREATE TABLE robots_hosts (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  host text NOT NULL,
  next_fetch_at timestamptz NOT NULL,
  claimed_until timestamptz,
  checked_at timestamptz,
  confirmed_at timestamptz,
  fault text,
  url text,
  etag text,
  last_modified text,
  digest bytea REFERENCES robots_texts,
  PRIMARY KEY (project_id, host)
);
CREATE INDEX robots_hosts_due ON robots_hosts (next_fetch_at);
CREATE INDEX robots_hosts_digest ON robots_hosts (digest);

-- RSL licenses that robots.txt links to, as of the last fetch.
CREATE TABLE robots_licenses (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  url text NOT NULL,
  next_fetch_at timestamptz NOT NULL,
  claimed_until timestamptz,
  checked_at timestamptz,
  fault text,
  -- Content and its licenses, or null if no fetch has found a valid license.
  contents jsonb,
  PRIMARY KEY (project_id, url)
);
CREATE INDEX robots_licenses_due ON robots_licenses (next_fetch_at);

-- Incremented when a project's versions change, so enrichment knows to reload them.
CREATE TABLE robots_revisions (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  revision bigint NOT NULL
);
`;
