-- A re-identification job
UPDATE reidentifications j SET claimed_by = $1, claimed_until = now() + interval '60 seconds'
WHERE id = (
  SELECT id FROM reidentifications
  WHERE state IN ('previewing', 'applying') AND NOT is_paused AND (claimed_by = $1 OR claimed_until < now())
  ORDER BY claimed_until, created_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING j.id, j.project_id, j.range_to, j.agent_token, j.state, (extract(epoch FROM j.after_at) * 1000000)::bigint::text AS after_at, j.after_id,
  CASE j.state WHEN 'applying' THEN j.result ELSE j.preview END AS report,
  (SELECT coalesce(sum(position), 0)::text FROM visit_positions) AS newest;

SELECT id, at, document FROM (
  SELECT id, (extract(epoch FROM occurred_at) * 1000000)::bigint::text AS at, document::text AS document, row_number() OVER w AS number,
    sum(octet_length(document::text)) OVER w AS bytes
  FROM (
    SELECT id, occurred_at, document FROM visits_full
    WHERE project_id = $1::uuid AND id >= $5::uuid AND occurred_at < $4::timestamptz
      AND (occurred_at, id) > (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)
    ORDER BY occurred_at, id LIMIT $6
  ) page WINDOW w AS (ORDER BY occurred_at, id)
) sized WHERE bytes <= 8388608 OR number = 1 ORDER BY number;

SELECT id, trusted_proxies, host_names, site_address, unknown_visitors, r.revision AS robots_revision
FROM projects LEFT JOIN robots_revisions r ON r.project_id = id WHERE id = ANY ($1::uuid[]);

SELECT pg_advisory_xact_lock($1);

SELECT to_regclass($1) IS NOT NULL AS exists;

INSERT INTO visit_forms AS f (digest, template, last_day)
SELECT digest, template, $3 FROM unnest($1::bytea[], $2::text[]) AS r (digest, template) ORDER BY digest
ON CONFLICT (digest) DO UPDATE SET last_day = greatest(f.last_day, excluded.last_day)
RETURNING id, digest, template;

SELECT FROM reidentifications WHERE id = $1 AND state = $2 AND NOT is_paused
AND (extract(epoch FROM after_at) * 1000000)::bigint::text = $3 AND after_id = $4 FOR UPDATE;

SELECT id, position FROM unknown_visits WHERE id = ANY ($1::uuid[]) AND project_id IS NOT NULL ORDER BY id FOR UPDATE;

SELECT id, position FROM visits WHERE id = ANY ($1::uuid[]) AND project_id IS NOT NULL ORDER BY id FOR UPDATE;

SELECT count(*)::int AS found FROM unnest($1::integer[], $2::bytea[]) AS used (id, digest)
JOIN visit_forms f ON (f.id, f.digest) = (used.id, used.digest);

DELETE FROM visits WHERE id = ANY ($1::uuid[]);

UPDATE unknown_visits SET project_id = NULL, occurred_at = NULL, position = NULL, path = NULL, status = NULL, response_bytes = NULL, response_us = NULL, response_flags = NULL, mcp_tool = NULL, kinds = NULL, decisions = NULL, document = NULL, form = NULL, automation = NULL, assistant = NULL, user_agent_group = NULL WHERE id = ANY ($1::uuid[]);

INSERT INTO visits (id, project_id, occurred_at, position, path, status, response_bytes, response_us, response_flags, mcp_tool, kinds, decisions, document, form, agent_id, agent_type, operator, result, robots)
SELECT id, project_id, occurred_at, position, path, status, response_bytes, response_us, response_flags, mcp_tool, kinds, decisions, document, form, agent_id, agent_type, operator, result, robots FROM json_to_recordset($1::json) AS r (id uuid, project_id uuid, occurred_at timestamptz, position bigint, path text, status double precision, response_bytes double precision, response_us integer, response_flags smallint, mcp_tool text, kinds smallint, decisions text, document json, form integer, agent_id uuid, agent_type text, operator text, result text, robots smallint) ORDER BY id
ON CONFLICT (id) DO UPDATE SET project_id = excluded.project_id, occurred_at = excluded.occurred_at, position = excluded.position, path = excluded.path, status = excluded.status, response_bytes = excluded.response_bytes, response_us = excluded.response_us, response_flags = excluded.response_flags, mcp_tool = excluded.mcp_tool, kinds = excluded.kinds, decisions = excluded.decisions, document = excluded.document, form = excluded.form, agent_id = excluded.agent_id, agent_type = excluded.agent_type, operator = excluded.operator, result = excluded.result, robots = excluded.robots;

INSERT INTO unknown_visits (id, project_id, occurred_at, position, path, status, response_bytes, response_us, response_flags, mcp_tool, kinds, decisions, document, form, automation, assistant, user_agent_group)
SELECT id, project_id, occurred_at, position, path, status, response_bytes, response_us, response_flags, mcp_tool, kinds, decisions, document, form, automation, assistant, user_agent_group FROM json_to_recordset($1::json) AS r (id uuid, project_id uuid, occurred_at timestamptz, position bigint, path text, status double precision, response_bytes double precision, response_us integer, response_flags smallint, mcp_tool text, kinds smallint, decisions text, document json, form integer, automation smallint, assistant text, user_agent_group integer) ORDER BY id
ON CONFLICT (id) DO UPDATE SET project_id = excluded.project_id, occurred_at = excluded.occurred_at, position = excluded.position, path = excluded.path, status = excluded.status, response_bytes = excluded.response_bytes, response_us = excluded.response_us, response_flags = excluded.response_flags, mcp_tool = excluded.mcp_tool, kinds = excluded.kinds, decisions = excluded.decisions, document = excluded.document, form = excluded.form, automation = excluded.automation, assistant = excluded.assistant, user_agent_group = excluded.user_agent_group;

SELECT pg_advisory_xact_lock(411682, $1);

SELECT DISTINCT c.shard FROM visit_counts c, unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::bigint[])
AS d (bucket, agent_id, agent_type, result, last_left_at, last_came_at, visits) WHERE c.project_id = $1
AND (c.bucket, c.agent_id, c.agent_type, c.result) = (d.bucket, d.agent_id, d.agent_type, d.result)
AND (c.last_at = d.last_left_at OR d.visits <= 0 AND c.last_at < d.last_came_at);

SELECT bucket, agent_id, agent_type, result, shard, visits::float8 AS visits
FROM visit_counts JOIN unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[]) AS d (bucket, agent_id, agent_type, result)
  USING (bucket, agent_id, agent_type, result)
WHERE project_id = $1 ORDER BY shard;

SELECT bucket, dimension, value, shard, visits::float8 AS visits
FROM visit_top_counts JOIN unnest($2::timestamptz[], $3::text[], $4::text[]) AS d (bucket, dimension, value)
  USING (bucket, dimension, value)
WHERE project_id = $1 ORDER BY shard;

INSERT INTO visit_open_hours AS o (project_id, hour, shard)
SELECT $1, hour, 0 FROM unnest($2::timestamptz[]) hour ORDER BY hour
ON CONFLICT (project_id, hour, shard) DO UPDATE SET since = o.since WHERE false;

SELECT bucket, agent_id, agent_type, result, shard, visits::float8 AS visits
FROM visit_counts JOIN unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[]) AS d (bucket, agent_id, agent_type, result)
  USING (bucket, agent_id, agent_type, result)
WHERE project_id = $1 AND shard = ANY ($6::integer[]) ORDER BY shard FOR UPDATE OF visit_counts;

DELETE FROM visit_counts c USING unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::integer[], $7::bigint[]) AS d (bucket, agent_id, agent_type, result, shard, visits)
WHERE c.project_id = $1 AND c.bucket = d.bucket AND c.agent_id = d.agent_id AND c.agent_type = d.agent_type AND c.result = d.result AND c.shard = d.shard;

SELECT bucket, dimension, value, shard, visits::float8 AS visits
FROM visit_top_counts JOIN unnest($2::timestamptz[], $3::text[], $4::text[]) AS d (bucket, dimension, value)
  USING (bucket, dimension, value)
WHERE project_id = $1 AND shard = ANY ($5::integer[]) ORDER BY shard FOR UPDATE OF visit_top_counts;

DELETE FROM visit_top_counts c USING unnest($2::timestamptz[], $3::text[], $4::text[], $5::integer[], $6::bigint[]) AS d (bucket, dimension, value, shard, visits)
WHERE c.project_id = $1 AND c.bucket = d.bucket AND c.dimension = d.dimension AND c.value = d.value AND c.shard = d.shard;

INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at, shard)
SELECT $1::uuid, d.*, 0 FROM unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[]) d
ORDER BY 2, 3, 4, 5
ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at);

UPDATE visit_counts c SET last_at = coalesce(
     (
       SELECT v.occurred_at FROM visits_full v
       WHERE v.project_id = $1 AND v.occurred_at >= d.bucket AND v.occurred_at < d.bucket + interval '15 minutes'
         AND v.id >= d.first_id AND v.result = d.result AND coalesce(v.agent_type, '') = d.agent_type
         AND coalesce(v.agent_id, '00000000-0000-0000-0000-000000000000') = d.agent_id
       ORDER BY v.occurred_at DESC LIMIT 1
     ),
     c.last_at
   )
   FROM unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::bigint[], $9::uuid[])
     AS d (bucket, agent_id, agent_type, result, last_left_at, last_came_at, visits, first_id)
   WHERE c.project_id = $1
AND (c.bucket, c.agent_id, c.agent_type, c.result) = (d.bucket, d.agent_id, d.agent_type, d.result)
AND (c.last_at = d.last_left_at OR d.visits <= 0 AND c.last_at < d.last_came_at) AND c.shard = ANY ($10::integer[]);

WITH tops AS (
       SELECT $1::uuid AS project_id, d.*
       FROM unnest($2::timestamptz[], $3::text[], $4::text[], $5::bigint[]) AS d (bucket, dimension, value, visits)
     ), marked AS MATERIALIZED (
  SELECT t.*, known.value IS NOT NULL AS is_known
  FROM tops t LEFT JOIN LATERAL (
    SELECT value FROM visit_top_counts c
    WHERE (c.project_id, c.bucket, c.dimension, c.value) = (t.project_id, t.bucket, t.dimension, t.value) AND true
    LIMIT 1
  ) known ON true
), bounded AS (
  SELECT project_id, bucket, dimension, CASE WHEN is_known OR rank <= slots THEN value ELSE '' END AS value,
    sum(visits) AS visits
  FROM (
    SELECT m.*, free.slots, row_number() OVER (
      PARTITION BY project_id, bucket, dimension, is_known ORDER BY value = '', visits DESC, value
    ) AS rank
    FROM marked m LEFT JOIN (
      SELECT b.*, CASE WHEN EXISTS (
  SELECT FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension, c.value) = (b.project_id, b.bucket, b.dimension, '')
) THEN 0 ELSE CASE WHEN b.dimension IN ('page', 'agent_page', 'status', 'agent_status') THEN 200 ELSE 1000 END - (
  SELECT count(DISTINCT value) FILTER (WHERE value <> '') FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension) = (b.project_id, b.bucket, b.dimension) AND true
) END AS slots
      FROM (SELECT DISTINCT project_id, bucket, dimension FROM marked WHERE NOT is_known) b
    ) free USING (project_id, bucket, dimension)
  ) ranked
  GROUP BY 1, 2, 3, 4
)
     INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
     SELECT project_id, bucket, dimension, value, visits, 0 FROM bounded ORDER BY 1, 2, 3, 4
     ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits;

SELECT FROM checkouts JOIN unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS r (project_id, id, visit_id)
USING (project_id, id, visit_id) ORDER BY project_id, id FOR UPDATE OF checkouts;

UPDATE checkouts c SET agent_id = r.agent_id, is_spoofed = r.result = 'verification_failed'
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) AS r (project_id, id, visit_id, agent_id, result)
WHERE (c.project_id, c.id, c.visit_id) = (r.project_id, r.id, r.visit_id);

INSERT INTO visit_changes (visit_id, project_id, received_at, occurred_at)
SELECT * FROM json_to_recordset($1::json)
  AS r (visit_id uuid, project_id uuid, received_at timestamptz, occurred_at timestamptz)
WHERE (SELECT publishes_audit FROM instance_settings);

UPDATE reidentifications SET
  moved_at = clock_timestamp(), result = $2, error = NULL, claimed_until = now() + interval '60 seconds',
  state = CASE WHEN $3::bigint IS NULL THEN $5 ELSE state END,
  after_at = coalesce(timestamptz 'epoch' + $3::bigint * interval '1 microsecond', range_to),
  after_id = coalesce($4, after_id)
WHERE id = $1;
