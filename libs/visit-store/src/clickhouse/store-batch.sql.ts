import { namedStatement } from '#libs/database';
import { lockShard, STORE_COUNTS } from '../store-visits.sql.js';
import { INDEX_BITS } from './batch-number.js';

/**
 * SQL expression that identifies the running PostgreSQL server and the database. Its value changes when a backup is
 * restored or a replica is promoted.
 */
export const SERVER_IDENTITY = `(
  SELECT oid::text || ' ' || extract(epoch FROM pg_postmaster_start_time())::text FROM pg_database
  WHERE datname = current_database()
)`;

/**
 * Accepts a batch of visits: stores their IDs and counts, and the visits themselves until they are in ClickHouse. If an
 * ID is already stored, the statement fails with a unique violation and stores nothing. If `:server` isn't the current
 * {@link SERVER_IDENTITY}, it stores nothing and returns no row.
 *
 * The other parameters are as in `store-visits`. `:batch.visits` contains the visits as a line per visit.
 */
export const STORE_BATCH = namedStatement(
  'store-batch',
  `
WITH ${lockShard(`${SERVER_IDENTITY} = :server::text`)}, batch AS (
  INSERT INTO visit_batches (shard, projects, visits) SELECT shard, :projects::uuid[], :batch.visits::bytea FROM locked
  RETURNING number, token, shard
), stored_shards AS (
  INSERT INTO visit_shards (shard, last_batch, stored_at) SELECT shard, number, now() FROM batch
  ON CONFLICT (shard) DO UPDATE SET last_batch = excluded.last_batch, stored_at = excluded.stored_at
), positions AS (
  INSERT INTO visit_positions AS p (project_id, shard, position)
  SELECT project_id, shard, (number << ${INDEX_BITS}) + visits
  FROM unnest((SELECT :projects::uuid[]), :projects.visits::integer[]) AS r (project_id, visits), batch
  ORDER BY 1
  ON CONFLICT (project_id, shard) DO UPDATE SET position = excluded.position
),

${STORE_COUNTS},

stored_ids AS (
  INSERT INTO unknown_visits (id) SELECT unnest(:ids::uuid[]) FROM batch
)

SELECT number::float8 AS number, token, shard FROM batch`,
);
