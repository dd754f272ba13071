/** Takes snapshots of the stored data, to detect whether rejected requests stored anything. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { until } from '../kit/instance.ts';

/** Tables that the instance writes on its own schedule or to record rejected requests. */
const IGNORED_TABLES = new Set([
  'service_instances',
  'refused_requests',
  'catalog_state',
  'address_lists',
  'alert_evaluation',
]);
const SETTLE_TIMEOUT_MS = 30_000;

/** Row count and digest of each table. */
type Snapshot = Record<string, string>;

/**
 * Connects to the database of an instance with embedded PostgreSQL.
 *
 * @param dataDirectory Data directory of the running instance.
 */
export async function openDatabase(dataDirectory: string): Promise<Client> {
  const password = (await readFile(join(dataDirectory, 'postgres-password'), 'utf8')).trim();
  const port = (await readFile(join(dataDirectory, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3];
  const client = new Client(`postgres://agent_traffic:${password}@127.0.0.1:${port}/agent_traffic`);
  await client.connect();
  return client;
}

async function readSnapshot(database: Client): Promise<Snapshot> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const stored: Snapshot = {};
  for (const { name } of rows.filter((row) => !IGNORED_TABLES.has(row.name))) {
    const { rows: digests } = await database.query<{ digest: string }>(
      // Rejected requests may update a token's `last_used_at`, and rejected credentials are recorded in the audit log.
      `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(one, ',' ORDER BY one)), '') AS digest
       FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS one FROM ${escapeIdentifier(name)} t) rows
       WHERE one NOT LIKE '%"outcome": "rejected"%'`,
    );
    stored[name] = digests[0]!.digest;
  }
  return stored;
}

/**
 * Waits until two consecutive snapshots are equal, which means that no more data is being stored. @returns the last
 * snapshot
 */
export async function readSettledSnapshot(database: Client): Promise<Snapshot> {
  let last = await readSnapshot(database);
  await until(
    async () => {
      const next = await readSnapshot(database);
      const isSettled = findChangedTables(last, next).length === 0;
      last = next;
      return isSettled;
    },
    { condition: 'no more data is being stored', timeoutMs: SETTLE_TIMEOUT_MS },
  );
  return last;
}

export const findChangedTables = (before: Snapshot, after: Snapshot): string[] =>
  Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name]} before, ${after[name]} after`);
