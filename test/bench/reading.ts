/**
 * Read benchmark for the dashboard with ten million visits over 30 days in one project, and 50,000 pages in its sitemaps.
 * Measures sequential API requests and full page loads in Chromium. Requires about 15 minutes and 15 GB, mostly to generate the visits.
 *
 *   npm run bench -- --reading            requires a build
 *   npm run bench -- --reading WORD…      only operations and pages whose name contains one of the words
 *   npm run bench -- --reading --quick    100,000 visits, as a smoke test
 *
 * If `BENCH_DATABASE_URL` is set, the visits are generated in that database and aren't deleted. The database name must
 * contain `bench`. A database that already contains visits is measured as is.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { Pool } from 'pg';
import { ADMIN_ENV } from '../browser/admin.ts';
import { createCoverage } from '../kit/many-pages.ts';
import { createManyVisits } from '../kit/many-visits.ts';
import { OFFLINE_ENV } from '../kit/instance.ts';
import { stopServers, isQuick, serveStandalone } from './compare.ts';
import { startPostgres } from './postgres.ts';
import { measureOperations } from './reading-operations.ts';
import { measurePages } from './reading-pages.ts';

const API_KEY = 'the-api-key-of-the-benchmark';
const VISITS = isQuick ? 100_000 : 10_000_000;
const DAYS = 30;

const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
const existingDatabaseUrl = env['BENCH_DATABASE_URL'];
const ownPostgres = existingDatabaseUrl === undefined ? await startPostgres() : null;
const databaseUrl = existingDatabaseUrl ?? (await ownPostgres!.createDatabase('bench'));
const pool = new Pool({ connectionString: databaseUrl, max: 2 });

try {
  const url = await serveStandalone(folder, databaseUrl, {
    API_KEY,
    ...ADMIN_ENV,
    LOG_LEVEL: 'error',
    ...OFFLINE_ENV,
  });
  const projectId = await ensureVisits(url);
  const { rows } = await pool.query(
    `SELECT count(*)::int AS visits, max(occurred_at) AS last_at,
       (SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'visits'::regclass) AS partitions FROM visits_full`,
  );
  const [{ visits, last_at: lastAt, partitions }] = rows as [{ visits: number; last_at: Date; partitions: number }];
  const load = (): string =>
    loadavg()
      .map((value) => value.toFixed(1))
      .join(' ');
  process.stdout.write(`\n${visits} visits in ${partitions} partitions; Node ${process.version}, load ${load()}\n\n`);
  const project = { url, id: projectId, until: lastAt.getTime(), days: DAYS, get, connections };
  await measureOperations(project);
  process.stdout.write(`\nload ${load()}\n\n`);
  await measurePages(project);
  process.stdout.write(`\nload ${load()}\n`);
} finally {
  stopServers();
  await pool.end();
  await ownPostgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Generates the visits if there are none.
 *
 * @returns the project's ID
 */
async function ensureVisits(url: string): Promise<string> {
  const [project] = (await get<{ projects: { id: string }[] }>(`${url}/api/projects`)).projects;
  const { rowCount } = await pool.query('SELECT FROM visits_full LIMIT 1');
  if (rowCount === 0) {
    await get(`${url}/api/projects/${project!.id}`, { time_zone: 'Europe/Berlin' });
    const onDay = (): void => void process.stderr.write('.');
    const until = Date.now();
    await createManyVisits(pool, { projectId: project!.id, visits: VISITS, days: DAYS, until, onDay });
    await createCoverage(pool, project!.id, until);
  }
  return project!.id;
}

async function connections(): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return rows.map(({ pid }) => pid);
}

/** Sends a GET request, or a `method` request if there's a body. */
async function get<T>(url: string, body?: object, method = 'PATCH'): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(url, { headers, ...(body && { method, body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
