/** Tables for visits and the data derived from them. Ingest writes to them. */
export const VISITS = `
-- Visits by agents. PartitionsRepository creates one partition per day, based on the timestamp in the ID (UUIDv7).
CREATE TABLE visits (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  position bigint NOT NULL,
  -- Copies of the document's values, for sums. They follow a bigint, so they need no padding.
  response_bytes double precision,
  response_us integer,
  -- See RESPONSE_FLAGS in libs/visit-store.
  response_flags smallint,
  agent_id uuid,
  agent_type text,
  operator text,
  result text NOT NULL,
  path text NOT NULL,
  status double precision,
  mcp_tool text,
  kinds smallint NOT NULL,
  -- If form is set, an array of the values for the template's placeholders, starting with the client address.
  document json NOT NULL,
  form integer,
  robots smallint,
  -- Decisions of the policy, as in the response header.
  decisions text,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX visits_timeline ON visits (project_id, occurred_at DESC, id DESC);
CREATE INDEX visits_position ON visits (project_id, position);
-- These indexes include the time, so the newest matches are found without scanning the timeline.
CREATE INDEX visits_agent ON visits (project_id, agent_id, occurred_at DESC, id DESC) WHERE agent_id IS NOT NULL;
CREATE INDEX visits_failed ON visits (project_id, occurred_at DESC, id DESC) WHERE result = 'verification_failed';
CREATE INDEX visits_kinds ON visits (project_id, occurred_at DESC, id DESC) WHERE kinds <> 1;
CREATE INDEX visits_disallowed ON visits (project_id, occurred_at DESC, id DESC) WHERE robots = 2;
CREATE INDEX visits_decisions ON visits (project_id, occurred_at DESC, id DESC) WHERE decisions IS NOT NULL;
-- The number is PAYMENT_FLAGS in libs/visit-store.
CREATE INDEX visits_payments ON visits (project_id, occurred_at DESC, id DESC)
  WHERE status = 402 OR response_flags & 1536 <> 0;
-- These indexes omit the time. Equal keys are then stored only once, so the indexes are small. PostgreSQL uses them to
-- find rare values, and scans the timeline for frequent ones.
CREATE INDEX visits_path ON visits (project_id, left(path, 100) text_pattern_ops);
CREATE INDEX visits_type ON visits (project_id, agent_type) WHERE agent_type IS NOT NULL;
CREATE INDEX visits_operator ON visits (project_id, operator) WHERE operator IS NOT NULL;
CREATE INDEX visits_status ON visits (project_id, status) WHERE status > 200;
-- Limits the key size, because clients can send tool names of any length.
CREATE INDEX visits_mcp_tool ON visits (project_id, left(mcp_tool, 100)) WHERE mcp_tool IS NOT NULL;

-- Visits by unknown visitors, and the ID of every other visit. The primary key prevents a redelivered visit from being
-- stored twice, even if the visitor is identified differently the second time.
CREATE TABLE unknown_visits (
  id uuid NOT NULL,
  project_id uuid,
  occurred_at timestamptz,
  position bigint,
  response_bytes double precision,
  response_us integer,
  response_flags smallint,
  path text,
  status double precision,
  mcp_tool text,
  kinds smallint,
  document json,
  form integer,
  automation smallint,
  assistant text,
  user_agent_group integer,
  decisions text,
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
CREATE INDEX unknown_visits_decisions ON unknown_visits (project_id, occurred_at DESC, id DESC)
  WHERE decisions IS NOT NULL;
CREATE INDEX unknown_visits_payments ON unknown_visits (project_id, occurred_at DESC, id DESC)
  WHERE status = 402 OR response_flags & 1536 <> 0;
CREATE INDEX unknown_visits_path ON unknown_visits (project_id, left(path, 100) text_pattern_ops)
  WHERE project_id IS NOT NULL;
CREATE INDEX unknown_visits_status ON unknown_visits (project_id, status) WHERE status > 200;
CREATE INDEX unknown_visits_mcp_tool ON unknown_visits (project_id, left(mcp_tool, 100)) WHERE mcp_tool IS NOT NULL;

-- Days whose visits were restored from the archive. Ingest doesn't drop their partitions before kept_until.
CREATE TABLE restored_days (
  day date PRIMARY KEY,
  kept_until timestamptz NOT NULL
);

-- Document parts shared by many visits, as templates for format(). A template is deleted together with the last visits
-- that use it.
CREATE TABLE visit_forms (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest bytea NOT NULL UNIQUE,
  template text NOT NULL,
  last_day date NOT NULL
);

-- If a filter requires an agent, PostgreSQL skips the second table, because NULL and 'unknown_agent' can't match.
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
  robots, automation, assistant, user_agent_group, response_bytes, response_us, response_flags, decisions
FROM (
  SELECT id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds,
    document, form, robots, NULL::smallint AS automation, NULL::text AS assistant, NULL::integer AS user_agent_group,
    response_bytes, response_us, response_flags, decisions
  FROM visits
  UNION ALL
  SELECT id, project_id, occurred_at, position, NULL, NULL, NULL, 'unknown_agent', path, status, mcp_tool, kinds,
    document, form, NULL::smallint, automation, assistant, user_agent_group, response_bytes, response_us, response_flags,
    decisions
  FROM unknown_visits
) all_visits WHERE project_id IS NOT NULL;

-- Row locks on positions keep visits in commit order, so streams resume without gaps. Concurrent statements use
-- different shards.
CREATE TABLE visit_positions (
  project_id uuid NOT NULL,
  position bigint NOT NULL,
  shard smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, shard)
);

-- Accepted visits that aren't yet in the visit store, if that is a separate database. A batch is inserted there, possibly
-- several times with the same token, and then deleted here. The batches in a shard are numbered in commit order.
CREATE SEQUENCE visit_batch_numbers;
CREATE TABLE visit_batches (
  number bigint PRIMARY KEY DEFAULT nextval('visit_batch_numbers'),
  token uuid NOT NULL DEFAULT gen_random_uuid(),
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  shard smallint,
  projects uuid[] NOT NULL,
  -- IDs of stored visits that the batch replaces. If null, all visits are new.
  replaced_ids uuid[],
  -- Compressed text with a line per visit.
  visits bytea NOT NULL
);
ALTER TABLE visit_batches ALTER COLUMN visits SET STORAGE EXTERNAL;

-- Last batch of each shard. Unlike the sequence, this table is consistent with the rest of a backup.
CREATE TABLE visit_shards (
  shard smallint PRIMARY KEY,
  last_batch bigint NOT NULL,
  stored_at timestamptz NOT NULL
);

-- Visit changes waiting to be published to Kafka. If the visit ID is null, the project was removed.
CREATE TABLE visit_changes (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  project_id uuid NOT NULL,
  visit_id uuid,
  received_at timestamptz,
  occurred_at timestamptz
);

-- Checkouts (ACP or UCP) reported by visits, without any buyer data. All columns except first_at describe the newest
-- visit. The ID is a digest. When the visit retention ends, the ID is replaced by a random one, and visit_id becomes
-- null.
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
-- Includes all counted columns to allow index-only scans.
CREATE INDEX checkouts_first ON checkouts (project_id, first_at)
  INCLUDE (protocol, state, currency, total, agent_id, is_spoofed, visit_id);
CREATE INDEX checkouts_last ON checkouts (last_at) WHERE visit_id IS NOT NULL;

-- Ingest writes to this table, except for replayed_at, which the console sets.
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

-- Jobs that re-identify stored visits. The console creates them, and ingest runs them.
CREATE TABLE reidentifications (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  range_from timestamptz NOT NULL,
  range_to timestamptz NOT NULL,
  agent_token text,
  state text NOT NULL DEFAULT 'previewing'
    CHECK (state IN ('previewing', 'previewed', 'applying', 'applied', 'canceled')),
  is_paused boolean NOT NULL DEFAULT false,
  -- The last visit processed in the current state.
  after_at timestamptz NOT NULL,
  after_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- Time when visits last moved between the two visit tables.
  moved_at timestamptz,
  preview jsonb,
  result jsonb,
  error text,
  -- The claim only avoids duplicate work. A step's result is stored only if no other process has advanced the job.
  claimed_by uuid,
  claimed_until timestamptz NOT NULL DEFAULT '-infinity',
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX reidentifications_project ON reidentifications (project_id, created_at DESC);
CREATE INDEX reidentifications_author ON reidentifications (created_by);
-- Allows only one active job per project. Concurrent jobs would count each other's changes.
CREATE UNIQUE INDEX reidentifications_at_work ON reidentifications (project_id)
  WHERE state IN ('previewing', 'applying');
`;
