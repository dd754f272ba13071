-- One batch
SELECT visit_store FROM instance_settings;

SELECT pg_advisory_xact_lock($1);

SELECT to_regclass($1) IS NOT NULL AS exists;

SELECT id FROM visits WHERE id = ANY ($1::uuid[]) UNION SELECT id FROM unknown_visits WHERE id = ANY ($1::uuid[]);

INSERT INTO visit_forms AS f (digest, template, last_day)
SELECT digest, template, $3 FROM unnest($1::bytea[], $2::text[]) AS r (digest, template) ORDER BY digest
ON CONFLICT (digest) DO UPDATE SET last_day = greatest(f.last_day, excluded.last_day)
RETURNING id, digest, template;

-- After a restore or a failover, forms that ingest has cached can be missing from the database. Without its form, a
-- visit can't be read.
WITH missing AS MATERIALIZED (
  SELECT id FROM unnest($1::integer[], $2::bytea[]) AS used (id, digest)
  WHERE NOT EXISTS (SELECT FROM visit_forms f WHERE (f.id, f.digest) = (used.id, used.digest))
),


locked AS MATERIALIZED (
  SELECT coalesce(
    (
      SELECT shard FROM generate_series(0, 31) AS shard
      WHERE pg_try_advisory_xact_lock(411682, shard) LIMIT 1
    ),
    (
      SELECT shard FROM (SELECT floor(random() * 32)::integer AS shard OFFSET 0) random_shard,
        LATERAL pg_advisory_xact_lock(411682, shard)
    )
  )::smallint AS shard
  WHERE NOT EXISTS (SELECT FROM missing)
), positions AS (
  INSERT INTO visit_positions AS p (project_id, shard, position)
  SELECT project_id, shard, visits
  FROM unnest((SELECT $3::uuid[]), $4::integer[]) AS r (project_id, visits), locked
  ORDER BY 1
  ON CONFLICT (project_id, shard) DO UPDATE SET position = p.position + excluded.position
  RETURNING p.project_id, (p.shard::bigint << 56) + p.position AS position
),


-- Counts by 15-minute bucket and agent. Hours are only marked as open here and rolled up later. The rollup waits for
-- the row locks on these markers, so existing markers are locked too.
counts AS MATERIALIZED (
  SELECT ($3::uuid[])[project] AS project_id, to_timestamp(bucket / 1000) AS bucket, agent_id, agent_type, result,
    sum(visits) AS visits, to_timestamp(max(last_at) / 1000) AS last_at, shard
  FROM unnest(
    (SELECT $5::integer[]), $6::float8[], $7::uuid[], $8::text[],
    $9::text[], $10::integer[], $11::float8[]
  ) AS r (project, bucket, agent_id, agent_type, result, visits, last_at), locked
  GROUP BY project, bucket, agent_id, agent_type, result, shard
), stored_counts AS (
  INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at, shard)
  SELECT * FROM counts ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
  DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at)
), stored_open_hours AS (
  INSERT INTO visit_open_hours AS o (project_id, hour, shard)
  SELECT DISTINCT project_id, date_bin('1 hour', bucket, 'epoch'), shard FROM counts ORDER BY 1, 2
  ON CONFLICT (project_id, hour, shard) DO UPDATE SET since = o.since WHERE false
),

-- Counts by 15-minute bucket and dimension. Visits by agents have their own page and status dimensions.
tops AS (
  SELECT ($3::uuid[])[project] AS project_id, to_timestamp(bucket / 1000) AS bucket, dimension,
    CASE WHEN dimension IN ('status', 'agent_status') THEN value::float8::text ELSE value END AS value, visits
  FROM unnest(
    (SELECT $12::integer[]), $13::float8[], $14::text[], $15::text[],
    $16::integer[]
  ) AS r (project, bucket, dimension, value, visits)
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
), stored_tops AS (
  INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
  SELECT project_id, bucket, dimension, value, visits, shard FROM bounded, locked ORDER BY 1, 2, 3, 4
  ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits
),

-- A checkout has the state of its newest visit, regardless of the order in which visits arrive.
stored_checkouts AS (
  INSERT INTO checkouts AS c (
    project_id, id, protocol, first_at, state, currency, total, agent_id, is_spoofed, last_at, visit_id
  )
  SELECT DISTINCT ON (1, 2) ($3::uuid[])[project], digest, protocol,
    to_timestamp(min(occurred_at) OVER (PARTITION BY project, digest) / 1000), state, currency, total, agent_id,
    is_spoofed, to_timestamp(occurred_at / 1000), id
  FROM unnest(
    (SELECT $17::uuid[]), $18::integer[], $19::uuid[],
    $20::text[], $21::text[], $22::text[], $23::float8[],
    $24::uuid[], $25::boolean[], $26::float8[]
  ) AS r (id, project, digest, protocol, state, currency, total, agent_id, is_spoofed, occurred_at), locked
  ORDER BY 1, 2, occurred_at DESC, id DESC
  ON CONFLICT (project_id, id) DO UPDATE SET
    first_at = least(c.first_at, excluded.first_at),
    (state, currency, total, agent_id, is_spoofed, last_at, visit_id) = (
      SELECT newest.* FROM (
        VALUES
          (c.state, c.currency, c.total, c.agent_id, c.is_spoofed, c.last_at, c.visit_id),
          (excluded.state, excluded.currency, excluded.total, excluded.agent_id, excluded.is_spoofed, excluded.last_at,
            excluded.visit_id)
      ) newest (state, currency, total, agent_id, is_spoofed, last_at, visit_id)
      ORDER BY last_at DESC, visit_id DESC LIMIT 1
    )
),

-- Rows are inserted in order of project and ID, so two statements with the same visits can't deadlock.
stored_visits AS (
  INSERT INTO visits (
    project_id, position, document, form, id, occurred_at, path, status, response_bytes, response_us, response_flags,
    mcp_tool, kinds, decisions, agent_id, agent_type, operator, result, robots
  )
  SELECT ($3::uuid[])[project],
    ((SELECT array_agg(position ORDER BY project_id) FROM positions))[project] - distance,
    document, form, id, to_timestamp(occurred_at / 1000), path, status, response_bytes, response_us, response_flags,
    mcp_tool, kinds, decisions, agent_id, agent_type, operator, result, robots
  FROM (
    SELECT unnest((SELECT $27::integer[])) AS project, unnest($28::integer[]) AS distance,
      unnest($29::integer[]) AS form,
      unnest(string_to_array($30::text, E'\n', '')::json[]) AS document,
      unnest($31::uuid[]) AS id, unnest($32::float8[]) AS occurred_at,
      unnest($33::text[]) AS path, unnest($34::float8[]) AS status,
      unnest($35::float8[]) AS response_bytes,
      unnest($36::integer[]) AS response_us,
      unnest($37::smallint[]) AS response_flags,
      unnest($38::text[]) AS mcp_tool, unnest($39::smallint[]) AS kinds,
      unnest($40::text[]) AS decisions,
      unnest($41::uuid[]) AS agent_id, unnest($42::text[]) AS agent_type,
      unnest($43::text[]) AS operator, unnest($44::text[]) AS result,
      unnest($45::smallint[]) AS robots
  ) r
  WHERE EXISTS (SELECT FROM locked)
),

-- Contains a row for every visit. Visits by agents and count-only visits are stored as just an ID. If a visit is
-- delivered twice, even with another visitor, its ID violates the primary key and nothing is stored.
stored_unknown_visits AS (
  INSERT INTO unknown_visits (
    project_id, position, document, form, id, occurred_at, path, status, response_bytes, response_us, response_flags,
    mcp_tool, kinds, decisions, automation, assistant, user_agent_group
  )
  SELECT ($3::uuid[])[project],
    ((SELECT array_agg(position ORDER BY project_id) FROM positions))[project] - distance,
    document, form, id, to_timestamp(occurred_at / 1000), path, status, response_bytes, response_us, response_flags,
    mcp_tool, kinds, decisions, automation, assistant, user_agent_group
  FROM (
    SELECT unnest((SELECT $46::integer[])) AS project,
      unnest($47::integer[]) AS distance, unnest($48::integer[]) AS form,
      unnest(string_to_array($49::text, E'\n', '')::json[]) AS document,
      unnest($50::uuid[]) AS id,
      unnest($51::float8[]) AS occurred_at, unnest($52::text[]) AS path,
      unnest($53::float8[]) AS status,
      unnest($54::float8[]) AS response_bytes,
      unnest($55::integer[]) AS response_us,
      unnest($56::smallint[]) AS response_flags,
      unnest($57::text[]) AS mcp_tool,
      unnest($58::smallint[]) AS kinds,
      unnest($59::text[]) AS decisions,
      unnest($60::smallint[]) AS automation,
      unnest($61::text[]) AS assistant,
      unnest($62::integer[]) AS user_agent_group
  ) r
  WHERE EXISTS (SELECT FROM locked)
)

SELECT id FROM missing;
