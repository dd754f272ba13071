/**
 * What the dashboard reads, with ten million visits of 30 days in one project: times at the API, one request after the
 * other, and of whole pages in Chromium. Takes about a quarter of an hour and 15 GB, most of it to make the visits.
 *
 *   npm run bench -- --reading            after a build
 *   npm run bench -- --reading WORD…      the operations and pages alone that have one of the words in their name
 *   npm run bench -- --reading --quick    with a hundred thousand, to see that it works
 *
 * With BENCH_DATABASE_URL the visits are made in that database (its name has `bench` in it) and stay there; a database
 * that has visits is measured as it is.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { Pool } from 'pg';
import { ADMIN_ENV } from '../browser/admin.ts';
import { makeManyVisits } from '../kit/many-visits.ts';
import { ALONE } from '../kit/instance.ts';
import { endServers, isQuick, serveStandalone } from './compare.ts';
import { startPostgres } from './postgres.ts';
import { measureOperations } from './reading-operations.ts';
import { measurePages } from './reading-pages.ts';

const API_KEY = 'the-api-key-of-the-benchmark';
const VISITS = isQuick ? 100_000 : 10_000_000;
const DAYS = 30;

const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
const kept = env['BENCH_DATABASE_URL'];
const own = kept === undefined ? await startPostgres() : null;
const databaseUrl = kept ?? (await own!.createDatabase('bench'));
const pool = new Pool({ connectionString: databaseUrl, max: 2 });

try {
  const url = await serveStandalone(folder, databaseUrl, {
    API_KEY,
    ...ADMIN_ENV,
    LOG_LEVEL: 'error',
    ...ALONE,
  });
  const projectId = await fill(url);
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
  endServers();
  await pool.end();
  await own?.stop();
  await rm(folder, { recursive: true, force: true });
}

/** @returns the project that has the visits. */
async function fill(url: string): Promise<string> {
  const [project] = (await get<{ projects: { id: string }[] }>(`${url}/api/projects`)).projects;
  const { rowCount } = await pool.query('SELECT FROM visits_full LIMIT 1');
  if (rowCount === 0) {
    await get(`${url}/api/projects/${project!.id}`, { time_zone: 'Europe/Berlin' });
    const onDay = (): void => void process.stderr.write('.');
    const until = Date.now();
    await makeManyVisits(pool, { projectId: project!.id, visits: VISITS, days: DAYS, until, onDay });
  }
  return project!.id;
}

async function connections(): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return rows.map(({ pid }) => pid);
}

/** With a body it is a change. */
async function get<T>(url: string, body?: object, method = 'PATCH'): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url, { headers, ...(body && { method, body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
