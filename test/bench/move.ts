/**
 * Moves visits from PostgreSQL to ClickHouse and back while a standalone instance stores more visits. Fails if an export
 * changes.
 *
 *   npm run bench -- --move           one million visits. Requires a build
 *   npm run bench -- --move --quick   100,000 visits, as a smoke test
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { createDataSource } from '#libs/database';
import { moveVisits, prepareVisitStore, type VisitStoreName } from '#libs/visit-store';
import { ADMIN_ENV } from '../browser/admin.ts';
import { ClickHouseServer } from '../kit/clickhouse.ts';
import { OFFLINE_ENV } from '../kit/instance.ts';
import { createManyVisits } from '../kit/many-visits.ts';
import { isQuick, serveStandalone, stopServers } from './compare.ts';
import { createVisits } from './load.ts';
import { startPostgres } from './postgres.ts';

const VISITS = isQuick ? 100_000 : 1_000_000;
const DAYS = 30;
const API_KEY = 'the-api-key-of-the-benchmark';
const TOKEN = 'the-token-of-the-benchmark';
const VISITS_PER_REQUEST = 50;
const REQUEST_INTERVAL_MS = 250;
const ENV = { API_KEY, PROJECT_ACCESS_TOKEN: TOKEN, ...ADMIN_ENV, LOG_LEVEL: 'error', ...OFFLINE_ENV };

const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
const server = await ClickHouseServer.start();
const postgres = await startPostgres();
const databaseUrl = await postgres.createDatabase('bench');
const dataSource = await createDataSource({ url: databaseUrl, poolSize: 4 }).initialize();
const { options } = server;
const storeEnv = {
  CLICKHOUSE_URL: options.url,
  CLICKHOUSE_USER: options.user,
  CLICKHOUSE_PASSWORD: options.password,
  CLICKHOUSE_DATABASE: options.database,
};

try {
  let url = await serveStandalone(folder, databaseUrl, ENV);
  const projectId = await findProject(url);
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  const onDay = (): void => void process.stderr.write('.');
  await createManyVisits(pool, { projectId, visits: VISITS, days: DAYS, until: Date.now(), onDay });
  await pool.end();
  await prepareVisitStore(dataSource, options);
  for (const target of ['clickhouse', 'postgresql'] as const) {
    const before = await moveUnderLoad(url, projectId, target);
    url = await serveStandalone(folder, databaseUrl, target === 'clickhouse' ? { ...ENV, ...storeEnv } : ENV);
    const after = await exportVisits(url, projectId);
    if (before.digest !== after.digest)
      throw new Error(`The export has changed: ${before.lines} visits before the move, ${after.lines} after it`);
    process.stdout.write(`  the exports of ${after.lines} visits are identical\n`);
  }
} finally {
  stopServers();
  await dataSource.destroy();
  await postgres.stop();
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
}

async function findProject(url: string): Promise<string> {
  const response = await fetch(`${url}/api/projects`, { headers: { authorization: `Bearer ${API_KEY}` } });
  const { projects } = (await response.json()) as { projects: { id: string }[] };
  return projects[0]!.id;
}

/** Moves the visits while the instance stores more. Stops the instance when the move requires that. */
async function moveUnderLoad(url: string, projectId: string, target: VisitStoreName) {
  const load = new AbortController();
  const posted = postUntilAborted(url, load.signal);
  let exported: ReturnType<typeof exportVisits> | undefined;
  const stop = async () => {
    load.abort();
    await posted;
    const result = await exportVisits(url, projectId);
    stopServers();
    return result;
  };
  const startedAt = performance.now();
  let copyMs = 0;
  const visits = await moveVisits(dataSource, options, {
    target,
    signal: new AbortController().signal,
    onProgress() {},
    onWaiting() {
      copyMs ||= performance.now() - startedAt;
      exported ??= stop();
    },
  });
  const [copySeconds, seconds] = [copyMs, performance.now() - startedAt].map((ms) => (ms / 1_000).toFixed(0));
  process.stdout.write(
    `to ${target}: ${visits} visits in ${seconds} s, of which ${copySeconds} s under load; ${await posted} of the visits were new\n`,
  );
  if (exported === undefined) throw new Error('The move did not wait for the instance');
  return exported;
}

/** @returns the number of visits. */
async function postUntilAborted(url: string, signal: AbortSignal): Promise<number> {
  const body = JSON.stringify(createVisits(VISITS_PER_REQUEST));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  let visits = 0;
  for (; !signal.aborted; visits += VISITS_PER_REQUEST) {
    const response = await fetch(`${url}/visits`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`POST /visits: ${response.status}`);
    await sleep(REQUEST_INTERVAL_MS);
  }
  return visits;
}

async function exportVisits(url: string, projectId: string): Promise<{ lines: number; digest: string }> {
  const response = await fetch(`${url}/api/projects/${projectId}/visits/export?format=ndjson`, {
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  if (!response.ok) throw new Error(`Export: ${response.status} ${await response.text()}`);
  const hash = createHash('sha256');
  let lines = 0;
  for await (const chunk of response.body!) {
    hash.update(chunk);
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return { lines, digest: hash.digest('hex') };
}
