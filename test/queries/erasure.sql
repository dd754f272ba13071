-- Visits from an address
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time;

SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent IN ('visits'::regclass, 'unknown_visits'::regclass) ORDER BY 1;

DELETE FROM refused_requests WHERE ($3::uuid IS NULL OR project_id = $3::uuid) AND ($1::text IS NULL OR (strpos(lower(client_address), $1::text) > 0 AND client_address ~* $2::text) OR (strpos(lower(detail), $1::text) > 0 AND detail ~* $2::text));

WITH page AS MATERIALIZED (
  SELECT id, ($3::uuid IS NULL OR project_id = $3::uuid) AND ($1::text IS NULL OR (strpos(lower(encode(value, 'escape')), $1::text) > 0 AND encode(value, 'escape') ~* $2::text) OR (strpos(lower(coalesce(key, '')), $1::text) > 0 AND coalesce(key, '') ~* $2::text) OR (strpos(lower(headers::text), $1::text) > 0 AND headers::text ~* $2::text) OR (strpos(lower(detail), $1::text) > 0 AND detail ~* $2::text)) AS is_meant FROM dead_letters WHERE id > $4::uuid ORDER BY id LIMIT 200
), changed AS (DELETE FROM dead_letters WHERE id IN (SELECT id FROM page WHERE is_meant) RETURNING id)
SELECT (SELECT count(*)::int FROM changed) AS deleted, count(*)::int AS found,
  (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last FROM page;

SELECT quote_ident(attname) AS name FROM pg_attribute
WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id';

WITH page AS MATERIALIZED (
         SELECT id, project_id IS NOT NULL AND ($3::uuid IS NULL OR project_id = $3::uuid) AND ($1::text IS NULL OR (strpos(lower(document::text), $1::text) > 0 AND document::text ~* $2::text) OR (strpos(lower(path), $1::text) > 0 AND path ~* $2::text) OR (strpos(lower(coalesce(mcp_tool, '')), $1::text) > 0 AND coalesce(mcp_tool, '') ~* $2::text)) AS is_meant FROM unknown_visits_20261121 WHERE id > $4::uuid ORDER BY id LIMIT 2000
       ), changed AS (UPDATE unknown_visits_20261121 SET project_id = NULL, occurred_at = NULL, "position" = NULL, response_bytes = NULL, response_us = NULL, response_flags = NULL, path = NULL, status = NULL, mcp_tool = NULL, kinds = NULL, document = NULL, form = NULL, automation = NULL, assistant = NULL, user_agent_group = NULL, decisions = NULL WHERE id IN (SELECT id FROM page WHERE is_meant) RETURNING id), noted AS (
  INSERT INTO visit_changes (visit_id, project_id, received_at, occurred_at)
  SELECT changed.id, former.project_id, former.received_at, former.occurred_at
  FROM changed CROSS JOIN LATERAL (
    SELECT project_id, occurred_at, (document ->> 'received_at')::timestamptz AS received_at
    FROM visits_full WHERE visits_full.id = changed.id LIMIT 1
  ) former
  WHERE (SELECT publishes_audit FROM instance_settings)
)
       SELECT (SELECT count(*)::int FROM changed) AS deleted, count(*)::int AS found,
         (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last FROM page;

WITH page AS MATERIALIZED (
         SELECT id, project_id IS NOT NULL AND ($3::uuid IS NULL OR project_id = $3::uuid) AND ($1::text IS NULL OR (strpos(lower(document::text), $1::text) > 0 AND document::text ~* $2::text) OR (strpos(lower(path), $1::text) > 0 AND path ~* $2::text) OR (strpos(lower(coalesce(mcp_tool, '')), $1::text) > 0 AND coalesce(mcp_tool, '') ~* $2::text)) AS is_meant FROM visits_20261121 WHERE id > $4::uuid ORDER BY id LIMIT 2000
       ), changed AS (DELETE FROM visits_20261121 WHERE id IN (SELECT id FROM page WHERE is_meant) RETURNING id), noted AS (
  INSERT INTO visit_changes (visit_id, project_id, received_at, occurred_at)
  SELECT changed.id, former.project_id, former.received_at, former.occurred_at
  FROM changed CROSS JOIN LATERAL (
    SELECT project_id, occurred_at, (document ->> 'received_at')::timestamptz AS received_at
    FROM visits_full WHERE visits_full.id = changed.id LIMIT 1
  ) former
  WHERE (SELECT publishes_audit FROM instance_settings)
)
       SELECT (SELECT count(*)::int FROM changed) AS deleted, count(*)::int AS found,
         (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last FROM page;

SELECT EXISTS (
  SELECT FROM reidentifications WHERE ($1::uuid IS NULL OR project_id = $1::uuid)
    AND (state = 'applying' AND NOT is_paused OR moved_at > to_timestamp($2::float8 / 1000) - interval '1 seconds')
) AS moved;

SELECT count(*)::int AS waiting FROM visits_outbox
WHERE ($3::uuid IS NULL OR (headers ->> 'project_id')::uuid = $3::uuid) AND ($1::text IS NULL OR (strpos(lower(encode(value, 'escape')), $1::text) > 0 AND encode(value, 'escape') ~* $2::text));
