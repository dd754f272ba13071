/**
 * What the dashboard reads, with ten million visits of 30 days in one project: times at the API, one request after the
 * other, and the partitions that the timeline reads. Takes about ten minutes and 12 GB, most of it to make them.
 *
 *   npm run bench -- --reading            after a build
 *   npm run bench -- --reading --quick    with a hundred thousand, to see that it works
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { pino } from 'pino';
import { makeManyVisits } from '../kit/many-visits.ts';
import { endServers, isQuick, serve } from './compare.ts';

const ROOT = join(import.meta.dirname, '../..');
const API_KEY = 'the-api-key-of-the-benchmark';
const VISITS = isQuick ? 100_000 : 10_000_000;
const REQUESTS = isQuick ? 10 : 100;
const DAY = 86_400_000;
const GOAL_MS = 50;

const { EmbeddedPostgres } = (await import(
  join(ROOT, 'dist/apps/standalone/src/postgres/embedded-postgres.js')
)) as typeof import('../../apps/standalone/src/postgres/embedded-postgres.js');
const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
await chmod(folder, 0o711);
const postgres = await EmbeddedPostgres.start({
  dataDirectory: join(folder, 'postgres'),
  log: pino({ level: 'silent' }),
});
const databaseUrl = new URL(postgres.url);
databaseUrl.pathname = '/bench';
const admin = new Pool({ connectionString: postgres.url, max: 1 });
const pool = new Pool({ connectionString: databaseUrl.href, max: 1 });

try {
  await admin.query('CREATE DATABASE bench');
  const url = await serve([join(ROOT, 'dist/apps/standalone/src/main.js')], {
    DATABASE_URL: databaseUrl.href,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    API_KEY,
    LOG_LEVEL: 'warn',
    DNS_SERVERS: 'off',
    IP_LISTS_REFRESH_HOURS: '0',
  });
  const [project] = (await get<{ projects: { id: string }[] }>(`${url}/api/projects`)).projects;
  await get(`${url}/api/projects/${project!.id}`, { time_zone: 'Europe/Berlin' });
  const until = Date.now();
  const onDay = (): void => void process.stderr.write('.');
  await makeManyVisits(pool, { projectId: project!.id, visits: VISITS, days: 30, until, onDay });
  const { rows } = await pool.query('SELECT count(*)::int AS visits FROM visits');
  process.stdout.write(`\n${rows[0].visits} visits, ${REQUESTS} requests each, in milliseconds\n\n`);
  await measureAll(`${url}/api/projects/${project!.id}`, until);
  await explain(project!.id, until);
} finally {
  endServers();
  await Promise.all([admin.end(), pool.end()]);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measureAll(project: string, until: number): Promise<void> {
  const range = (days: number): string => `from=${new Date(until - days * DAY).toISOString()}`;
  const { agents } = await get<{ agents: { agent_id: string }[] }>(`${project}/agents?${range(30)}&limit=1000`);
  const [often, rare] = [agents[0]!.agent_id, agents.at(-1)!.agent_id];
  const page = await get<{ next_cursor: string }>(`${project}/visits?${range(30)}&limit=1000`);
  const operations: [string, string, boolean][] = [
    ['overview, 30 days', `${project}/overview?${range(30)}`, true],
    ['overview, 7 days', `${project}/overview?${range(7)}`, true],
    ['overview, 24 hours', `${project}/overview`, true],
    ['timeline, first page', `${project}/visits`, true],
    ['timeline, 30 days, 50 visits', `${project}/visits?${range(30)}`, true],
    ['timeline, a later page', `${project}/visits?${range(30)}&cursor=${page.next_cursor}`, true],
    ['timeline, a frequent agent', `${project}/visits?${range(30)}&agent=${often}`, true],
    ['timeline, a rare agent', `${project}/visits?${range(30)}&agent=${rare}`, true],
    ['timeline, failed verification', `${project}/visits?${range(30)}&result=verification_failed`, true],
    ['project summaries', project.replace(/projects\/.*/, 'project-summaries'), false],
    ['histogram', `${project}/histogram`, false],
    ['agents, 30 days', `${project}/agents?${range(30)}`, false],
    ['agents, 24 hours', `${project}/agents`, false],
    ['a frequent agent, 30 days', `${project}/agents/${often}?${range(30)}`, false],
    ['verification, 30 days', `${project}/verification?${range(30)}`, false],
  ];
  for (const [what, url, hasGoal] of operations) {
    const times = await measure(url);
    const at = (share: number): string => times[Math.ceil(times.length * share) - 1]!.toFixed(1).padStart(7);
    const goal = hasGoal ? `, goal ≤ ${GOAL_MS}` : '';
    process.stdout.write(`${what.padEnd(30)} p50 ${at(0.5)}  p95 ${at(0.95)}${goal}\n`);
  }
}

/** Milliseconds from sending to the last byte, sorted. */
async function measure(url: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = -5; count < REQUESTS; count += 1) {
    const started = performance.now();
    await get(url);
    if (count >= 0) times.push(performance.now() - started);
  }
  return times.toSorted((one, other) => one - other);
}

/** Which partitions a page of the last day reads. */
async function explain(projectId: string, until: number): Promise<void> {
  const from = until - DAY;
  const id = `${from
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
  const { rows } = await pool.query(
    `EXPLAIN (ANALYZE, COSTS off, SUMMARY off, TIMING off)
     SELECT id, document::text FROM visits WHERE project_id = '${projectId}' AND id >= '${id}'
       AND occurred_at >= to_timestamp(${from}::float8 / 1000) ORDER BY occurred_at DESC, id DESC LIMIT 51`,
  );
  const all = await pool.query(`SELECT count(*)::int AS n FROM pg_inherits WHERE inhparent = 'visits'::regclass`);
  process.stdout.write(`\na page of the last day, of ${all.rows[0].n} partitions:\n`);
  for (const row of rows) process.stdout.write(`${row['QUERY PLAN']}\n`);
}

/** With a body it is a change. */
async function get<T>(url: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url, { headers, ...(body && { method: 'PATCH', body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
