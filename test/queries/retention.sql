-- A new partition
SELECT pg_advisory_xact_lock($1);

SELECT to_regclass($1) IS NOT NULL AS exists;

CREATE TABLE visits_20261122 (LIKE visits INCLUDING ALL EXCLUDING INDEXES, CONSTRAINT only_agents CHECK (agent_id IS NOT NULL));

CREATE INDEX ON visits_20261122 (project_id, occurred_at, id);

CREATE INDEX ON visits_20261122 (project_id, agent_id, occurred_at, id) WHERE agent_id IS NOT NULL;

ALTER TABLE visits ATTACH PARTITION visits_20261122 FOR VALUES FROM ('01a2008d-7400-7000-8000-000000000000') TO ('01a205b3-d000-7000-8000-000000000000');

CREATE TABLE unknown_visits_20261122 (LIKE unknown_visits INCLUDING ALL EXCLUDING INDEXES);

CREATE INDEX ON unknown_visits_20261122 (project_id, occurred_at, id) WHERE project_id IS NOT NULL;

CREATE INDEX ON unknown_visits_20261122 (project_id, user_agent_group, occurred_at, id) WHERE user_agent_group IS NOT NULL;

ALTER TABLE unknown_visits ATTACH PARTITION unknown_visits_20261122 FOR VALUES FROM ('01a2008d-7400-7000-8000-000000000000') TO ('01a205b3-d000-7000-8000-000000000000');

-- Partitions for unknown visitors
SELECT day - date '1970-01-01' AS day FROM restored_days WHERE kept_until > now();

SELECT to_date(right(c.relname, 8), 'YYYYMMDD') - date '1970-01-01' AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'unknown_visits'::regclass AND c.relname ~ '^unknown_visits_[0-9]{8}$' ORDER BY 1;

SELECT pg_try_advisory_xact_lock($1) AND NOT requires_archive AS droppable FROM instance_settings;

DROP TABLE unknown_visits_20261120;

-- Partitions for agents
SELECT to_date(right(c.relname, 8), 'YYYYMMDD') - date '1970-01-01' AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'visits'::regclass AND c.relname ~ '^visits_[0-9]{8}$' ORDER BY 1;

DROP TABLE visits_20261120;

-- Forms
DELETE FROM visit_forms WHERE last_day < $1;

-- Checkouts
UPDATE checkouts SET id = gen_random_uuid(), visit_id = NULL
WHERE last_at < now() - make_interval(days => $1) AND visit_id IS NOT NULL;

-- A restored day
INSERT INTO restored_days AS r (day, kept_until) VALUES ($1, now() + $2 * interval '1 day')
ON CONFLICT (day) DO UPDATE SET kept_until = greatest(r.kept_until, excluded.kept_until)
RETURNING day - date '1970-01-01' AS number;

CREATE TABLE visits_20261101 (LIKE visits INCLUDING ALL EXCLUDING INDEXES, CONSTRAINT only_agents CHECK (agent_id IS NOT NULL));

CREATE INDEX ON visits_20261101 (project_id, occurred_at, id);

CREATE INDEX ON visits_20261101 (project_id, agent_id, occurred_at, id) WHERE agent_id IS NOT NULL;

ALTER TABLE visits ATTACH PARTITION visits_20261101 FOR VALUES FROM ('01a19467-e800-7000-8000-000000000000') TO ('01a1998e-4400-7000-8000-000000000000');

CREATE TABLE unknown_visits_20261101 (LIKE unknown_visits INCLUDING ALL EXCLUDING INDEXES);

CREATE INDEX ON unknown_visits_20261101 (project_id, occurred_at, id) WHERE project_id IS NOT NULL;

CREATE INDEX ON unknown_visits_20261101 (project_id, user_agent_group, occurred_at, id) WHERE user_agent_group IS NOT NULL;

ALTER TABLE unknown_visits ATTACH PARTITION unknown_visits_20261101 FOR VALUES FROM ('01a19467-e800-7000-8000-000000000000') TO ('01a1998e-4400-7000-8000-000000000000');

-- Projects of restored visits
SELECT id FROM projects WHERE id = ANY ($1::uuid[]);

-- Restored visits by agents
WITH inserted AS (
  INSERT INTO visits (id, project_id, occurred_at, position, document, path, status, response_bytes, response_us, response_flags, mcp_tool, kinds, decisions, agent_id, agent_type, operator, result, robots)
  SELECT id, project_id, to_timestamp(occurred_at / 1000), position, document, path, status, response_bytes, response_us, response_flags, mcp_tool, kinds, decisions, agent_id, agent_type, operator, result, robots
  FROM json_to_recordset($1::json) AS r (
    id uuid, project_id uuid, occurred_at float8, position bigint, document json,
    path text, status double precision, response_bytes double precision, response_us integer, response_flags smallint, mcp_tool text, kinds smallint, decisions text, agent_id uuid, agent_type text, operator text, result text, robots smallint
  )
  WHERE NOT EXISTS (SELECT FROM unknown_visits o WHERE o.id = r.id AND o.project_id IS NOT NULL)
  ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING id
) SELECT count(*)::int AS inserted FROM inserted;

-- Restored visits by unknown visitors
WITH inserted AS (
  INSERT INTO unknown_visits (id, project_id, occurred_at, position, document, path, status, response_bytes, response_us, response_flags, mcp_tool, kinds, decisions, automation, assistant, user_agent_group)
  SELECT id, project_id, to_timestamp(occurred_at / 1000), position, document, path, status, response_bytes, response_us, response_flags, mcp_tool, kinds, decisions, automation, assistant, user_agent_group
  FROM json_to_recordset($1::json) AS r (
    id uuid, project_id uuid, occurred_at float8, position bigint, document json,
    path text, status double precision, response_bytes double precision, response_us integer, response_flags smallint, mcp_tool text, kinds smallint, decisions text, automation smallint, assistant text, user_agent_group integer
  )
  WHERE NOT EXISTS (SELECT FROM visits o WHERE o.id = r.id AND o.project_id IS NOT NULL)
  ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING id
) SELECT count(*)::int AS inserted FROM inserted;
