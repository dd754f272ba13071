/** Tables for visit counts, which charts and lists read. Ingest writes to them. */
export const COUNTS = `
-- Visit counts in 15-minute buckets. Every time zone offset in use is a multiple of 15 minutes. The nil UUID and ''
-- mean "no agent". Concurrent statements write to different shards to avoid lock contention.
CREATE TABLE visit_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_type text NOT NULL,
  result text NOT NULL,
  visits bigint NOT NULL,
  last_at timestamptz NOT NULL DEFAULT '-infinity',
  shard smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, bucket, agent_id, agent_type, result, shard)
);
CREATE TABLE visit_top_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  visits bigint NOT NULL,
  shard smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, bucket, dimension, value, shard)
);
-- Speeds up time series, which read a single dimension.
CREATE INDEX visit_top_counts_dimension ON visit_top_counts (project_id, dimension, bucket)
  WHERE dimension NOT IN ('page', 'agent_page', 'status', 'agent_status');

-- Hours and days with visits that the rollups below don't include yet.
CREATE TABLE visit_open_hours (
  project_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  shard smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, hour, shard)
);
CREATE TABLE visit_open_days (
  project_id uuid NOT NULL,
  day timestamptz NOT NULL,
  -- End of the last rolled-up hour in an unfinished day.
  summed_until timestamptz,
  PRIMARY KEY (project_id, day)
);

-- Rollups by hour and by UTC day. If a range starts or ends within one of them, queries read shorter buckets there.
CREATE TABLE visit_hour_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_type text NOT NULL,
  result text NOT NULL,
  visits bigint NOT NULL,
  last_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (project_id, bucket, agent_id, agent_type, result)
);
CREATE TABLE visit_day_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_type text NOT NULL,
  result text NOT NULL,
  visits bigint NOT NULL,
  last_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (project_id, bucket, agent_id, agent_type, result)
);
CREATE TABLE visit_day_top_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  visits bigint NOT NULL,
  PRIMARY KEY (project_id, bucket, dimension, value)
);
-- Rows are never updated, so including the counts in the index is cheap.
CREATE INDEX visit_day_top_counts_dimension ON visit_day_top_counts (project_id, dimension, bucket)
  INCLUDE (value, visits) WHERE dimension NOT IN ('page', 'agent_page', 'status', 'agent_status');

-- Hourly page and status counts. Arrays take up a thirtieth of the space of one row per value.
CREATE TABLE visit_hour_top_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  dimension text NOT NULL,
  top_values text[] NOT NULL,
  top_visits bigint[] NOT NULL,
  PRIMARY KEY (project_id, bucket, dimension)
);
`;
