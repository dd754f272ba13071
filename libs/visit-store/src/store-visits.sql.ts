import { MAX_SHARDS } from '#libs/contracts';
import { NUMBER_BITS } from './stored-position.js';
import { namedStatement, SHARD_LOCK_KEY } from '#libs/database';
import { limitTops, FREE_SLOTS } from './top-counts.js';

/**
 * CTE that locks the first free shard until the commit. If none is free, waits for a random one. The lock ensures that
 * visits in a shard are numbered in commit order, and that no two statements update the same counts.
 *
 * @param condition SQL condition for storing anything.
 */
export const lockShard = (condition: string): string => `
locked AS MATERIALIZED (
  SELECT coalesce(
    (
      SELECT shard FROM generate_series(0, ${MAX_SHARDS - 1}) AS shard
      WHERE pg_try_advisory_xact_lock(${SHARD_LOCK_KEY}, shard) LIMIT 1
    ),
    (
      SELECT shard FROM (SELECT floor(random() * ${MAX_SHARDS})::integer AS shard OFFSET 0) random_shard,
        LATERAL pg_advisory_xact_lock(${SHARD_LOCK_KEY}, shard)
    )
  )::smallint AS shard
  WHERE ${condition}
)`;

/** CTEs that store the counts and checkouts of a batch, in the shard that {@link lockShard} has locked. */
export const STORE_COUNTS = `
-- Counts by 15-minute bucket and agent. Hours are only marked as open here and rolled up later. The rollup waits for
-- the row locks on these markers, so existing markers are locked too.
counts AS MATERIALIZED (
  SELECT (:projects::uuid[])[project] AS project_id, to_timestamp(bucket / 1000) AS bucket, agent_id, agent_type, result,
    sum(visits) AS visits, to_timestamp(max(last_at) / 1000) AS last_at, shard
  FROM unnest(
    (SELECT :counts.project::integer[]), :counts.bucket::float8[], :counts.agent_id::uuid[], :counts.agent_type::text[],
    :counts.result::text[], :counts.visits::integer[], :counts.last_at::float8[]
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
  SELECT (:projects::uuid[])[project] AS project_id, to_timestamp(bucket / 1000) AS bucket, dimension,
    CASE WHEN dimension IN ('status', 'agent_status') THEN value::float8::text ELSE value END AS value, visits
  FROM unnest(
    (SELECT :tops.project::integer[]), :tops.bucket::float8[], :tops.dimension::text[], :tops.value::text[],
    :tops.visits::integer[]
  ) AS r (project, bucket, dimension, value, visits)
), ${limitTops(FREE_SLOTS)}, stored_tops AS (
  INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
  SELECT project_id, bucket, dimension, value, visits, shard FROM bounded, locked ORDER BY 1, 2, 3, 4
  ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits
),

-- A checkout has the state of its newest visit, regardless of the order in which visits arrive.
stored_checkouts AS (
  INSERT INTO checkouts AS c (
    project_id, id, protocol, first_at, state, currency, total, agent_id, is_spoofed, last_at, visit_id
  )
  SELECT DISTINCT ON (1, 2) (:projects::uuid[])[project], digest, protocol,
    to_timestamp(min(occurred_at) OVER (PARTITION BY project, digest) / 1000), state, currency, total, agent_id,
    is_spoofed, to_timestamp(occurred_at / 1000), id
  FROM unnest(
    (SELECT :checkouts.id::uuid[]), :checkouts.project::integer[], :checkouts.digest::uuid[],
    :checkouts.protocol::text[], :checkouts.state::text[], :checkouts.currency::text[], :checkouts.total::float8[],
    :checkouts.agent_id::uuid[], :checkouts.is_spoofed::boolean[], :checkouts.occurred_at::float8[]
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
)`;

/**
 * Stores a batch of visits and their counts. If any forms are missing, it stores nothing and returns their IDs.
 *
 * An array parameter `:table.column` has one element per row, except for trailing nulls. The `project` column is a
 * one-based index into `:projects`. `:table.document` contains one line per row, which is empty for null.
 *
 * The first array of each `unnest` is wrapped in a subselect, which hides its length from the planner. Otherwise,
 * PostgreSQL would create a new plan for each small batch, which costs more than storing it. Visits are unnested in
 * SELECT, because in FROM, PostgreSQL would first copy each array into a temporary table.
 */
export const STORE_VISITS = namedStatement(
  'store-visits',
  `
-- After a restore or a failover, forms that ingest has cached can be missing from the database. Without its form, a
-- visit can't be read.
WITH missing AS MATERIALIZED (
  SELECT id FROM unnest(:forms.id::integer[], :forms.digest::bytea[]) AS used (id, digest)
  WHERE NOT EXISTS (SELECT FROM visit_forms f WHERE (f.id, f.digest) = (used.id, used.digest))
),

${lockShard('NOT EXISTS (SELECT FROM missing)')}, positions AS (
  INSERT INTO visit_positions AS p (project_id, shard, position)
  SELECT project_id, shard, visits
  FROM unnest((SELECT :projects::uuid[]), :projects.visits::integer[]) AS r (project_id, visits), locked
  ORDER BY 1
  ON CONFLICT (project_id, shard) DO UPDATE SET position = p.position + excluded.position
  RETURNING p.project_id, (p.shard::bigint << ${NUMBER_BITS}) + p.position AS position
),

${STORE_COUNTS},

-- Rows are inserted in order of project and ID, so two statements with the same visits can't deadlock.
stored_visits AS (
  INSERT INTO visits (
    project_id, position, document, form, id, occurred_at, path, status, response_bytes, response_us, response_flags,
    mcp_tool, kinds, decisions, agent_id, agent_type, operator, result, robots
  )
  SELECT (:projects::uuid[])[project],
    ((SELECT array_agg(position ORDER BY project_id) FROM positions))[project] - distance,
    document, form, id, to_timestamp(occurred_at / 1000), path, status, response_bytes, response_us, response_flags,
    mcp_tool, kinds, decisions, agent_id, agent_type, operator, result, robots
  FROM (
    SELECT unnest((SELECT :visits.project::integer[])) AS project, unnest(:visits.distance::integer[]) AS distance,
      unnest(:visits.form::integer[]) AS form,
      unnest(string_to_array(:visits.document::text, E'\\n', '')::json[]) AS document,
      unnest(:visits.id::uuid[]) AS id, unnest(:visits.occurred_at::float8[]) AS occurred_at,
      unnest(:visits.path::text[]) AS path, unnest(:visits.status::float8[]) AS status,
      unnest(:visits.response_bytes::float8[]) AS response_bytes,
      unnest(:visits.response_us::integer[]) AS response_us,
      unnest(:visits.response_flags::smallint[]) AS response_flags,
      unnest(:visits.mcp_tool::text[]) AS mcp_tool, unnest(:visits.kinds::smallint[]) AS kinds,
      unnest(:visits.decisions::text[]) AS decisions,
      unnest(:visits.agent_id::uuid[]) AS agent_id, unnest(:visits.agent_type::text[]) AS agent_type,
      unnest(:visits.operator::text[]) AS operator, unnest(:visits.result::text[]) AS result,
      unnest(:visits.robots::smallint[]) AS robots
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
  SELECT (:projects::uuid[])[project],
    ((SELECT array_agg(position ORDER BY project_id) FROM positions))[project] - distance,
    document, form, id, to_timestamp(occurred_at / 1000), path, status, response_bytes, response_us, response_flags,
    mcp_tool, kinds, decisions, automation, assistant, user_agent_group
  FROM (
    SELECT unnest((SELECT :unknown_visits.project::integer[])) AS project,
      unnest(:unknown_visits.distance::integer[]) AS distance, unnest(:unknown_visits.form::integer[]) AS form,
      unnest(string_to_array(:unknown_visits.document::text, E'\\n', '')::json[]) AS document,
      unnest(:unknown_visits.id::uuid[]) AS id,
      unnest(:unknown_visits.occurred_at::float8[]) AS occurred_at, unnest(:unknown_visits.path::text[]) AS path,
      unnest(:unknown_visits.status::float8[]) AS status,
      unnest(:unknown_visits.response_bytes::float8[]) AS response_bytes,
      unnest(:unknown_visits.response_us::integer[]) AS response_us,
      unnest(:unknown_visits.response_flags::smallint[]) AS response_flags,
      unnest(:unknown_visits.mcp_tool::text[]) AS mcp_tool,
      unnest(:unknown_visits.kinds::smallint[]) AS kinds,
      unnest(:unknown_visits.decisions::text[]) AS decisions,
      unnest(:unknown_visits.automation::smallint[]) AS automation,
      unnest(:unknown_visits.assistant::text[]) AS assistant,
      unnest(:unknown_visits.user_agent_group::integer[]) AS user_agent_group
  ) r
  WHERE EXISTS (SELECT FROM locked)
)

SELECT id FROM missing`,
);
