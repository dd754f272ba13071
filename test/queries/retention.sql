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

-- Partitions of unknown visitors
SELECT to_date(right(c.relname, 8), 'YYYYMMDD') - date '1970-01-01' AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'unknown_visits'::regclass AND c.relname ~ '^unknown_visits_[0-9]{8}$' ORDER BY 1;

DROP TABLE unknown_visits_20261120;

-- Partitions of agents
SELECT to_date(right(c.relname, 8), 'YYYYMMDD') - date '1970-01-01' AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'visits'::regclass AND c.relname ~ '^visits_[0-9]{8}$' ORDER BY 1;

DROP TABLE visits_20261120;

-- Forms
DELETE FROM visit_forms WHERE last_day < $1;

-- Checkouts
UPDATE checkouts SET id = gen_random_uuid(), visit_id = NULL
WHERE last_at < now() - make_interval(days => $1) AND visit_id IS NOT NULL;
