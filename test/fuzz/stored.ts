/** Snapshots of the stored data, to detect whether a rejected request stored anything. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { until } from '../kit/instance.ts';

/** Tables that the instance writes on its own schedule. Rejected requests are also recorded, for administrators. */
const OWN = new Set(['service_instances', 'refused_requests', 'catalog_state', 'address_lists', 'alert_evaluation']);
const SETTLED_WITHIN_MS = 30_000;

/** Row count and digest by table. */
type Stored = Record<string, string>;

/** @param dataDirectory Data directory of a running instance with embedded PostgreSQL. */
export async function openDatabase(dataDirectory: string): Promise<Client> {
  const password = (await readFile(join(dataDirectory, 'postgres-password'), 'utf8')).trim();
  const port = (await readFile(join(dataDirectory, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3];
  const client = new Client(`postgres://agent_traffic:${password}@127.0.0.1:${port}/agent_traffic`);
  await client.connect();
  return client;
}

async function readStored(database: Client): Promise<Stored> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const stored: Stored = {};
  for (const { name } of rows.filter((row) => !OWN.has(row.name))) {
    const { rows: digests } = await database.query<{ digest: string }>(
      // Rejected requests may update `last_used_at` of a token, and rejected credentials are written to the audit log.
      `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(one, ',' ORDER BY one)), '') AS digest
       FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS one FROM ${escapeIdentifier(name)} t) rows
       WHERE one NOT LIKE '%"outcome": "rejected"%'`,
    );
    stored[name] = digests[0]!.digest;
  }
  return stored;
}

/** Waits until no more data is being stored: two consecutive snapshots must be equal. */
export async function readSettled(database: Client): Promise<Stored> {
  let last = await readStored(database);
  await until(
    async () => {
      const next = await readStored(database);
      const isSettled = changedTables(last, next).length === 0;
      last = next;
      return isSettled;
    },
    { what: 'nothing is stored any more', within: SETTLED_WITHIN_MS },
  );
  return last;
}

export const changedTables = (before: Stored, after: Stored): string[] =>
  Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name]} before, ${after[name]} after`);
