-- Agents
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

-- One agent
SELECT json_agg(id) AS id, json_agg(agent_id) AS agent_id, json_agg(path) AS path, json_agg(status) AS status, json_agg(result) AS result, json_agg(client_address) AS client_address, json_agg(occurred_at) AS occurred_at, json_agg(method) AS method FROM (SELECT id, agent_id, path, status, result, client_address, floor(extract(epoch FROM occurred_at) * 1000) AS occurred_at, document #>> '{visit,request_method}' AS method
FROM (
  SELECT * FROM visits_full
  WHERE project_id = $1 AND occurred_at >= to_timestamp($2::float8 / 1000) AND occurred_at < to_timestamp($3::float8 / 1000)
    AND id >= $4::uuid AND agent_id = $6
  ORDER BY occurred_at DESC, id DESC LIMIT $5
) newest) read;

SELECT dimension, coalesce(value, '') AS value, (count(*) FILTER (WHERE is_current))::float8 AS visits,
       (count(*) FILTER (WHERE NOT is_current))::float8 AS previous_visits
     FROM ((SELECT true AS is_current, CASE WHEN form IS NULL THEN document ->> 'client_address'
WHEN starts_with(document::text, '["') THEN split_part(document::text, '"', 2) ELSE document ->> 0 END AS client_address, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status
     FROM visits WHERE project_id = $1 AND agent_id = $2
       AND occurred_at >= to_timestamp($3::float8 / 1000) AND occurred_at < to_timestamp($4::float8 / 1000) AND id >= $5::uuid
       AND ($9::boolean OR result <> 'verification_failed')
     ORDER BY occurred_at DESC, id DESC LIMIT 5000) UNION ALL (SELECT false AS is_current, CASE WHEN form IS NULL THEN document ->> 'client_address'
WHEN starts_with(document::text, '["') THEN split_part(document::text, '"', 2) ELSE document ->> 0 END AS client_address, result, coalesce(nullif(CASE WHEN right(split_part(path, '?', 1), 1) IN ('/', 'd', 'l')
THEN reverse(regexp_replace(reverse(split_part(path, '?', 1)), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
ELSE split_part(path, '?', 1) END, ''), left(path, 1)) AS page, status
     FROM visits WHERE project_id = $1 AND agent_id = $2
       AND occurred_at >= to_timestamp($6::float8 / 1000) AND occurred_at < to_timestamp($7::float8 / 1000) AND id >= $8::uuid
       AND ($9::boolean OR result <> 'verification_failed')
     ORDER BY occurred_at DESC, id DESC LIMIT 5000)) both_ranges,
       LATERAL (VALUES ('network', CASE WHEN strpos(client_address, ':') = 0
           THEN rtrim(client_address, '0123456789') || '0' ELSE client_address END),
         ('result', result), ('page', CASE WHEN split_part(page, '/', 3) = '' THEN page
ELSE '/' || split_part(page, '/', 2) || '/*' END), ('status', status::text)) parts (dimension, value)
     GROUP BY 1, 2;

-- Verification
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

SELECT json_agg(id) AS id, json_agg(agent_id) AS agent_id, json_agg(path) AS path, json_agg(status) AS status, json_agg(result) AS result, json_agg(client_address) AS client_address, json_agg(occurred_at) AS occurred_at, json_agg(reason) AS reason FROM (SELECT id, agent_id, path, status, result, client_address, floor(extract(epoch FROM occurred_at) * 1000) AS occurred_at, document #>> '{identification,reason}' AS reason
FROM (
  SELECT * FROM visits_full
  WHERE project_id = $1 AND occurred_at >= to_timestamp($2::float8 / 1000) AND occurred_at < to_timestamp($3::float8 / 1000)
    AND id >= $4::uuid AND result = 'verification_failed'
  ORDER BY occurred_at DESC, id DESC LIMIT $5
) newest) read;

SELECT id, document #>> '{identification,reason}' AS reason, document #> '{identification,evidence,steps}' AS steps
FROM visits_full WHERE agent_id IS NOT NULL AND id = ANY ($1::uuid[]);

-- News
SELECT p.project_id, (SELECT min(bucket) FROM visit_counts o WHERE o.project_id = p.project_id) AS first_at, last_at,
  EXISTS (SELECT FROM visit_top_counts t WHERE t.project_id = p.project_id AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'tools_kind') AS has_tools, EXISTS (SELECT FROM visit_top_counts t WHERE t.project_id = p.project_id AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'payment') AS has_payments
FROM unnest($1::uuid[]) p (project_id), LATERAL (
  SELECT max(greatest(c.last_at, c.bucket)) AS last_at FROM visit_counts c
  WHERE c.project_id = p.project_id AND c.bucket = (
    SELECT max(bucket) FROM visit_counts n WHERE n.project_id = p.project_id
  )
) newest WHERE last_at IS NOT NULL;

SELECT value, sum(visits) AS visits, coalesce(sum(visits) FILTER (WHERE dimension = 'agent_status'), 0) AS agent_visits
    FROM (SELECT dimension, value, sum(visits::float8) AS visits FROM visit_day_top_counts
WHERE project_id = $1 AND dimension IN ('status', 'agent_status') AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($2::float8[], $3::float8[]) piece (since, until),
  generate_series(ceil(since / 86400000)::bigint * 86400000, until::bigint - 1, 86400000) AS start))
GROUP BY dimension, value
 UNION ALL SELECT dimension, value, visits::float8 FROM (
   SELECT dimension, unnest(top_values) AS value, unnest(top_visits) AS visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start)) AND dimension IN ('status', 'agent_status') OFFSET 0
 ) tops WHERE true
 UNION ALL SELECT dimension, value, sum(visits::float8) AS visits FROM visit_top_counts
WHERE project_id = $1 AND dimension IN ('status', 'agent_status') AND true AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($6::float8[], $7::float8[]) piece (since, until),
  generate_series(ceil(since / 900000)::bigint * 900000, until::bigint - 1, 900000) AS start UNION ALL SELECT hour + quarter * interval '15 minutes'
 FROM (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY (SELECT to_timestamp(start::float8 / 1000) FROM unnest($4::float8[], $5::float8[]) piece (since, until),
  generate_series(ceil(since / 3600000)::bigint * 3600000, until::bigint - 1, 3600000) AS start))) unsummed (hour), generate_series(0, 3) quarter))
GROUP BY dimension, value) tops GROUP BY 1;

SELECT CASE WHEN rank <= 5000 THEN value ELSE '' END AS value,
      sum(visits) AS visits
    FROM (
      SELECT value, row_number() OVER (ORDER BY sum(visits) DESC, value) AS rank,
        sum(visits) AS visits
      FROM (
        SELECT counted.* FROM unnest($2::float8[], $3::float8[]) piece (since, until), LATERAL (
  SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = $6
  GROUP BY value
) counted
        UNION ALL SELECT counted.* FROM unnest($4::float8[], $5::float8[]) piece (since, until), LATERAL (
  SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = $6
  GROUP BY value
) counted
      ) counted GROUP BY 1 HAVING sum(visits) <> 0
    ) ranked GROUP BY 1 ORDER BY 2 DESC, 1;

SELECT count(*)::int AS lists, (count(*) FILTER (WHERE fault IS NOT NULL AND (fetched_at IS NULL OR fetched_at < now() - interval '2 days')))::int AS failing FROM address_lists;

-- Referrals
SELECT record ->> 'name' AS name, record ->> 'operator' AS operator FROM assistants;

SELECT item, value, sum(visits::float8) AS visits FROM (
      SELECT item, value, visits
FROM unnest($2::float8[], $3::float8[], $4::int[]) piece (since, until, item), LATERAL (
  SELECT value, sum(visits::float8) AS visits FROM visit_day_top_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = $11
  GROUP BY value
) counted
      UNION ALL SELECT item, value, visits
FROM unnest($5::float8[], $6::float8[], $7::int[]) piece (since, until, item), LATERAL (
  SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = $11
  GROUP BY value
) counted
      UNION ALL SELECT item, value, -visits FROM (SELECT item, value, visits
FROM unnest($8::float8[], $9::float8[], $10::int[]) piece (since, until, item), LATERAL (
  SELECT value, sum(visits::float8) AS visits FROM visit_top_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = $11
  GROUP BY value
) counted) taken
    ) counted GROUP BY 1, 2 HAVING sum(visits::float8) <> 0;

WITH counted AS MATERIALIZED (
       SELECT value, sum(visits::float8) AS visits FROM (SELECT value, visits FROM unnest($2::float8[], $3::float8[]) piece (since, until), LATERAL (
   SELECT * FROM visit_day_top_counts
   WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
     AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'referral_page'
   OFFSET 0
 ) counted
UNION ALL SELECT value, visits FROM unnest($4::float8[], $5::float8[]) piece (since, until), LATERAL (
   SELECT * FROM visit_top_counts
   WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
     AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'referral_page'
   OFFSET 0
 ) counted) counted GROUP BY 1
     ), of_pages AS MATERIALIZED (
       SELECT *, substr(value, strpos(value, '","') + 3) AS page_in_json FROM counted WHERE value <> ''
     )
     SELECT value, visits, page_in_json, (SELECT sum(visits) FROM counted) AS total FROM of_pages
     WHERE page_in_json IN (
       SELECT page_in_json FROM of_pages GROUP BY 1 ORDER BY sum(visits) DESC, 1 LIMIT $6
     ) ORDER BY value;

SELECT coalesce(sum(visits), 0)::float8 AS visits FROM (
      SELECT visits FROM unnest($2::float8[], $3::float8[]) piece (since, until), LATERAL (
  SELECT * FROM visit_day_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = '00000000-0000-0000-0000-000000000000'
  OFFSET 0
) counted
      UNION ALL SELECT visits FROM unnest($4::float8[], $5::float8[]) piece (since, until), LATERAL (
  SELECT * FROM visit_hour_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = '00000000-0000-0000-0000-000000000000'
  OFFSET 0
) counted
      UNION ALL SELECT visits FROM unnest($6::float8[], $7::float8[]) piece (since, until), LATERAL (
  SELECT * FROM visit_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND agent_id = '00000000-0000-0000-0000-000000000000'
  OFFSET 0
) counted
    ) counted;

-- Compliance
SELECT CASE WHEN rank <= 5000 THEN value ELSE '' END AS value,
      sum(visits) AS visits, min(first_at) AS first_at, max(last_at) AS last_at
    FROM (
      SELECT value, row_number() OVER (ORDER BY sum(visits) DESC, value) AS rank,
        sum(visits) AS visits, min(first_at) AS first_at, max(last_at) AS last_at
      FROM (
        SELECT counted.* FROM unnest($2::float8[], $3::float8[]) piece (since, until), LATERAL (
  SELECT value, sum(visits::float8) AS visits, min(bucket) AS first_at, max(bucket) AS last_at FROM visit_day_top_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = $6
  GROUP BY value
) counted
        UNION ALL SELECT counted.* FROM unnest($4::float8[], $5::float8[]) piece (since, until), LATERAL (
  SELECT value, sum(visits::float8) AS visits, min(bucket) AS first_at, max(bucket) AS last_at FROM visit_top_counts
  WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
    AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = $6
  GROUP BY value
) counted
      ) counted GROUP BY 1 HAVING sum(visits) <> 0
    ) ranked GROUP BY 1 ORDER BY 2 DESC, 1;

WITH newest AS MATERIALIZED (
      SELECT agent_id, result, occurred_at FROM visits
      WHERE project_id = $1 AND occurred_at >= to_timestamp($2::float8 / 1000) AND occurred_at < to_timestamp($3::float8 / 1000)
        AND id >= $4::uuid AND robots = 2
      ORDER BY occurred_at DESC, id DESC LIMIT 2001
    ), fetches AS MATERIALIZED (
      SELECT value::uuid AS agent_id, bucket FROM visit_top_counts
WHERE project_id = $1 AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'robots_fetch' AND value <> ''
  AND bucket >= (
        -- A fetch only matters to visits in the following 24 hours, so ignore fetches before that.
        SELECT CASE WHEN count(*) > 2000 THEN date_bin('15 minutes', min(occurred_at), 'epoch')
          ELSE to_timestamp($2::float8 / 1000) END - interval '1 day' FROM newest) AND bucket < to_timestamp($3::float8 / 1000)
ORDER BY bucket DESC LIMIT 4000
    ), known AS (
      SELECT CASE WHEN count(*) < 4000 THEN '-infinity' ELSE min(bucket) + interval '1 day' END AS since
      FROM fetches
    ), events AS (
      SELECT agent_id, occurred_at AS at, NULL::timestamptz AS fetched_at
      FROM newest WHERE result <> 'verification_failed'
      UNION ALL
      SELECT agent_id, bucket, bucket FROM fetches WHERE agent_id IN (SELECT agent_id FROM newest)
    ), told AS (
      SELECT agent_id, at, fetched_at, max(fetched_at) OVER (
        PARTITION BY agent_id ORDER BY at, fetched_at NULLS LAST ROWS UNBOUNDED PRECEDING
      ) AS last_fetch_at
      FROM events
    )
    SELECT coalesce(d.agent_id, f.agent_id) AS agent_id, coalesce(visits, 0) AS visits, first_at, last_at,
      last_fetch_at, coalesce(judged, 0) AS judged, coalesce(read_before, 0) AS read_before,
      (SELECT count(*) FROM newest)::float8 AS read
    FROM (
      SELECT agent_id, count(*)::float8 AS visits, min(at) AS first_at, max(at) AS last_at,
        (count(*) FILTER (WHERE at >= since))::float8 AS judged,
        (count(*) FILTER (WHERE at >= since AND told.last_fetch_at >= at - interval '1 day'))::float8 AS read_before
      FROM told, known WHERE fetched_at IS NULL GROUP BY 1
    ) d FULL JOIN (SELECT agent_id, max(bucket) AS last_fetch_at FROM fetches GROUP BY 1) f USING (agent_id);

-- Tools
WITH counted AS MATERIALIZED (
  SELECT protocol, state, currency, CASE WHEN NOT is_spoofed THEN agent_id END AS agent_id, is_spoofed,
    count(*) AS checkouts, sum(total) AS total,
    max(visit_id::text COLLATE "C") AS visit_id
  FROM checkouts
  WHERE project_id = $1 AND first_at >= to_timestamp($2::float8 / 1000) AND first_at < to_timestamp($3::float8 / 1000)
  GROUP BY 1, 2, 3, 4, 5
)
SELECT (
  SELECT coalesce(json_agg(listed), '[]') FROM (
    SELECT protocol, state, currency, sum(checkouts)::float8 AS checkouts, CASE WHEN currency IS NOT NULL THEN sum(total) END AS total, max(visit_id) AS last_visit_id
    FROM counted GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3 LIMIT 500
  ) listed
) AS states,
  (
  SELECT coalesce(json_agg(listed), '[]') FROM (
    SELECT protocol, agent_id, is_spoofed, sum(checkouts)::float8 AS checkouts, coalesce(sum(checkouts) FILTER (WHERE state = 'completed'), 0)::float8 AS completed
    FROM counted GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3 LIMIT 500
  ) listed
) AS buyers;

-- Unlisted agents
SELECT (ordinality - 1)::int AS index, path, client_address, occurred_at
FROM unnest($2::int[], $3::float8[], $4::uuid[]) WITH ORDINALITY AS g (number, since, first_id, ordinality), LATERAL (
  SELECT path, client_address, occurred_at FROM visits_full
  WHERE project_id = $1 AND user_agent_group = g.number AND user_agent_group IS NOT NULL
    AND occurred_at >= to_timestamp(g.since::float8 / 1000) AND occurred_at < to_timestamp($5::float8 / 1000) AND id >= g.first_id
  ORDER BY occurred_at DESC, id DESC LIMIT 20
) newest;

-- Visit histogram
SELECT minute, count(*)::float8 AS read, (count(*) FILTER (WHERE fits))::float8 AS visits,
  (count(agent_id) FILTER (WHERE fits))::float8 AS agents,
  (count(*) FILTER (WHERE fits AND result = 'verified'))::float8 AS verified,
  (count(*) FILTER (WHERE fits AND result = 'verification_failed'))::float8 AS verification_failed
FROM (
  SELECT date_bin('1 minute', occurred_at, 'epoch') AS minute, agent_id, result,
    true AS fits
  FROM (
    SELECT * FROM visits_full
    WHERE project_id = $1 AND occurred_at >= to_timestamp($2::float8 / 1000) AND id >= $3::uuid
    ORDER BY occurred_at DESC, id DESC LIMIT 250000
  ) newest
) judged GROUP BY 1 ORDER BY 1 DESC;

-- Project summaries
SELECT project_id, floor(extract(epoch FROM bucket - to_timestamp($2::float8 / 1000)) / 3600)::int AS hour, result,
  sum(visits::float8) AS visits
FROM (
  SELECT project_id, bucket, result, visits FROM visit_hour_counts c
  WHERE project_id = ANY ($1::uuid[]) AND bucket >= to_timestamp($2::float8 / 1000) AND NOT EXISTS (
    SELECT FROM visit_open_hours o WHERE o.project_id = c.project_id AND o.hour = c.bucket
  )
  UNION ALL
  SELECT o.project_id, bucket, result, visits
  FROM (
    SELECT DISTINCT project_id, hour FROM visit_open_hours
    WHERE project_id = ANY ($1::uuid[]) AND hour >= to_timestamp($2::float8 / 1000)
  ) o JOIN visit_counts c
    ON c.project_id = o.project_id AND c.bucket >= o.hour AND c.bucket < o.hour + interval '1 hour'
  UNION ALL
  SELECT project_id, bucket, result, visits FROM visit_counts
  WHERE project_id = ANY ($1::uuid[]) AND bucket >= to_timestamp($3::float8 / 1000) AND bucket < to_timestamp($2::float8 / 1000)
) counted GROUP BY 1, 2, 3;

-- Agents seen in all projects
WITH starts AS MATERIALIZED (
  SELECT project_id, to_timestamp(start::float8 / 1000) AS start, to_timestamp(day::float8 / 1000) AS day
  FROM unnest($1::uuid[], $2::float8[], $3::float8[]) s (project_id, start, day)
), open AS MATERIALIZED (
  SELECT project_id, day FROM visit_open_days WHERE project_id = ANY ($1::uuid[])
  UNION
  SELECT project_id, date_bin('1 day', hour, 'epoch') FROM visit_open_hours WHERE project_id = ANY ($1::uuid[])
)
SELECT project_id, agent_id, sum(visits::float8) AS visits FROM (
  SELECT c.project_id, agent_id, visits FROM starts s JOIN visit_day_counts c ON c.project_id = s.project_id AND c.bucket >= s.day
  WHERE NOT EXISTS (SELECT FROM open WHERE open.project_id = c.project_id AND open.day = c.bucket)
  UNION ALL
  SELECT c.project_id, agent_id, visits FROM starts s JOIN open ON open.project_id = s.project_id AND open.day >= s.day
    JOIN visit_counts c
    ON c.project_id = open.project_id AND c.bucket >= open.day AND c.bucket < open.day + interval '1 day'
  UNION ALL
  SELECT c.project_id, agent_id, visits FROM starts s JOIN visit_counts c
    ON c.project_id = s.project_id AND c.bucket >= s.start AND c.bucket < s.day
) counted WHERE agent_id <> '00000000-0000-0000-0000-000000000000' GROUP BY 1, 2 ORDER BY 3 DESC;

SELECT id AS agent_id, robots_token, coalesce(behaviors, '[]') AS behaviors, origin, is_edited, changed_at, CASE WHEN origin = 'feed' THEN feed_name END
         AS feed_name, origin = 'feed' AND feed_gone_at IS NOT NULL AS is_gone, token AS agent_token, type AS agent_type_name, operator AS operator_name, url AS agent_url,
(
  SELECT jsonb_object_agg(key, jsonb_build_array(value -> 0)) FROM jsonb_each(verification)
  WHERE value -> 0 IS NOT NULL
) AS verification
     FROM (
       SELECT id, record, feed_name, feed_gone_at,
         CASE WHEN bundled IS NOT NULL THEN 'bundled' WHEN feed IS NOT NULL THEN 'feed' ELSE 'own' END AS origin,
         own IS NOT NULL AND (bundled IS NOT NULL OR feed IS NOT NULL) AS is_edited,
         to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS changed_at
       FROM agents
     ) a, jsonb_to_record(record) AS r
(token text, type text, operator text, url text, robots_token text, behaviors jsonb, verification jsonb) ORDER BY lower(token) COLLATE "C";
