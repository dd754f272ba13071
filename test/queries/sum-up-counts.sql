-- A finished day and the current day
SELECT project_id, date_bin('1 day', hour, 'epoch') AS day, extract(epoch FROM max(
  $1::timestamptz - greatest(hour + interval '1 hour', since + make_interval(secs => $2))
))::float8 AS waited
FROM visit_open_hours
WHERE hour <= $1::timestamptz - interval '1 hour' AND since <= now() - make_interval(secs => $2) GROUP BY 1, 2
UNION ALL
SELECT project_id, day, 0 FROM visit_open_days d WHERE day <= $1::timestamptz - interval '1 day' AND NOT EXISTS (
  SELECT FROM visit_open_hours h
  WHERE h.project_id = d.project_id AND h.hour >= d.day AND h.hour < d.day + interval '1 day'
)
ORDER BY 1, 2;

SELECT DISTINCT hour FROM visit_open_hours WHERE project_id = $1 AND hour >= $2::timestamptz AND hour < $2::timestamptz + interval '1 day' AND hour <= $3::timestamptz - interval '1 hour';

SELECT DISTINCT shard FROM visit_counts WHERE project_id = $1 AND bucket = ANY (ARRAY(
SELECT hour + quarter * interval '15 minutes' FROM unnest($2::timestamptz[]) hour, generate_series(0, 3) quarter)) AND shard > 0 ORDER BY 1;

SELECT pg_advisory_xact_lock(411682, $1);

WITH moved AS (DELETE FROM visit_counts WHERE project_id = $1 AND bucket = ANY (ARRAY(
SELECT hour + quarter * interval '15 minutes' FROM unnest($2::timestamptz[]) hour, generate_series(0, 3) quarter)) AND shard = $3 RETURNING *)
       INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at)
       SELECT project_id, bucket, agent_id, agent_type, result, visits, last_at FROM moved
       ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
       DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at);

WITH tops AS (DELETE FROM visit_top_counts WHERE project_id = $1 AND bucket = ANY (ARRAY(
  SELECT hour + quarter * interval '15 minutes' FROM unnest($2::timestamptz[]) hour, generate_series(0, 3) quarter)) AND shard = $3 RETURNING *),
         marked AS MATERIALIZED (
  SELECT t.*, known.value IS NOT NULL AS is_known
  FROM tops t LEFT JOIN LATERAL (
    SELECT value FROM visit_top_counts c
    WHERE (c.project_id, c.bucket, c.dimension, c.value) = (t.project_id, t.bucket, t.dimension, t.value) AND shard = 0
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
      SELECT b.*, CASE WHEN b.dimension IN ('page', 'agent_page', 'status', 'agent_status') THEN 200 ELSE 1000 END - (
  SELECT count(DISTINCT value) FILTER (WHERE value <> '') FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension) = (b.project_id, b.bucket, b.dimension) AND shard = 0
) AS slots
      FROM (SELECT DISTINCT project_id, bucket, dimension FROM marked WHERE NOT is_known) b
    ) free USING (project_id, bucket, dimension)
  ) ranked
  GROUP BY 1, 2, 3, 4
)
         INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits)
         SELECT project_id, bucket, dimension, value, visits FROM bounded
         ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits;

SELECT pg_advisory_xact_lock(4116827);

WITH marks AS MATERIALIZED (
  SELECT hour, shard FROM visit_open_hours WHERE project_id = $1 AND hour >= $2::timestamptz AND hour < $2::timestamptz + interval '1 day' AND hour <= $3::timestamptz - interval '1 hour' ORDER BY hour, shard FOR UPDATE
)
DELETE FROM visit_open_hours o USING marks m
WHERE o.project_id = $1 AND o.hour = m.hour AND o.shard = m.shard RETURNING o.hour;

DELETE FROM visit_hour_counts WHERE project_id = $1 AND bucket = ANY ($2::timestamptz[]);

DELETE FROM visit_hour_top_counts WHERE project_id = $1 AND bucket = ANY ($2::timestamptz[]);

INSERT INTO visit_hour_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
SELECT c.project_id, h.hour, agent_id, agent_type, result, sum(visits), max(last_at)
FROM unnest($2::timestamptz[]) h (hour)
JOIN visit_counts c ON c.project_id = $1 AND c.bucket >= h.hour AND c.bucket < h.hour + interval '1 hour'
GROUP BY 1, 2, 3, 4, 5 ORDER BY 2, 3, 4, 5;

INSERT INTO visit_hour_top_counts (project_id, bucket, dimension, top_values, top_visits)
SELECT $1, hour, dimension, array_agg(value ORDER BY value), array_agg(visits ORDER BY value)
FROM (
  SELECT hour, dimension, value, sum(visits) AS visits
  FROM unnest($2::timestamptz[]) hour
  JOIN visit_top_counts ON project_id = $1 AND bucket >= hour AND bucket < hour + interval '1 hour'
  WHERE dimension IN ('page', 'agent_page', 'status', 'agent_status') GROUP BY 1, 2, 3
) summed GROUP BY 2, 3;

INSERT INTO visit_open_days VALUES ($1, $2) ON CONFLICT DO NOTHING;

DELETE FROM visit_open_days WHERE project_id = $1 AND day = $2 AND day <= $3::timestamptz - interval '1 day'
AND NOT EXISTS (SELECT FROM visit_open_hours WHERE project_id = $1 AND hour >= $2::timestamptz AND hour < $2::timestamptz + interval '1 day') RETURNING day;

DELETE FROM visit_day_counts WHERE project_id = $1 AND bucket = $2;

INSERT INTO visit_day_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
SELECT project_id, $2::timestamptz, agent_id, agent_type, result, sum(visits), max(last_at)
FROM visit_hour_counts WHERE project_id = $1 AND bucket >= $2::timestamptz AND bucket < $2::timestamptz + interval '1 day' GROUP BY 1, 2, 3, 4, 5 ORDER BY 3, 4, 5;

DELETE FROM visit_day_top_counts WHERE project_id = $1 AND bucket = $2;

INSERT INTO visit_day_top_counts (project_id, bucket, dimension, value, visits)
SELECT project_id, $2::timestamptz, dimension, CASE WHEN rank <= CASE WHEN dimension IN ('page', 'agent_page', 'status', 'agent_status') THEN 200 ELSE 1000 END THEN value ELSE '' END, sum(visits)
FROM (
  SELECT project_id, dimension, value, sum(visits) AS visits, row_number() OVER (
    PARTITION BY dimension ORDER BY value = '', sum(visits) DESC, value
  ) AS rank
  FROM visit_top_counts WHERE project_id = $1 AND bucket >= $2::timestamptz AND bucket < $3::timestamptz
  GROUP BY 1, 2, 3
) ranked GROUP BY 1, 3, 4 ORDER BY 3, 4;

UPDATE visit_open_days SET summed_until = $3 WHERE project_id = $1 AND day = $2;
