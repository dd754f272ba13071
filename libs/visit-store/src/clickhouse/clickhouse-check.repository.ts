import { ClickHouseError } from '@clickhouse/client';
import { getFirstIdAt } from '#libs/contracts';
import { errorMessage } from '#libs/platform';
import type { DataSource } from 'typeorm';
import type { ClickHouse } from './clickhouse.js';
import { compareStores, describeMissing, describeNewer } from './store-comparison.repository.js';
import { COLUMN_NAMES } from './visits-table.js';

export interface VisitStoreCheck {
  /** Checked item, such as `pending batches`. */
  subject: string;
  status: 'ok' | 'warning' | 'fault';
  detail: string;
  /** Missing if the status is ok. */
  advice?: string;
}

const SUBJECT = 'ClickHouse';
const TIMEOUT_MS = 10_000;
/** First long-term release with the fixes for subqueries in lightweight updates (ClickHouse PRs 87285 and 92838). */
const MIN_VERSION = [26, 3] as const;
/** By default, ClickHouse delays inserts into a partition with more than 1,000 parts. */
const MAX_PARTS = 500;
const HOUR_MS = 3_600_000;

const ok = (subject: string, detail: string): VisitStoreCheck => ({ subject, status: 'ok', detail });
const fault = (subject: string, detail: string, advice: string): VisitStoreCheck => ({
  subject,
  status: 'fault',
  detail,
  advice,
});

/** Checks the server, the user's rights, the table, and whether both databases contain the same visits. */
export async function checkClickHouse(clickhouse: ClickHouse, dataSource: DataSource): Promise<VisitStoreCheck[]> {
  const checks: VisitStoreCheck[] = [];
  for (const check of [checkServer, checkRights, checkTables, checkParts, checkDuplicates, checkBackups]) {
    const result = await check(clickhouse, dataSource).catch((error: unknown) => describeError(clickhouse, error));
    checks.push(result);
    // The other checks would fail, too.
    if (result.status === 'fault') break;
  }
  return checks;
}

function describeError({ options: { url } }: ClickHouse, error: unknown): VisitStoreCheck {
  const { host } = new URL(url);
  if (error instanceof ClickHouseError) {
    const detail = `${host} rejected a query: ${error.message}`;
    return fault(SUBJECT, detail, 'Check CLICKHOUSE_USER, CLICKHOUSE_PASSWORD and the rights of that user.');
  }
  const detail = `${host} does not respond: ${errorMessage(error)}`;
  return fault(SUBJECT, detail, 'Start ClickHouse, or correct CLICKHOUSE_URL.');
}

async function checkServer(clickhouse: ClickHouse): Promise<VisitStoreCheck> {
  const [row] = await query<{ version: string }>(clickhouse, 'SELECT version() AS version');
  const { version } = row!;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const detail = `version ${version} at ${new URL(clickhouse.options.url).host}`;
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return ok(SUBJECT, detail);
  return fault(SUBJECT, detail, `Use ClickHouse ${MIN_VERSION.join('.')} or later.`);
}

async function checkRights(clickhouse: ClickHouse): Promise<VisitStoreCheck> {
  const { database, cluster, user } = clickhouse.options;
  const rights = [
    ...['SELECT', 'INSERT', 'ALTER DELETE', 'ALTER UPDATE'].map((right) => `${right} ON ${database}.*`),
    'SELECT ON system.parts',
    ...(cluster === null ? [] : ['CLUSTER', 'REMOTE', 'CREATE TEMPORARY TABLE'].map((right) => `${right} ON *.*`)),
  ];
  const missing: string[] = [];
  for (const right of rights) {
    if (!(await clickhouse.hasRight(right))) missing.push(right);
  }
  if (missing.length === 0) return ok('ClickHouse user', `${user} has all required rights`);
  const statements = missing.map((right) => `GRANT ${right} TO ${user}`);
  return fault('ClickHouse user', `${user} lacks rights`, `Run: ${statements.join('; ')}`);
}

async function checkTables(clickhouse: ClickHouse): Promise<VisitStoreCheck> {
  const missing: string[] = [];
  for (const name of new Set([clickhouse.visits, clickhouse.localVisits])) {
    const [database, table] = name.split('.');
    const rows = await query<{ name: string }>(
      clickhouse,
      'SELECT name FROM system.columns WHERE database = {database:String} AND table = {table:String}',
      { database, table },
    );
    const columns = new Set(rows.map((row) => row.name));
    if (columns.size === 0) missing.push(name);
    else missing.push(...COLUMN_NAMES.filter((column) => !columns.has(column)).map((column) => `${name}.${column}`));
  }
  if (missing.length === 0) return ok('ClickHouse tables', 'have all columns');
  return fault('ClickHouse tables', `missing: ${missing.join(', ')}`, 'Run: agent-traffic migrate');
}

async function checkParts(clickhouse: ClickHouse): Promise<VisitStoreCheck> {
  const [database, table] = clickhouse.localVisits.split('.');
  const [row] = await query<{ most: number; total: number }>(
    clickhouse,
    `SELECT max(parts) AS most, sum(parts) AS total FROM (
       SELECT count() AS parts FROM system.parts
       WHERE active AND database = {database:String} AND table = {table:String} GROUP BY partition_id
     )`,
    { database, table },
  );
  const { most, total } = row!;
  const detail = `${total}, at most ${most} in a partition`;
  if (most <= MAX_PARTS) return ok('ClickHouse parts', detail);
  const advice = "Merges can't keep up. Use a faster disk or more cores, or import fewer logs at the same time.";
  return { subject: 'ClickHouse parts', status: 'warning', detail, advice };
}

async function checkDuplicates(clickhouse: ClickHouse, dataSource: DataSource): Promise<VisitStoreCheck> {
  const mayReplace = await hasReplacements(dataSource);
  const since = Date.now() - HOUR_MS;
  const [row] = await query<{ duplicates: number }>(
    clickhouse,
    `SELECT count() AS duplicates FROM (
       SELECT id FROM ${clickhouse.visits}
       WHERE day >= toDate({since:Int64} / 1000, 'UTC') AND UUIDToNum(id) >= UUIDToNum({first:UUID})
       GROUP BY id HAVING count() > 1
     )`,
    { since, first: getFirstIdAt(since) },
  );
  const { duplicates } = row!;
  if (duplicates === 0) return ok('ClickHouse duplicates', 'none in the last hour');
  if (mayReplace || (await hasReplacements(dataSource)))
    return ok('ClickHouse duplicates', 'not checked, because visits are being replaced');
  return fault(
    'ClickHouse duplicates',
    `${duplicates} visits of the last hour are stored more than once`,
    "Check that both databases were restored as described in docs/operations/clickhouse.md, and that the table's deduplication settings weren't changed.",
  );
}

/** Returns whether visits are being replaced. In the meantime, both versions are stored. */
async function hasReplacements(dataSource: DataSource): Promise<boolean> {
  const rows: unknown[] = await dataSource.query(`SELECT FROM visit_batches WHERE replaced_ids IS NOT NULL LIMIT 1`);
  return rows.length > 0;
}

/** Checks whether a backup of only one of the databases was restored. */
async function checkBackups(clickhouse: ClickHouse, dataSource: DataSource): Promise<VisitStoreCheck> {
  const subject = 'ClickHouse visits';
  const { newerVisits, missing } = await compareStores(dataSource, clickhouse);
  const advice = 'See "Back up and restore" in docs/operations/clickhouse.md.';
  if (newerVisits > 0) return fault(subject, describeNewer(newerVisits), advice);
  if (missing !== null) return { subject, status: 'warning', detail: describeMissing(missing), advice };
  return ok(subject, 'the same batches as in PostgreSQL');
}

const query = <Row>(clickhouse: ClickHouse, text: string, parameters: Record<string, unknown> = {}): Promise<Row[]> =>
  clickhouse.query<Row>(text, parameters, { timeoutMs: TIMEOUT_MS });
