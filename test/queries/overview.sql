-- Seven days
SELECT extract(epoch FROM hour)::float8 * 1000 AS hour, extract(epoch FROM day)::float8 * 1000 AS day, extract(epoch FROM until)::float8 * 1000 AS until FROM (
  SELECT hour, date_bin('1 day', hour, 'epoch') AS day, NULL AS until FROM visit_open_hours WHERE project_id = $1
  UNION ALL
  SELECT NULL, day, summed_until FROM visit_open_days WHERE project_id = $1
) o;

SELECT agent_id, agent_type, result, sum(visits) AS visits, max(last_at) AS last_at
    FROM (
      SELECT counted.* FROM unnest($2::float8[], $3::float8[]) piece (since, until), LATERAL (
  SELECT agent_id, agent_type, result, sum(visits::float8) AS visits, max(greatest(last_at, bucket)) AS last_at FROM visit_day_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_id, agent_type, result
) counted
      UNION ALL SELECT counted.* FROM unnest($4::float8[], $5::float8[]) piece (since, until), LATERAL (
  SELECT agent_id, agent_type, result, sum(visits::float8) AS visits, max(greatest(last_at, bucket)) AS last_at FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_id, agent_type, result
) counted
      UNION ALL SELECT counted.* FROM unnest($6::float8[], $7::float8[]) piece (since, until), LATERAL (
  SELECT agent_id, agent_type, result, sum(visits::float8) AS visits, max(greatest(last_at, bucket)) AS last_at FROM visit_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_id, agent_type, result
) counted
    ) counted GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

SELECT id, robots_token, token AS agent_token, type AS agent_type_name, operator AS operator_name, url AS agent_url,
(
  SELECT jsonb_object_agg(key, jsonb_build_array(value -> 0)) FROM jsonb_each(verification)
  WHERE value -> 0 IS NOT NULL
) AS verification
       FROM agents, jsonb_to_record(record) AS r
(token text, type text, operator text, url text, robots_token text, behaviors jsonb, verification jsonb) WHERE id = ANY ($1::uuid[]);

SELECT json_agg(item) AS item, json_agg(agent_type) AS agent_type, json_agg(visits) AS visits FROM (SELECT item, agent_type, sum(visits) AS visits
    FROM (
      SELECT item, agent_type, visits
FROM unnest($2::float8[], $3::float8[], $4::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, sum(visits::float8) AS visits FROM visit_day_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_type
) counted UNION ALL SELECT item, agent_type, visits
FROM unnest($5::float8[], $6::float8[], $7::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, sum(visits::float8) AS visits FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_type
) counted UNION ALL SELECT item, agent_type, visits
FROM unnest($8::float8[], $9::float8[], $10::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, sum(visits::float8) AS visits FROM visit_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_type
) counted
      UNION ALL SELECT item, agent_type, -visits FROM (SELECT item, agent_type, visits
FROM unnest($11::float8[], $12::float8[], $13::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, sum(visits::float8) AS visits FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_type
) counted) taken
    ) counted GROUP BY item, agent_type HAVING sum(visits) <> 0) read;

WITH counted AS (
      SELECT value, sum(visits) AS visits FROM (SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension IN ('page', 'agent_page') AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY value
 UNION ALL SELECT value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension IN ('page', 'agent_page') OFFSET 0
 ) tops WHERE true
 UNION ALL SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension IN ('page', 'agent_page') AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY value) tops GROUP BY 1
    )
    SELECT value, visits, (SELECT sum(visits) FROM counted) AS total FROM counted
    WHERE value <> '' ORDER BY visits DESC, value LIMIT $8;

WITH counted AS (
      SELECT value, sum(visits) AS visits FROM (SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension IN ('status', 'agent_status') AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY value
 UNION ALL SELECT value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension IN ('status', 'agent_status') OFFSET 0
 ) tops WHERE true
 UNION ALL SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension IN ('status', 'agent_status') AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY value) tops GROUP BY 1
    )
    SELECT value, visits, (SELECT sum(visits) FROM counted) AS total FROM counted
    WHERE value <> '' ORDER BY visits DESC, value LIMIT $8;

SELECT CASE WHEN value = ANY ($8::text[]) THEN value ELSE '' END AS value, sum(visits) AS visits
    FROM (SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension IN ('page', 'agent_page') AND value = ANY ($8::text[]) AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY value
 UNION ALL SELECT value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension IN ('page', 'agent_page') OFFSET 0
 ) tops WHERE value = ANY ($8::text[])
 UNION ALL SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension IN ('page', 'agent_page') AND value = ANY ($8::text[]) AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY value) tops GROUP BY 1;

SELECT CASE WHEN value = ANY ($8::text[]) THEN value ELSE '' END AS value, sum(visits) AS visits
    FROM (SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension IN ('status', 'agent_status') AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY value
 UNION ALL SELECT value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension IN ('status', 'agent_status') OFFSET 0
 ) tops WHERE true
 UNION ALL SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension IN ('status', 'agent_status') AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY value) tops GROUP BY 1;

-- Agents only
WITH counted AS (
      SELECT value, sum(visits) AS visits FROM (SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension = 'agent_page' AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY value
 UNION ALL SELECT value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension = 'agent_page' OFFSET 0
 ) tops WHERE true
 UNION ALL SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension = 'agent_page' AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY value) tops GROUP BY 1
    )
    SELECT value, visits, (SELECT sum(visits) FROM counted) AS total FROM counted
    WHERE value <> '' ORDER BY visits DESC, value LIMIT $8;

WITH counted AS (
      SELECT value, sum(visits) AS visits FROM (SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension = 'agent_status' AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY value
 UNION ALL SELECT value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension = 'agent_status' OFFSET 0
 ) tops WHERE true
 UNION ALL SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension = 'agent_status' AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY value) tops GROUP BY 1
    )
    SELECT value, visits, (SELECT sum(visits) FROM counted) AS total FROM counted
    WHERE value <> '' ORDER BY visits DESC, value LIMIT $8;

SELECT CASE WHEN value = ANY ($8::text[]) THEN value ELSE '' END AS value, sum(visits) AS visits
    FROM (SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension = 'agent_page' AND value = ANY ($8::text[]) AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY value
 UNION ALL SELECT value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension = 'agent_page' OFFSET 0
 ) tops WHERE value = ANY ($8::text[])
 UNION ALL SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension = 'agent_page' AND value = ANY ($8::text[]) AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY value) tops GROUP BY 1;

SELECT CASE WHEN value = ANY ($8::text[]) THEN value ELSE '' END AS value, sum(visits) AS visits
    FROM (SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension = 'agent_status' AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY value
 UNION ALL SELECT value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension = 'agent_status' OFFSET 0
 ) tops WHERE true
 UNION ALL SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension = 'agent_status' AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY value) tops GROUP BY 1;

-- One page
SELECT json_agg(item) AS item, json_agg(agent_type) AS agent_type, json_agg(result) AS result, json_agg(visits) AS visits FROM (SELECT item, agent_type, result, sum(visits) AS visits
    FROM (
      SELECT item, agent_type, result, visits
FROM unnest($2::float8[], $3::float8[], $4::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, result, sum(visits::float8) AS visits FROM visit_day_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_type, result
) counted UNION ALL SELECT item, agent_type, result, visits
FROM unnest($5::float8[], $6::float8[], $7::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, result, sum(visits::float8) AS visits FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_type, result
) counted UNION ALL SELECT item, agent_type, result, visits
FROM unnest($8::float8[], $9::float8[], $10::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, result, sum(visits::float8) AS visits FROM visit_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_type, result
) counted
      UNION ALL SELECT item, agent_type, result, -visits FROM (SELECT item, agent_type, result, visits
FROM unnest($11::float8[], $12::float8[], $13::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, result, sum(visits::float8) AS visits FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND true
  GROUP BY agent_type, result
) counted) taken
    ) counted GROUP BY item, agent_type, result HAVING sum(visits) <> 0) read;

WITH sums AS MATERIALIZED (
       SELECT CASE WHEN GROUPING(slice) = 0 THEN 'slice' WHEN GROUPING(agent_id) = 0 THEN 'count'
           WHEN GROUPING(item) = 0 THEN 'type' WHEN GROUPING(page) = 0 THEN 'page' ELSE 'status' END AS what,
         coalesce(slice, item) AS item, agent_id, agent_type, result, coalesce(part::text, page, status::text) AS value,
         (count(*) FILTER (WHERE passes))::float8 AS passed, count(*)::float8 AS size,
         sum(weight) FILTER (WHERE fits) AS visits, sum(weight) FILTER (WHERE fits) AS listed,
         max(occurred_at) FILTER (WHERE fits) AS last_at
       FROM (SELECT 0 AS part, slice, item, v.*
  FROM unnest(
    $3::int[], $4::int[],
    $5::float8[], $6::float8[],
    $7::float8[],
    $8::uuid[],
    $9::float8[], $10::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (true) IS TRUE AS passes, (true) AND ((((left(path, 100) ^@ left($2::text, 100) AND path ^@ $2::text) AND coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) = $2::text))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NOT NULL) whole) v UNION ALL SELECT 1 AS part, slice, item, v.*
  FROM unnest(
    $12::int[], $13::int[],
    $14::float8[], $15::float8[],
    $16::float8[],
    $17::uuid[],
    $18::float8[], $19::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (true) IS TRUE AS passes, (true) AND ((((left(path, 100) ^@ left($11::text, 100) AND path ^@ $11::text) AND coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) = $11::text))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NULL) whole) v) visits_read
       GROUP BY GROUPING SETS ((part, slice), (agent_id, agent_type, result), (item, agent_type, result), (page), (status))
     )
     SELECT what, item, agent_id, agent_type, result, value, CASE WHEN what = 'slice' THEN passed ELSE visits END AS visits,
       size AS total, last_at
     FROM sums WHERE what = 'slice' OR what IN ('count', 'type') AND visits > 0
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'page' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 10)
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'status' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 10);

WITH sums AS MATERIALIZED (
       SELECT CASE WHEN GROUPING(slice) = 0 THEN 'slice' WHEN GROUPING(agent_id) = 0 THEN 'count'
           WHEN GROUPING(item) = 0 THEN 'type' WHEN GROUPING(page) = 0 THEN 'page' ELSE 'status' END AS what,
         coalesce(slice, item) AS item, agent_id, agent_type, result, coalesce(part::text, page, status::text) AS value,
         (count(*) FILTER (WHERE passes))::float8 AS passed, count(*)::float8 AS size,
         sum(weight) FILTER (WHERE fits) AS visits, sum(weight) FILTER (WHERE fits) AS listed,
         max(occurred_at) FILTER (WHERE fits) AS last_at
       FROM (SELECT 0 AS part, slice, item, v.*
  FROM unnest(
    $3::int[], $4::int[],
    $5::float8[], $6::float8[],
    $7::float8[],
    $8::uuid[],
    $9::float8[], $10::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (true) IS TRUE AS passes, (true) AND ((((left(path, 100) ^@ left($2::text, 100) AND path ^@ $2::text) AND coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) = $2::text))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NOT NULL) whole) v UNION ALL SELECT 1 AS part, slice, item, v.*
  FROM unnest(
    $12::int[], $13::int[],
    $14::float8[], $15::float8[],
    $16::float8[],
    $17::uuid[],
    $18::float8[], $19::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (true) IS TRUE AS passes, (true) AND ((((left(path, 100) ^@ left($11::text, 100) AND path ^@ $11::text) AND coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) = $11::text))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NULL) whole) v) visits_read
       GROUP BY GROUPING SETS ((part, slice), (agent_id, agent_type, result), (item, agent_type, result), (page), (status))
     )
     SELECT what, item, agent_id, agent_type, result, value, CASE WHEN what = 'slice' THEN passed ELSE visits END AS visits,
       size AS total, last_at
     FROM sums WHERE what = 'slice' OR what IN ('count', 'type') AND visits > 0
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'page' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 1000)
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'status' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 1000);

-- Error responses to an agent
SELECT json_agg(item) AS item, json_agg(agent_type) AS agent_type, json_agg(result) AS result, json_agg(visits) AS visits FROM (SELECT item, agent_type, result, sum(visits) AS visits
    FROM (
      SELECT item, agent_type, result, visits
FROM unnest($2::float8[], $3::float8[], $4::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, result, sum(visits::float8) AS visits FROM visit_day_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = ANY ($14::uuid[])
  GROUP BY agent_type, result
) counted UNION ALL SELECT item, agent_type, result, visits
FROM unnest($5::float8[], $6::float8[], $7::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, result, sum(visits::float8) AS visits FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = ANY ($14::uuid[])
  GROUP BY agent_type, result
) counted UNION ALL SELECT item, agent_type, result, visits
FROM unnest($8::float8[], $9::float8[], $10::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, result, sum(visits::float8) AS visits FROM visit_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = ANY ($14::uuid[])
  GROUP BY agent_type, result
) counted
      UNION ALL SELECT item, agent_type, result, -visits FROM (SELECT item, agent_type, result, visits
FROM unnest($11::float8[], $12::float8[], $13::int[]) piece (since, until, item), LATERAL (
  SELECT agent_type, result, sum(visits::float8) AS visits FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = ANY ($14::uuid[])
  GROUP BY agent_type, result
) counted) taken
    ) counted GROUP BY item, agent_type, result HAVING sum(visits) <> 0) read;

WITH sums AS MATERIALIZED (
       SELECT CASE WHEN GROUPING(slice) = 0 THEN 'slice' WHEN GROUPING(agent_id) = 0 THEN 'count'
           WHEN GROUPING(item) = 0 THEN 'type' WHEN GROUPING(page) = 0 THEN 'page' ELSE 'status' END AS what,
         coalesce(slice, item) AS item, agent_id, agent_type, result, coalesce(part::text, page, status::text) AS value,
         (count(*) FILTER (WHERE passes))::float8 AS passed, count(*)::float8 AS size,
         sum(weight) FILTER (WHERE fits) AS visits, sum(weight) FILTER (WHERE fits) AS listed,
         max(occurred_at) FILTER (WHERE fits) AS last_at
       FROM (SELECT 0 AS part, slice, item, v.*
  FROM unnest(
    $6::int[], $7::int[],
    $8::float8[], $9::float8[],
    $10::float8[],
    $11::uuid[],
    $12::float8[], $13::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (agent_id = $3::uuid) IS TRUE AS passes, (agent_id = $3::uuid) AND (((status >= $4 AND status < $5))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NOT NULL AND agent_id = $2::uuid) whole) v) visits_read
       GROUP BY GROUPING SETS ((part, slice), (agent_id, agent_type, result), (item, agent_type, result), (page), (status))
     )
     SELECT what, item, agent_id, agent_type, result, value, CASE WHEN what = 'slice' THEN passed ELSE visits END AS visits,
       size AS total, last_at
     FROM sums WHERE what = 'slice' OR what IN ('count', 'type') AND visits > 0
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'page' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 10)
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'status' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 10);

WITH sums AS MATERIALIZED (
       SELECT CASE WHEN GROUPING(slice) = 0 THEN 'slice' WHEN GROUPING(agent_id) = 0 THEN 'count'
           WHEN GROUPING(item) = 0 THEN 'type' WHEN GROUPING(page) = 0 THEN 'page' ELSE 'status' END AS what,
         coalesce(slice, item) AS item, agent_id, agent_type, result, coalesce(part::text, page, status::text) AS value,
         (count(*) FILTER (WHERE passes))::float8 AS passed, count(*)::float8 AS size,
         sum(weight) FILTER (WHERE fits) AS visits, sum(weight) FILTER (WHERE fits) AS listed,
         max(occurred_at) FILTER (WHERE fits) AS last_at
       FROM (SELECT 0 AS part, slice, item, v.*
  FROM unnest(
    $6::int[], $7::int[],
    $8::float8[], $9::float8[],
    $10::float8[],
    $11::uuid[],
    $12::float8[], $13::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (agent_id = $3::uuid) IS TRUE AS passes, (agent_id = $3::uuid) AND (((status >= $4 AND status < $5))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NOT NULL AND agent_id = $2::uuid) whole) v) visits_read
       GROUP BY GROUPING SETS ((part, slice), (agent_id, agent_type, result), (item, agent_type, result), (page), (status))
     )
     SELECT what, item, agent_id, agent_type, result, value, CASE WHEN what = 'slice' THEN passed ELSE visits END AS visits,
       size AS total, last_at
     FROM sums WHERE what = 'slice' OR what IN ('count', 'type') AND visits > 0
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'page' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 1000)
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'status' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 1000);

-- By status
SELECT item, value AS status, sum(visits) AS visits FROM (
  SELECT item, value, visits::float8 AS visits
FROM unnest($2::float8[], $3::int[]) piece (start, item), LATERAL (
  SELECT value, visits FROM visit_day_top_counts
  WHERE project_id = $1 AND bucket = to_timestamp(start / 1000) AND dimension IN ('status', 'agent_status')
  OFFSET 0
) counted
  UNION ALL SELECT item, value, visits::float8 AS visits
FROM unnest($4::float8[], $5::int[]) piece (start, item), LATERAL (
  SELECT value, visits FROM visit_top_counts
  WHERE project_id = $1 AND bucket = to_timestamp(start / 1000) AND dimension IN ('status', 'agent_status')
  OFFSET 0
) counted
  UNION ALL SELECT item, value, -visits::float8 AS visits
FROM unnest($6::float8[], $7::int[]) piece (start, item), LATERAL (
  SELECT value, visits FROM visit_top_counts
  WHERE project_id = $1 AND bucket = to_timestamp(start / 1000) AND dimension IN ('status', 'agent_status')
  OFFSET 0
) counted
) counted GROUP BY 1, 2 HAVING sum(visits) <> 0;

-- By agent
SELECT json_agg(item) AS item, json_agg(agent_id) AS agent_id, json_agg(result) AS result, json_agg(visits) AS visits FROM (SELECT item, agent_id, result, sum(visits) AS visits
    FROM (
      SELECT item, agent_id, result, visits
FROM unnest($2::float8[], $3::float8[], $4::int[]) piece (since, until, item), LATERAL (
  SELECT agent_id, result, sum(visits::float8) AS visits FROM visit_day_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = ANY ($14::uuid[])
  GROUP BY agent_id, result
) counted UNION ALL SELECT item, agent_id, result, visits
FROM unnest($5::float8[], $6::float8[], $7::int[]) piece (since, until, item), LATERAL (
  SELECT agent_id, result, sum(visits::float8) AS visits FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = ANY ($14::uuid[])
  GROUP BY agent_id, result
) counted UNION ALL SELECT item, agent_id, result, visits
FROM unnest($8::float8[], $9::float8[], $10::int[]) piece (since, until, item), LATERAL (
  SELECT agent_id, result, sum(visits::float8) AS visits FROM visit_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = ANY ($14::uuid[])
  GROUP BY agent_id, result
) counted
      UNION ALL SELECT item, agent_id, result, -visits FROM (SELECT item, agent_id, result, visits
FROM unnest($11::float8[], $12::float8[], $13::int[]) piece (since, until, item), LATERAL (
  SELECT agent_id, result, sum(visits::float8) AS visits FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = ANY ($14::uuid[])
  GROUP BY agent_id, result
) counted) taken
    ) counted GROUP BY item, agent_id, result HAVING sum(visits) <> 0) read;

-- One page by status
WITH sums AS MATERIALIZED (
       SELECT CASE WHEN GROUPING(item) + GROUPING(status) = 0 THEN 'breakdown' WHEN GROUPING(slice) = 0 THEN 'slice' WHEN GROUPING(agent_id) = 0 THEN 'count'
           WHEN GROUPING(item) = 0 THEN 'type' WHEN GROUPING(page) = 0 THEN 'page' ELSE 'status' END AS what,
         coalesce(slice, item) AS item, agent_id, agent_type, result, coalesce(part::text, page, status::text) AS value,
         (count(*) FILTER (WHERE passes))::float8 AS passed, count(*)::float8 AS size,
         sum(weight) FILTER (WHERE fits) AS visits, sum(weight) FILTER (WHERE fits) AS listed,
         max(occurred_at) FILTER (WHERE fits) AS last_at
       FROM (SELECT 0 AS part, slice, item, v.*
  FROM unnest(
    $3::int[], $4::int[],
    $5::float8[], $6::float8[],
    $7::float8[],
    $8::uuid[],
    $9::float8[], $10::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (true) IS TRUE AS passes, (true) AND ((((left(path, 100) ^@ left($2::text, 100) AND path ^@ $2::text) AND coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) = $2::text))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NOT NULL) whole) v UNION ALL SELECT 1 AS part, slice, item, v.*
  FROM unnest(
    $12::int[], $13::int[],
    $14::float8[], $15::float8[],
    $16::float8[],
    $17::uuid[],
    $18::float8[], $19::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (true) IS TRUE AS passes, (true) AND ((((left(path, 100) ^@ left($11::text, 100) AND path ^@ $11::text) AND coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) = $11::text))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NULL) whole) v) visits_read
       GROUP BY GROUPING SETS ((item, status), (part, slice), (agent_id, agent_type, result), (item, agent_type, result), (page), (status))
     )
     SELECT what, item, agent_id, agent_type, result, value, CASE WHEN what = 'slice' THEN passed ELSE visits END AS visits,
       size AS total, last_at
     FROM sums WHERE what = 'slice' OR what IN ('count', 'type') AND visits > 0
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'page' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 10)
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'status' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 10) UNION ALL SELECT what, item, NULL, NULL, NULL, value, listed, NULL, NULL
     FROM sums WHERE what = 'breakdown' AND listed > 0;

WITH sums AS MATERIALIZED (
       SELECT CASE WHEN GROUPING(item) + GROUPING(status) = 0 THEN 'breakdown' WHEN GROUPING(slice) = 0 THEN 'slice' WHEN GROUPING(agent_id) = 0 THEN 'count'
           WHEN GROUPING(item) = 0 THEN 'type' WHEN GROUPING(page) = 0 THEN 'page' ELSE 'status' END AS what,
         coalesce(slice, item) AS item, agent_id, agent_type, result, coalesce(part::text, page, status::text) AS value,
         (count(*) FILTER (WHERE passes))::float8 AS passed, count(*)::float8 AS size,
         sum(weight) FILTER (WHERE fits) AS visits, sum(weight) FILTER (WHERE fits) AS listed,
         max(occurred_at) FILTER (WHERE fits) AS last_at
       FROM (SELECT 0 AS part, slice, item, v.*
  FROM unnest(
    $3::int[], $4::int[],
    $5::float8[], $6::float8[],
    $7::float8[],
    $8::uuid[],
    $9::float8[], $10::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (true) IS TRUE AS passes, (true) AND ((((left(path, 100) ^@ left($2::text, 100) AND path ^@ $2::text) AND coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) = $2::text))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NOT NULL) whole) v UNION ALL SELECT 1 AS part, slice, item, v.*
  FROM unnest(
    $12::int[], $13::int[],
    $14::float8[], $15::float8[],
    $16::float8[],
    $17::uuid[],
    $18::float8[], $19::int[]
  ) AS s (slice, item, since, until, middle, first_id, counted, max), LATERAL (SELECT whole.*, 1::float8 AS weight FROM (SELECT agent_id, agent_type, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status, occurred_at, (true) IS TRUE AS passes, (true) AND ((((left(path, 100) ^@ left($11::text, 100) AND path ^@ $11::text) AND coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) = $11::text))) AS fits FROM visits_full
   WHERE project_id = $1 AND occurred_at >= to_timestamp(since::float8 / 1000) AND occurred_at < to_timestamp(until::float8 / 1000)
     AND id >= first_id AND agent_id IS NULL) whole) v) visits_read
       GROUP BY GROUPING SETS ((item, status), (part, slice), (agent_id, agent_type, result), (item, agent_type, result), (page), (status))
     )
     SELECT what, item, agent_id, agent_type, result, value, CASE WHEN what = 'slice' THEN passed ELSE visits END AS visits,
       size AS total, last_at
     FROM sums WHERE what = 'slice' OR what IN ('count', 'type') AND visits > 0
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'page' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 1000)
     UNION ALL (SELECT what, NULL, NULL, NULL, NULL, value, listed, sum(listed) OVER (), NULL FROM sums
      WHERE what = 'status' AND value IS NOT NULL AND listed > 0 ORDER BY listed DESC, value LIMIT 1000) UNION ALL SELECT what, item, NULL, NULL, NULL, value, listed, NULL, NULL
     FROM sums WHERE what = 'breakdown' AND listed > 0;
