/** Counts of visits for charts and lists. Written by ingest. */
export const COUNTS = `
-- By 15 minutes, which fit every time zone in use. The nil UUID and '' stand for "no agent". Statements that run at the
-- same time use different shards.
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
-- Reports over time read only their own dimension.
CREATE INDEX visit_top_counts_dimension ON visit_top_counts (project_id, dimension, bucket)
  WHERE dimension NOT IN ('page', 'agent_page', 'status', 'agent_status');

-- Hours and days with visits that the sums below don't contain yet.
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
  -- End of the last summed hour of the current day.
  summed_until timestamptz,
  PRIMARY KEY (project_id, day)
);

-- Sums by hour and by day (UTC). Where a range or a time zone cuts one, the shorter ones fill in.
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
CREATE TABLE visit_hour_type_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_type text NOT NULL,
  result text NOT NULL,
  visits bigint NOT NULL,
  PRIMARY KEY (project_id, bucket, agent_type, result)
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
-- Days are written once, so the counts can be part of the index.
CREATE INDEX visit_day_top_counts_dimension ON visit_day_top_counts (project_id, dimension, bucket)
  INCLUDE (value, visits) WHERE dimension NOT IN ('page', 'agent_page', 'status', 'agent_status');

-- Pages and statuses of an hour. One row with arrays needs a thirtieth of the space of a row for each value.
CREATE TABLE visit_hour_top_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  dimension text NOT NULL,
  top_values text[] NOT NULL,
  top_visits bigint[] NOT NULL,
  PRIMARY KEY (project_id, bucket, dimension)
);
-- Pages and statuses from a bucket to the end of its day (UTC), for ranges that begin within a day.
CREATE TABLE visit_rest_top_counts (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  dimension text NOT NULL,
  top_values text[] NOT NULL,
  top_visits bigint[] NOT NULL,
  PRIMARY KEY (project_id, bucket, dimension)
);
`;
