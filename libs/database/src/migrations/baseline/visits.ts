/** Stored visits and dependent tables. Written by ingest. */
export const VISITS = `
-- Visits of agents. PartitionRepository creates a partition for each day of the time in the ID (UUIDv7).
CREATE TABLE visits (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  position bigint NOT NULL,
  agent_id uuid,
  agent_type text,
  operator text,
  result text NOT NULL,
  path text NOT NULL,
  status double precision,
  mcp_tool text,
  kinds smallint NOT NULL,
  -- With a form: an array of the values for its placeholders, the client address first.
  document json NOT NULL,
  form integer,
  robots smallint,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX visits_timeline ON visits (project_id, occurred_at DESC, id DESC);
CREATE INDEX visits_position ON visits (project_id, position);
-- Indexes with the time are for values whose newest visits would take long to find in the timeline.
CREATE INDEX visits_agent ON visits (project_id, agent_id, occurred_at DESC, id DESC) WHERE agent_id IS NOT NULL;
CREATE INDEX visits_failed ON visits (project_id, occurred_at DESC, id DESC) WHERE result = 'verification_failed';
CREATE INDEX visits_kinds ON visits (project_id, occurred_at DESC, id DESC) WHERE kinds <> 1;
CREATE INDEX visits_disallowed ON visits (project_id, occurred_at DESC, id DESC) WHERE robots = 2;
-- Indexes without the time are small, because equal keys are stored once. Few matches are sorted, many are found in the
-- timeline.
CREATE INDEX visits_path ON visits (project_id, left(path, 100) text_pattern_ops);
CREATE INDEX visits_type ON visits (project_id, agent_type) WHERE agent_type IS NOT NULL;
CREATE INDEX visits_operator ON visits (project_id, operator) WHERE operator IS NOT NULL;
CREATE INDEX visits_status ON visits (project_id, status) WHERE status > 200;
-- Callers choose the tool's name, which may be of any length.
CREATE INDEX visits_mcp_tool ON visits (project_id, left(mcp_tool, 100)) WHERE mcp_tool IS NOT NULL;

-- Visits of unknown visitors, and the bare ID of every other visit: a visit that is delivered again is stored once, even
-- if the visitor is identified differently the second time.
CREATE TABLE unknown_visits (
  id uuid NOT NULL,
  project_id uuid,
  occurred_at timestamptz,
  position bigint,
  path text,
  status double precision,
  mcp_tool text,
  kinds smallint,
  document json,
  form integer,
  automation smallint,
  assistant text,
  user_agent_group integer,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX unknown_visits_timeline ON unknown_visits (project_id, occurred_at DESC, id DESC)
  WHERE project_id IS NOT NULL;
CREATE INDEX unknown_visits_position ON unknown_visits (project_id, position) WHERE project_id IS NOT NULL;
CREATE INDEX unknown_visits_kinds ON unknown_visits (project_id, occurred_at DESC, id DESC) WHERE kinds <> 1;
CREATE INDEX unknown_visits_automation ON unknown_visits (project_id, occurred_at DESC, id DESC) WHERE automation < 3;
CREATE INDEX unknown_visits_assistant ON unknown_visits (project_id, occurred_at DESC, id DESC)
  WHERE assistant IS NOT NULL;
CREATE INDEX unknown_visits_user_agent_group ON unknown_visits (project_id, user_agent_group, occurred_at DESC, id DESC)
  WHERE user_agent_group IS NOT NULL;
CREATE INDEX unknown_visits_path ON unknown_visits (project_id, left(path, 100) text_pattern_ops)
  WHERE project_id IS NOT NULL;
CREATE INDEX unknown_visits_status ON unknown_visits (project_id, status) WHERE status > 200;
CREATE INDEX unknown_visits_mcp_tool ON unknown_visits (project_id, left(mcp_tool, 100)) WHERE mcp_tool IS NOT NULL;

-- Parts of documents that visits have in common, as templates for format(). Deleted with the last visits that use them.
CREATE TABLE visit_forms (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest bytea NOT NULL UNIQUE,
  template text NOT NULL,
  last_day date NOT NULL
);

-- PostgreSQL skips the second table if a filter requires an agent, which NULL and 'unknown_agent' don't match.
CREATE VIEW visits_full AS
SELECT id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds,
  CASE WHEN form IS NULL THEN document ->> 'client_address' ELSE document ->> 0 END AS client_address,
  CASE WHEN form IS NULL THEN document ELSE format(
    (SELECT template FROM visit_forms WHERE visit_forms.id = form),
    VARIADIC ARRAY[
      to_json(id)::text,
      to_json(project_id)::text,
      to_json(to_char(
        to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
      ))::text,
      to_json(to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text,
      to_json(path)::text,
      status::text,
      to_json(mcp_tool)::text
    ] || ARRAY(SELECT value::text FROM json_array_elements(document))
  )::json END AS document,
  robots, automation, assistant, user_agent_group
FROM (
  SELECT id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds,
    document, form, robots, NULL::smallint AS automation, NULL::text AS assistant, NULL::integer AS user_agent_group
  FROM visits
  UNION ALL
  SELECT id, project_id, occurred_at, position, NULL, NULL, NULL, 'unknown_agent', path, status, mcp_tool, kinds,
    document, form, NULL::smallint, automation, assistant, user_agent_group
  FROM unknown_visits
) all_visits WHERE project_id IS NOT NULL;

-- The row lock on a position puts visits in commit order, so a stream resumes without a gap. Statements that run at the
-- same time use different shards.
CREATE TABLE visit_positions (
  project_id uuid NOT NULL,
  position bigint NOT NULL,
  shard smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, shard)
);

-- Changes of visits that wait for Kafka. A row without a visit stands for a removed project.
CREATE TABLE visit_changes (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  project_id uuid NOT NULL,
  visit_id uuid,
  received_at timestamptz,
  occurred_at timestamptz
);

-- Checkouts reported by visits (ACP or UCP), without anything about the buyer. Each column except first_at has the value
-- of the newest visit. The ID is a digest. After the retention of visits it's random, and visit_id is null.
CREATE TABLE checkouts (
  project_id uuid NOT NULL,
  id uuid NOT NULL,
  protocol text NOT NULL,
  state text NOT NULL,
  currency text,
  total double precision,
  agent_id uuid,
  is_spoofed boolean NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  visit_id uuid,
  PRIMARY KEY (project_id, id)
);
-- Includes all counted columns, for index-only scans.
CREATE INDEX checkouts_first ON checkouts (project_id, first_at)
  INCLUDE (protocol, state, currency, total, agent_id, is_spoofed);
CREATE INDEX checkouts_last ON checkouts (last_at) WHERE visit_id IS NOT NULL;

-- The console sets replayed_at.
CREATE TABLE dead_letters (
  id uuid PRIMARY KEY,
  project_id uuid,
  topic text NOT NULL,
  key text,
  value bytea NOT NULL,
  headers jsonb NOT NULL,
  reason text NOT NULL,
  detail text NOT NULL,
  step text NOT NULL,
  partition integer,
  "offset" text,
  failed_at timestamptz NOT NULL,
  replayed_at timestamptz
);
CREATE INDEX dead_letters_newest ON dead_letters (failed_at DESC, id DESC);
CREATE INDEX dead_letters_project ON dead_letters (project_id, failed_at DESC, id DESC);

-- Jobs that identify stored visits again. Created by console, run by ingest.
CREATE TABLE reidentifications (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  range_from timestamptz NOT NULL,
  range_to timestamptz NOT NULL,
  agent_token text,
  state text NOT NULL DEFAULT 'previewing'
    CHECK (state IN ('previewing', 'previewed', 'applying', 'applied', 'canceled')),
  is_paused boolean NOT NULL DEFAULT false,
  -- Last visit that was processed in this state.
  after_at timestamptz NOT NULL,
  after_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- Last time that visits moved between tables.
  moved_at timestamptz,
  preview jsonb,
  result jsonb,
  error text,
  -- Only avoids duplicate work: a step is stored if the last visit is still the same.
  claimed_by uuid,
  claimed_until timestamptz NOT NULL DEFAULT '-infinity',
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX reidentifications_project ON reidentifications (project_id, created_at DESC);
CREATE INDEX reidentifications_author ON reidentifications (created_by);
-- Two jobs at the same time would count each other's changes.
CREATE UNIQUE INDEX reidentifications_at_work ON reidentifications (project_id)
  WHERE state IN ('previewing', 'applying');
`;
