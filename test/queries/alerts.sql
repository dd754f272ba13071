-- Alerts of every kind
SELECT pg_try_advisory_xact_lock($1) AS "isElected";

SELECT evaluated_until FROM alert_evaluation;

SELECT a.id, a.project_id, a.kind, a.agent_id, a.agent_type, a.operator, a.threshold, a.minimum, a.window_minutes,
  coalesce(a.watched_since, a.created_at) AS watched_since, CASE WHEN p.is_demo THEN to_timestamp(0) ELSE p.created_at END AS project_created_at
FROM alerts a JOIN projects p ON p.id = a.project_id
WHERE a.is_enabled AND a.deleted_at IS NULL
  -- Demo projects without new visits would trigger alerts about their absence.
  AND NOT EXISTS (SELECT FROM demo_loads d WHERE d.project_id = p.id AND (d.done < 1 OR NOT d.is_live));

SELECT id, r.type, r.operator FROM agents, jsonb_to_record(record) AS r (type text, operator text);

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN kind IN ('spike', 'drop', 'verified_share') THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN kind IN ('spike', 'verified_share')
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, '' AS subject, c.bucket, hits, total
  FROM rules r JOIN (
    SELECT r.project_id, c.bucket, coalesce(sum(c.visits) FILTER (WHERE c.result = 'verified'), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS total
    FROM (SELECT project_id, max(lookback) AS lookback FROM rules r WHERE NOT num_nonnulls(r.agent_id, r.agent_type, r.operator) > 0 GROUP BY 1) r, LATERAL (
    SELECT bucket, agent_id, result, visits FROM visit_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND agent_id <> '00000000-0000-0000-0000-000000000000'
    OFFSET 0
  ) c
    GROUP BY 1, 2
  ) c ON c.project_id = r.project_id AND c.bucket >= $1 - r.lookback
  WHERE NOT num_nonnulls(r.agent_id, r.agent_type, r.operator) > 0
  UNION ALL
  SELECT r.id, '', c.bucket, coalesce(sum(c.visits) FILTER (WHERE c.result = 'verified'), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS total
  FROM (SELECT * FROM rules r WHERE num_nonnulls(r.agent_id, r.agent_type, r.operator) > 0 OFFSET 0) r, LATERAL (
    SELECT bucket, agent_id, result, visits FROM visit_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND agent_id <> '00000000-0000-0000-0000-000000000000'
    OFFSET 0
  ) c LEFT JOIN catalog k ON k.id = c.agent_id
  WHERE (r.agent_id IS NULL OR r.agent_id = c.agent_id) AND (r.agent_type IS NULL OR r.agent_type = k.type)
  AND (r.operator IS NULL OR r.operator = k.operator) GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 1), (r.lookback + interval '15 minutes', 0, -1)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'spike' THEN total WHEN 'drop' THEN total WHEN 'verified_share' THEN 100 * hits / nullif(total, 0) END, 0)::float8 AS value, (CASE kind WHEN 'spike' THEN mean * quarters WHEN 'drop' THEN mean * quarters WHEN 'verified_share' THEN 100 * usual_hits / nullif(usual_total, 0) END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'spike' THEN total >= minimum AND (total / quarters - mean) / greatest(sqrt(greatest(mean_square - mean * mean, 0)), sqrt(mean), 1) >= threshold AND first_bucket < last - lookback WHEN 'drop' THEN mean * quarters >= minimum AND (mean - total / quarters) / greatest(sqrt(greatest(mean_square - mean * mean, 0)), sqrt(mean), 1) >= threshold WHEN 'verified_share' THEN total >= minimum AND usual_total >= minimum AND 100 * usual_hits / nullif(usual_total, 0) - 100 * hits / nullif(total, 0) >= threshold AND first_bucket < last - lookback END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, c.agent_id::text AS subject, c.bucket, coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS total
  FROM rules r, LATERAL (
    SELECT bucket, agent_id, result, visits FROM visit_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND agent_id <> '00000000-0000-0000-0000-000000000000'
    OFFSET 0
  ) c LEFT JOIN catalog k ON k.id = c.agent_id
  WHERE c.result = 'verification_failed' AND (r.agent_id IS NULL OR r.agent_id = c.agent_id) AND (r.agent_type IS NULL OR r.agent_type = k.type)
  AND (r.operator IS NULL OR r.operator = k.operator) GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 0)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'spoofing' THEN hits END, 0)::float8 AS value, (CASE kind WHEN 'spoofing' THEN NULL END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'spoofing' THEN hits > 0 AND hits >= threshold END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, c.agent_id::text AS subject, c.bucket, coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS total
  FROM rules r, LATERAL (
    SELECT bucket, agent_id, result, visits FROM visit_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND agent_id <> '00000000-0000-0000-0000-000000000000'
    OFFSET 0
  ) c LEFT JOIN catalog k ON k.id = c.agent_id
  WHERE c.result <> 'verification_failed' AND (r.agent_id IS NULL OR r.agent_id = c.agent_id) AND (r.agent_type IS NULL OR r.agent_type = k.type)
  AND (r.operator IS NULL OR r.operator = k.operator) GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 0)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'agent_load' THEN hits END, 0)::float8 AS value, (CASE kind WHEN 'agent_load' THEN NULL END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'agent_load' THEN hits > 0 AND hits >= threshold END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, c.agent AS subject, c.bucket, coalesce(sum(c.visits) FILTER (WHERE c.status IN ('403', 'failed')), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE c.status <> 'none'), 0)::float8 AS total
  FROM rules r, LATERAL (SELECT bucket, parts ->> 0 AS agent, parts ->> 1 AS verdict, parts ->> 2 AS result, parts ->> 3 AS status, visits FROM LATERAL (
    SELECT bucket, value::jsonb AS parts, visits FROM visit_top_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'robots_agent' AND value <> '' AND true
    OFFSET 0
  ) c) c
    LEFT JOIN catalog k ON k.id = c.agent::uuid
  WHERE c.result <> 'verification_failed' AND (r.agent_id IS NULL OR r.agent_id = c.agent::uuid) AND (r.agent_type IS NULL OR r.agent_type = k.type)
  AND (r.operator IS NULL OR r.operator = k.operator) GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 0)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'errors' THEN 100 * hits / nullif(total, 0) END, 0)::float8 AS value, (CASE kind WHEN 'errors' THEN NULL END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'errors' THEN hits > 0 AND total >= minimum AND 100 * hits / nullif(total, 0) >= threshold END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, '' AS subject, c.bucket, coalesce(sum(c.visits) FILTER (WHERE c.value LIKE '5__'), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS total
  FROM rules r, generate_series($1::timestamptz - r.lookback, $2::timestamptz - interval '15 minutes', interval '15 minutes') AS start, LATERAL (
    SELECT bucket, value, visits FROM visit_top_counts
    WHERE project_id = r.project_id AND bucket = start AND dimension = 'agent_status' AND value <> ''
    OFFSET 0
  ) c GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 0)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'server_errors' THEN 100 * hits / nullif(total, 0) END, 0)::float8 AS value, (CASE kind WHEN 'server_errors' THEN NULL END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'server_errors' THEN hits > 0 AND total >= minimum AND 100 * hits / nullif(total, 0) >= threshold END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, c.agent AS subject, c.bucket, coalesce(sum(c.visits) FILTER (WHERE c.status = '403' AND c.status <> 'none' AND c.verdict IN ('allowed', 'no_rules')), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE c.status <> 'none' AND c.verdict IN ('allowed', 'no_rules')), 0)::float8 AS total
  FROM rules r, LATERAL (SELECT bucket, parts ->> 0 AS agent, parts ->> 1 AS verdict, parts ->> 2 AS result, parts ->> 3 AS status, visits FROM LATERAL (
    SELECT bucket, value::jsonb AS parts, visits FROM visit_top_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'robots_agent' AND value <> '' AND true
    OFFSET 0
  ) c) c
    LEFT JOIN catalog k ON k.id = c.agent::uuid
  WHERE c.result <> 'verification_failed' AND (r.agent_id IS NULL OR r.agent_id = c.agent::uuid) AND (r.agent_type IS NULL OR r.agent_type = k.type)
  AND (r.operator IS NULL OR r.operator = k.operator) GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 0)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'blocked' THEN 100 * hits / nullif(total, 0) END, 0)::float8 AS value, (CASE kind WHEN 'blocked' THEN NULL END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'blocked' THEN hits > 0 AND total >= minimum AND 100 * hits / nullif(total, 0) >= threshold END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, c.agent AS subject, c.bucket, coalesce(sum(c.visits) FILTER (WHERE c.verdict = 'disallowed' AND (num_nonnulls(r.agent_id, r.agent_type, r.operator) > 0 OR k.type IS NULL OR k.type NOT IN ('AI Agent', 'AI Assistant', 'AI Coding Agent', 'Fetcher'))), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS total
  FROM rules r, LATERAL (SELECT bucket, parts ->> 0 AS agent, parts ->> 1 AS verdict, parts ->> 2 AS result, parts ->> 3 AS status, visits FROM LATERAL (
    SELECT bucket, value::jsonb AS parts, visits FROM visit_top_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'robots_agent' AND value <> '' AND value LIKE '%"disallowed"%'
    OFFSET 0
  ) c) c
    LEFT JOIN catalog k ON k.id = c.agent::uuid
  WHERE c.result <> 'verification_failed' AND (r.agent_id IS NULL OR r.agent_id = c.agent::uuid) AND (r.agent_type IS NULL OR r.agent_type = k.type)
  AND (r.operator IS NULL OR r.operator = k.operator) GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 0)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'disallowed' THEN hits END, 0)::float8 AS value, (CASE kind WHEN 'disallowed' THEN NULL END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'disallowed' THEN hits > 0 AND hits >= threshold END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, '' AS subject, c.bucket, coalesce(sum(c.visits) FILTER (WHERE c.outcome = 'failed'), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS total
  FROM rules r, LATERAL (SELECT bucket, parts ->> 0 AS outcome, visits FROM LATERAL (
    SELECT bucket, value::jsonb AS parts, visits FROM visit_top_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'tools_result' AND value <> '' AND true
    OFFSET 0
  ) c) c GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 0)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'tool_errors' THEN 100 * hits / nullif(total, 0) END, 0)::float8 AS value, (CASE kind WHEN 'tool_errors' THEN NULL END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'tool_errors' THEN hits > 0 AND total >= minimum AND 100 * hits / nullif(total, 0) >= threshold END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN kind IN ('referral_spike') THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN kind IN ('referral_spike')
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  ), counts AS MATERIALIZED (
  SELECT r.id AS alert_id, '' AS subject, c.bucket, coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE true), 0)::float8 AS total
  FROM rules r, LATERAL (SELECT bucket, parts ->> 0 AS assistant, visits FROM LATERAL (
    SELECT bucket, value::jsonb AS parts, visits FROM visit_top_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND dimension = 'referral' AND value <> '' AND true
    OFFSET 0
  ) c) c GROUP BY 1, 2, 3), sums AS MATERIALIZED (
  SELECT *, usual_total / 96 AS mean, usual_squares / 96 AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - interval '15 minutes', $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES (interval '15 minutes', 1, 0), (r.span + interval '15 minutes', -1, 1), (r.lookback + interval '15 minutes', 0, -1)) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0)
    SELECT alert_id, subject, greatest(at, first_bucket + lookback + interval '15 minutes') AS at, until,
      coalesce(CASE kind WHEN 'referral_spike' THEN total END, 0)::float8 AS value, (CASE kind WHEN 'referral_spike' THEN mean * quarters END)::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE CASE kind WHEN 'referral_spike' THEN total >= minimum AND (total / quarters - mean) / greatest(sqrt(greatest(mean_square - mean * mean, 0)), sqrt(mean), 1) >= threshold AND first_bucket < last - lookback END LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  )
  SELECT r.id AS alert_id, c.agent_id::text AS subject, c.bucket + interval '15 minutes' AS at, c.bucket + interval '15 minutes' AS until, 0::float8 AS value, NULL::float8 AS usual
  FROM (
      SELECT id, project_id, agent_id, agent_type, operator, project_created_at,
        greatest(interval '15 minutes', least(interval '6 hours', $1::timestamptz - coalesce(watched_since, $1))) AS lookback
      FROM rules
    ) r,
    LATERAL (
    SELECT min(bucket) AS bucket, agent_id, project_id FROM visit_counts
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND agent_id NOT IN ('00000000-0000-0000-0000-000000000000', 'e52bfb66-afb9-54e7-ba2a-78feffc6d695') AND result <> 'verification_failed' GROUP BY agent_id, project_id
    OFFSET 0
  ) c
    LEFT JOIN catalog k ON k.id = c.agent_id,
    LATERAL (
      SELECT EXISTS (SELECT FROM visit_counts b WHERE b.project_id = c.project_id AND b.agent_id = c.agent_id AND b.result <> 'verification_failed' AND b.bucket >= date_bin('1 day', c.bucket - interval '24 hours', 'epoch') AND b.bucket < c.bucket)
        OR EXISTS (
          SELECT FROM visit_day_counts b WHERE b.project_id = c.project_id AND b.agent_id = c.agent_id AND b.result <> 'verification_failed' AND b.bucket >= c.bucket - interval '30 days' AND b.bucket < date_bin('1 day', c.bucket - interval '24 hours', 'epoch')
        )
        OR NOT EXISTS (
          SELECT FROM visit_counts b WHERE b.project_id = c.project_id AND b.bucket < c.bucket - interval '24 hours'
        ) AS is_known
      OFFSET 0
    ) known
  WHERE r.project_created_at <= c.bucket - interval '24 hours' AND NOT is_known AND (r.agent_id IS NULL OR r.agent_id = c.agent_id) AND (r.agent_type IS NULL OR r.agent_type = k.type)
  AND (r.operator IS NULL OR r.operator = k.operator) LIMIT $5;

WITH catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
), rules AS MATERIALIZED (
    SELECT r.*, make_interval(mins => window_minutes) AS span, make_interval(mins => window_minutes) + CASE WHEN false THEN interval '24 hours' ELSE '0' END AS lookback,
      CASE WHEN false
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )) r
  )
  SELECT r.id AS alert_id, '' AS subject, at, at AS until, 0::float8 AS value, usual
  FROM rules r, generate_series($1::timestamptz, $2::timestamptz, interval '15 minutes') at,
    LATERAL (SELECT max(bucket) AS last FROM visit_counts WHERE project_id = r.project_id AND bucket < at) l,
    LATERAL (
      SELECT sum(visits)::float8 / 96 * (r.window_minutes / 15) AS usual FROM visit_counts
      WHERE project_id = r.project_id AND bucket > last - interval '24 hours' AND bucket <= last
      OFFSET 0
    ) u
  WHERE last < at - r.span AND usual >= r.minimum LIMIT $5;

SELECT r.id AS alert_id, v.host AS subject, at, until, 0::float8 AS value, NULL::float8 AS usual
FROM jsonb_to_recordset($3::jsonb) AS r (id uuid, project_id uuid, window_minutes integer),
  LATERAL (
    SELECT host, served_from, served_until FROM robots_versions v
    WHERE project_id = r.project_id AND digest IS NULL AND (
      status >= 500 OR EXISTS (
        SELECT FROM robots_versions b
        WHERE b.project_id = v.project_id AND b.host = v.host AND b.served_from < v.served_from AND b.digest IS NOT NULL
      )
    )
    OFFSET 0
  ) v,
  LATERAL (
    SELECT min(at) AS at, max(at) AS until FROM generate_series($1::timestamptz, $2::timestamptz, interval '15 minutes') at
    WHERE v.served_from <= at - make_interval(mins => r.window_minutes) AND (v.served_until IS NULL OR v.served_until > at)
  ) times
WHERE at IS NOT NULL
LIMIT $4;

SELECT FROM projects p WHERE EXISTS (SELECT FROM alerts a WHERE a.project_id = p.id AND (a.id = ANY ($1::uuid[])
OR EXISTS (SELECT FROM alert_events e WHERE e.alert_id = a.id AND e.recovered_at IS NULL)))
 ORDER BY id FOR KEY SHARE;

SELECT FROM alert_channels c WHERE EXISTS (SELECT FROM alerts a WHERE a.project_id = c.project_id AND (a.id = ANY ($1::uuid[])
OR EXISTS (SELECT FROM alert_events e WHERE e.alert_id = a.id AND e.recovered_at IS NULL)))
 ORDER BY id FOR KEY SHARE;

SELECT FROM alerts a WHERE (a.id = ANY ($1::uuid[])
OR EXISTS (SELECT FROM alert_events e WHERE e.alert_id = a.id AND e.recovered_at IS NULL)) ORDER BY id FOR SHARE;

WITH met AS (
  SELECT * FROM unnest($2::uuid[], $3::text[], $4::float8[], $5::float8[]) m (alert_id, subject, value, usual)
), lasting AS (
  UPDATE alert_events e SET last_met_at = greatest(e.last_met_at, $1) FROM met
  WHERE NOT $7::boolean AND (e.alert_id, e.subject) = (met.alert_id, met.subject) AND e.recovered_at IS NULL
), fired AS (
  INSERT INTO alert_events AS e (alert_id, project_id, subject, value, usual, fired_at, last_met_at, recovered_at, is_told, rule)
  SELECT a.id, a.project_id, met.subject, met.value, met.usual, $1, $1,
    CASE WHEN a.kind = ANY ($6::text[]) THEN $1::timestamptz END, coalesce(a.muted_until <= $1, true), jsonb_build_object('agent_id', a.agent_id, 'agent_type', a.agent_type, 'operator', a.operator,
'window_minutes', a.window_minutes)
  FROM met JOIN alerts a ON a.id = met.alert_id AND a.deleted_at IS NULL
  WHERE NOT ($7 AND a.kind = ANY ($8::text[])) AND NOT EXISTS (
    SELECT FROM alert_events o WHERE (o.alert_id, o.subject) = (met.alert_id, met.subject)
      AND (o.recovered_at IS NULL OR o.fired_at > $1::timestamptz - make_interval(mins => a.cooldown_minutes)
        AND o.fired_at >= coalesce(a.watched_since, '-infinity')
        AND NOT (a.kind = ANY ($9::text[]) AND met.value >= 2 * o.value))
  ) RETURNING e.*
), recovered AS (
  UPDATE alert_events e SET recovered_at = $1 FROM alerts a
  WHERE NOT $7 AND a.id = e.alert_id AND a.is_enabled AND a.deleted_at IS NULL AND e.recovered_at IS NULL
    AND e.last_met_at <= $1::timestamptz - make_interval(mins => a.recovery_minutes)
    AND NOT EXISTS (SELECT FROM met WHERE (met.alert_id, met.subject) = (e.alert_id, e.subject))
  RETURNING e.*
)
SELECT e.id, e.alert_id, e.project_id, a.kind, e.subject, e.value, e.usual, e.fired_at, e.recovered_at, e.is_told,
e.rule FROM (SELECT * FROM fired UNION ALL SELECT * FROM recovered) e JOIN alerts a ON a.id = e.alert_id
ORDER BY e.alert_id, e.subject;

INSERT INTO alert_evaluation (evaluated_until) VALUES ($1)
ON CONFLICT (is_only) DO UPDATE SET evaluated_until = excluded.evaluated_until;

-- Old events
DELETE FROM alert_events e WHERE recovered_at < $1
AND EXISTS (SELECT FROM alert_events o WHERE o.alert_id = e.alert_id AND o.fired_at > e.fired_at);
