/** Tables for the pages of each project and the agents' fetches of them. */
export const COVERAGE = `
-- State of a project's sitemaps and of the counts of fetches. Console schedules and reads the sitemaps, ingest counts.
CREATE TABLE coverage_states (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  next_fetch_at timestamptz NOT NULL,
  claimed_until timestamptz,
  checked_at timestamptz,
  -- Hosts whose pages have been read completely. Pages that their sitemaps list later are new.
  read_hosts text[] NOT NULL DEFAULT '{}',
  -- Number of the last counted visit in each shard.
  position float8[] NOT NULL DEFAULT '{}',
  counted_at timestamptz,
  -- Agents whose fetches are counted separately.
  agents uuid[] NOT NULL DEFAULT '{}'
);
CREATE INDEX coverage_states_due ON coverage_states (next_fetch_at);

-- Sitemaps that were read last, and problems with them.
CREATE TABLE sitemaps (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- URL, or the host of a recorded sitemap.
  url text NOT NULL,
  is_recorded boolean NOT NULL,
  checked_at timestamptz NOT NULL,
  is_index boolean NOT NULL,
  entries integer NOT NULL,
  ignored integer NOT NULL,
  fault text,
  line integer,
  PRIMARY KEY (project_id, url)
);

CREATE TABLE site_pages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- Path without its query and without suffixes such as .html. Empty for all pages over the limit.
  page text NOT NULL,
  folder text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN page LIKE '/%/%' THEN '/' || split_part(page, '/', 2) || '/' ELSE '/' END
  ) STORED,
  -- Whether a fetched sitemap lists the page, and the hosts whose recorded sitemaps list it.
  is_fetched boolean NOT NULL,
  recorded_hosts text[] NOT NULL DEFAULT '{}',
  -- If no sitemap lists the page, agents have fetched it anyway.
  is_listed boolean NOT NULL GENERATED ALWAYS AS (is_fetched OR recorded_hosts <> '{}') STORED,
  first_seen_at timestamptz,
  -- Equal to first_seen_at, or null if the page existed before its host's sitemaps were read completely.
  added_at timestamptz,
  last_seen_at timestamptz,
  last_modified timestamptz
);
CREATE UNIQUE INDEX site_pages_page ON site_pages (project_id, page);
CREATE INDEX site_pages_folder ON site_pages (project_id, folder, page) WHERE is_listed;
CREATE INDEX site_pages_unlisted ON site_pages (project_id) WHERE NOT is_listed;

CREATE TABLE page_fetches (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  page_id bigint NOT NULL,
  -- The nil UUID stands for all agents that aren't counted separately.
  agent_id uuid NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  fetches integer NOT NULL,
  successes integer NOT NULL,
  redirects integer NOT NULL,
  client_errors integer NOT NULL,
  server_errors integer NOT NULL,
  with_query integer NOT NULL,
  -- Null if the fetches of several agents or pages are combined.
  repeats integer,
  PRIMARY KEY (project_id, page_id, agent_id)
);
`;
