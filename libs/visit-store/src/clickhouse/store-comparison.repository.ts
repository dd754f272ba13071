import { MAX_SHARDS } from '#libs/contracts';
import type { DataSource } from 'typeorm';
import { INDEX_BITS, numberBefore } from './batch-number.js';
import type { ClickHouse } from './clickhouse.js';
import { SERVER_IDENTITY } from './store-batch.sql.js';

/** Maximum difference between the numbers of batches that are stored at the same time in different shards. */
const MAX_CONCURRENT_BATCHES = 10_000;
const TIMEOUT_MS = 10 * 60_000;

/** Range of batch numbers, both inclusive. */
interface BatchRange {
  first: number;
  last: number;
}

interface StoreComparison {
  /** See {@link SERVER_IDENTITY}. */
  server: string;
  /** Number of visits in ClickHouse that were stored after PostgreSQL's state, so a backup of it was restored. */
  newerVisits: number;
  /** Batches that ClickHouse lost, for example because an older backup was restored. Null if none are missing. */
  missing: BatchRange | null;
}

interface AcceptedBatches {
  server: string;
  /** Last batch by shard, or null if no batch was stored in a shard. */
  lastBatches: (number | null)[];
  /** Last batch of any shard. All positions that were used before the visits were moved are lower. */
  last: number;
  /** Last batch that must be in ClickHouse. Null if there is none, or if its visits can have expired. */
  expected: number | null;
}

/** Compares the batches that PostgreSQL has accepted with the visits in ClickHouse. */
export async function compareStores(dataSource: DataSource, clickhouse: ClickHouse): Promise<StoreComparison> {
  const accepted = await readAccepted(dataSource);
  const shards = await clickhouse.query<{ shard: number; last: number; visits: number }>(
    `SELECT shard, max(bitShiftRight(number, ${INDEX_BITS})) AS last, count() AS visits
     FROM ${clickhouse.visits} WHERE ${newerCondition(accepted)} GROUP BY shard`,
    {},
    { timeoutMs: TIMEOUT_MS },
  );
  // Excludes batches that were accepted after the first read.
  const { lastBatches } = await readAccepted(dataSource);
  const newerVisits = shards
    .filter(({ shard, last }) => last > (lastBatches[shard] ?? 0))
    .reduce((sum, { visits }) => sum + visits, 0);
  const missing = accepted.expected === null ? null : await findMissing(clickhouse, accepted.expected);
  return { server: accepted.server, newerVisits, missing };
}

/** Deletes the visits that were stored after PostgreSQL's state. Returns their number. */
export async function deleteNewerVisits(dataSource: DataSource, clickhouse: ClickHouse): Promise<number> {
  const { newerVisits } = await compareStores(dataSource, clickhouse);
  const { localVisits, onCluster } = clickhouse;
  if (newerVisits > 0) {
    await clickhouse.command(
      `ALTER TABLE ${localVisits}${onCluster} DELETE WHERE ${newerCondition(await readAccepted(dataSource))}`,
      {},
      { timeoutMs: TIMEOUT_MS, settings: { mutations_sync: '2' } },
    );
  }
  return newerVisits;
}

/** Ensures that new batches have higher numbers than those in ClickHouse, which re-identification relies on. */
export async function advanceBatchNumbers(dataSource: DataSource, clickhouse: ClickHouse): Promise<void> {
  const [{ last }] = await dataSource.query(`SELECT last_value::float8 AS last FROM visit_batch_numbers`);
  const [row] = await clickhouse.query<{ newest: number }>(
    `SELECT max(batch) AS newest FROM ${clickhouse.visits} WHERE batch > {last:UInt64}`,
    { last },
    { timeoutMs: TIMEOUT_MS },
  );
  // Another process may have advanced the sequence in the meantime.
  if (row!.newest > last)
    await dataSource.query(`SELECT setval('visit_batch_numbers', greatest(last_value, $1)) FROM visit_batch_numbers`, [
      row!.newest,
    ]);
}

export const describeNewer = (visits: number): string =>
  `PostgreSQL was restored to an older state than ClickHouse, which contains newer visits (${visits}). If they are replayed, they are stored twice. Stop ingest, and delete them with: agent-traffic migrate --discard-newer-visits. Then replay the visits received since the backup.`;

export const describeMissing = ({ first, last }: BatchRange): string =>
  `ClickHouse has lost the visits in batches ${first} to ${last}. If it was restored from a backup, visits stored since then are missing, but counts still include them.`;

async function readAccepted(dataSource: DataSource): Promise<AcceptedBatches> {
  const [row]: [{ server: string; last_batches: Record<string, number>; last: number; expected: number | null }] =
    await dataSource.query(
      `SELECT ${SERVER_IDENTITY} AS server,
         (SELECT coalesce(json_object_agg(shard, last_batch), '{}') FROM visit_shards) AS last_batches,
         (SELECT coalesce(max(position) >> ${INDEX_BITS}, 0)::float8 FROM visit_positions) AS last,
         (SELECT max(last_batch)::float8 FROM visit_shards
          WHERE last_batch NOT IN (SELECT number FROM visit_batches)
            AND stored_at > now() - interval '1 day' * least(
              unknown_retention_days, retention_days, coalesce(retention_days, configured_retention_days)
            )) AS expected
       FROM instance_settings`,
    );
  const lastBatches = Array.from({ length: MAX_SHARDS }, (_, shard) => row.last_batches[shard] ?? null);
  const last = Math.max(row.last, ...lastBatches.filter((batch) => batch !== null));
  return { server: row.server, lastBatches, last, expected: row.expected };
}

/** Returns an SQL condition for visits in batches that PostgreSQL doesn't know, even if they were changed since. */
function newerCondition({ lastBatches, last }: AcceptedBatches): string {
  const byShard = lastBatches.map((batch) => batch ?? last);
  // The first condition lets ClickHouse skip older visits. Restored visits and those moved from PostgreSQL have batch 0.
  return `number > ${numberBefore(Math.max(0, last - MAX_CONCURRENT_BATCHES))} AND batch > 0
    AND bitShiftRight(number, ${INDEX_BITS}) > arrayElement([${byShard.join(', ')}], shard + 1)`;
}

async function findMissing(clickhouse: ClickHouse, expected: number): Promise<BatchRange | null> {
  const findLast = async (from: number): Promise<number> => {
    const [row] = await clickhouse.query<{ last: number }>(
      `SELECT bitShiftRight(max(number), ${INDEX_BITS}) AS last FROM ${clickhouse.visits} WHERE number >= {from:UInt64}`,
      { from: numberBefore(from) },
      { timeoutMs: TIMEOUT_MS },
    );
    return row!.last;
  };
  if ((await findLast(expected)) >= expected) return null;
  return { first: (await findLast(0)) + 1, last: expected };
}
