-- The first page
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- A later page
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND (occurred_at, id) < (to_timestamp($2::float8 / 1000), $3::uuid) ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- The oldest visits
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at, id ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 ORDER BY occurred_at, id LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at, id;

-- A range
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND occurred_at >= to_timestamp($2::float8 / 1000) AND id >= $3::uuid AND occurred_at < to_timestamp($4::float8 / 1000) ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Visits by an agent
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND agent_id = $2::uuid ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Visits by an agent type
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND agent_type = $2::text ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Visits by an operator
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND operator = $2::text ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Visits with a result
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND result = $2::text AND result = 'verification_failed' ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Visits to a path
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND ((left(path, 100) ^@ left($2::text, 100) AND path ^@ $2::text)) ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Visits from a network
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND client_address::inet <<= ANY ($2::inet[]) ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Visits with a status
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND ((status >= $2 AND status < $3)) ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Calls to a tool
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND ((left(mcp_tool, 100) = left($2::text, 100) AND mcp_tool = $2::text)) ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Disallowed fetches
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND robots = ANY ($2::smallint[]) AND robots = 2 ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Visits by likely programs
SELECT id, occurred_ms, document, found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY occurred_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
        document::text AS document
      FROM visits_full WHERE project_id = $1 AND automation = ANY ($2::smallint[]) AND automation < 3 ORDER BY occurred_at DESC, id DESC LIMIT 11) found
) sized WHERE before < 4194304 ORDER BY occurred_at DESC, id DESC;

-- Number of visits
SELECT count(*)::int AS visits, (extract(epoch FROM min(occurred_at)) * 1000)::float8 AS since
FROM (
  SELECT occurred_at FROM visits_full WHERE project_id = $1 AND occurred_at >= to_timestamp($2::float8 / 1000) AND id >= $3::uuid AND occurred_at < to_timestamp($4::float8 / 1000)
  ORDER BY occurred_at DESC, id DESC LIMIT 10001
) newest;

-- Visits after a position
SELECT shard, position::float8 AS number FROM visit_positions WHERE project_id = $1;

SELECT shard, number, document, "occurredAt", "agentId", "agentType", "operator", "result", "path", "clientAddress", "status", "mcpTool", "mcpVersion", "kinds", "robots", "automation", "assistant", "decisions", "userAgentGroup", "responseFlags", found FROM (
  SELECT found.*, count(*) OVER ()::int AS found,
    sum(octet_length(document)) OVER (ORDER BY distance, shard ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
  FROM (SELECT v.*, s.shard, v.distance + s.number AS number
      FROM unnest($2::int[], $3::float8[], $4::bigint[], $5::bigint[]) AS s (shard, number, after, before), LATERAL (
        SELECT (position - s.after)::float8 AS distance, document::text AS document,
          (extract(epoch FROM occurred_at) * 1000)::float8 AS "occurredAt", agent_id AS "agentId", agent_type AS "agentType", operator AS "operator", result AS "result", path AS "path", client_address AS "clientAddress", status AS "status", mcp_tool AS "mcpTool", CASE WHEN kinds & 2::smallint <> 0 THEN document #>> '{visit,mcp_request_protocol_version}' END AS "mcpVersion", kinds AS "kinds", robots AS "robots", automation AS "automation", assistant AS "assistant", decisions AS "decisions", user_agent_group AS "userAgentGroup", response_flags AS "responseFlags"
        FROM visits_full WHERE project_id = $1 AND position > s.after AND position < s.before ORDER BY position LIMIT $6
      ) v) found
) sized WHERE before < 1048576 ORDER BY distance, shard;
