/**
 * Benchmarks how fast we store visits against GoatCounter, which counts page views by people. Each server shares a core
 * with PostgreSQL, and the load generator runs on another core. Our server only responds once visits are stored.
 * GoatCounter responds earlier, and loses the visits in its memory if it's killed.
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { argv, pid, stderr } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { freePort } from '../kit/instance.ts';
import { buildModuleCommand } from '../stack/go-modules.ts';
import { ServerProcess } from '../stack/server-process.ts';
import {
  stopServers,
  isQuick,
  printRows,
  ROUNDS,
  serveStandalone,
  getServerIds,
  WARM_UP_ROUNDS,
  type Row,
} from './compare.ts';
import { HttpLoadProgram, type HttpLoadOptions } from './http-load.ts';
import { createVisits } from './load.ts';
import { connectTo, startPostgres, type BenchPostgres } from './postgres.ts';
import { getFamilyCpuTimeMs, getParentId, getCpuTimeMs } from './processes.ts';

const VERSION = '2.7.0';
const TOKEN = 'the-token-of-the-benchmark';
const SITE = 'goatcounter.test';
const [SERVERS_CORE, LOAD_CORE] = [0, 1];
const CONNECTIONS = 32;
const LOAD_MS = isQuick ? 1_000 : 2_500;
/**
 * Minimum time for which GoatCounter buffers visits in memory. The wait for the buffer after the last response isn't
 * counted.
 */
const STORE_INTERVAL_MS = 1_000;
/** If no more visits are stored for this long, the remaining visits are considered lost. */
const LOST_AFTER_MS = 5_000;
/**
 * GoatCounter's `collect` setting: the default (190), plus 256 to store individual visits. By default, GoatCounter only
 * counts them.
 */
const COLLECT = 190 + 256;

/** A server's load, and the tables in which it stores visits. */
interface Target {
  load: Omit<HttpLoadOptions, 'connections'>;
  perRequest: number;
  /** Process IDs, excluding PostgreSQL's. */
  processes: readonly number[];
  pool: Pool;
  /** Table in which to count visits. */
  countedTable: string;
  /** Tables to empty before a run. */
  emptiedTables: string;
}

type Cleanups = (() => Promise<unknown>)[];

interface Result {
  /** Visits per second. */
  rate: number;
  perProcessorSecond: number;
  /** 99th percentile of response times in milliseconds. */
  p99: number;
}

const command = await build();
if (command !== null) await measure(command);

/**
 * Builds GoatCounter.
 *
 * @returns the path of its command, or null if it can't be built
 * @throws {Error} instead of returning null if only GoatCounter is requested
 */
async function build(): Promise<string | null> {
  try {
    if (availableParallelism() < 2) throw new Error('this machine has a single core');
    await promisify(execFile)('taskset', ['-acp', String(SERVERS_CORE), String(pid)]);
    return await buildModuleCommand(`zgo.at/goatcounter/v2@v${VERSION}`, 'goatcounter', './cmd/goatcounter');
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    const message = `Skipping GoatCounter. It requires two cores, taskset, Go 1.25.5 or later (https://go.dev/dl), and access to the Go module proxy: ${reason}`;
    if (argv.includes('--goatcounter')) throw new Error(message, { cause: error });
    stderr.write(`${message}\n`);
    return null;
  }
}

async function measure(goatcounter: string): Promise<void> {
  const program = await HttpLoadProgram.build();
  const postgres = await startPostgres();
  const cleanups: Cleanups = [];
  try {
    const ours = await startOurs(postgres, cleanups);
    const theirs = await startGoatCounter(goatcounter, postgres, cleanups);
    const pairs = [
      createPair('1 visit per request', ours.one, '/count, one connection per request', theirs.count, 3),
      createPair('1 visit per request', ours.one, '/api/v0/count', theirs.one, 3),
      createPair('50 visits per request', ours.fifty, '/api/v0/count', theirs.fifty, null),
    ];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      const results = new Map<Target, Result>();
      for (const { targets, rows } of pairs) {
        for (const target of targets) {
          if (!results.has(target)) results.set(target, await run(program, target));
        }
        if (round < 0) continue;
        for (const [name, row] of Object.entries(rows)) {
          row.ours.push(results.get(targets[0])![name as keyof Result]);
          row.theirs.push(results.get(targets[1])![name as keyof Result]);
        }
        stderr.write('.');
      }
    }
    const allRows = pairs.flatMap(({ rows }) => Object.values(rows));
    printRows(`${CONNECTIONS} connections, ${LOAD_MS} ms per run, servers on one core`, allRows);
  } finally {
    stopServers();
    for (const stop of cleanups) await stop();
    await postgres.stop();
    await program.dispose();
  }
}

function createPair(what: string, ours: Target, endpoint: string, theirs: Target, goal: number | null) {
  const row = (measured: string, unit: string): Row => {
    return {
      what: `${what}, ${measured}`,
      peer: `GoatCounter ${VERSION}, ${endpoint}`,
      unit,
      ours: [],
      theirs: [],
      goal: null,
    };
  };
  const rows: Record<keyof Result, Row> = {
    rate: { ...row('received to stored', 'visits/s'), goal },
    perProcessorSecond: row('stored per second of CPU time', 'visits'),
    p99: row('response time, p99', 'ms'),
  };
  return { targets: [ours, theirs] as const, rows };
}

/** @param cleanups Receives this function's cleanup functions. */
async function startOurs(postgres: BenchPostgres, cleanups: Cleanups): Promise<Record<'one' | 'fifty', Target>> {
  const databaseUrl = await postgres.createDatabase('ours');
  const url = await serveStandalone(postgres.folder, databaseUrl, { PROJECT_ACCESS_TOKEN: TOKEN });
  const pool = connectTo(databaseUrl);
  cleanups.push(() => pool.end());
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const target = (perRequest: number): Target => ({
    load: { url, path: '/visits', headers, bodies: [JSON.stringify(createVisits(perRequest))] },
    perRequest,
    processes: getServerIds(),
    pool,
    countedTable: 'visits_full',
    emptiedTables: 'visits, unknown_visits',
  });
  return { one: target(1), fifty: target(50) };
}

/** @param cleanups Receives this function's cleanup functions. */
async function startGoatCounter(goatcounter: string, postgres: BenchPostgres, cleanups: Cleanups) {
  const databaseUrl = await postgres.createDatabase('goatcounter');
  const database = `postgresql+${databaseUrl}?sslmode=disable`;
  const createRecord = (...args: string[]) =>
    promisify(execFile)(goatcounter, ['db', 'create', ...args, '-db', database], { cwd: postgres.folder });
  await createRecord('site', '-createdb', '-vhost', SITE, '-user.email', 'ada@example.com', '-user.password', TOKEN);
  await createRecord('apitoken', '-user', '1', '-name', 'benchmark', '-perm', 'count');
  const pool = connectTo(databaseUrl);
  cleanups.push(() => pool.end());
  await pool.query(`UPDATE sites SET settings = jsonb_set(settings, '{collect}', '${COLLECT}')`);
  const { rows } = await pool.query<{ token: string }>('SELECT token FROM api_tokens');
  const port = await freePort();
  const options = {
    db: database,
    listen: `127.0.0.1:${port}`,
    tls: 'http',
    'store-every': String(STORE_INTERVAL_MS / 1_000),
    ratelimit: 'count:1000000000/1,api-count:1000000000/1',
  };
  const args = ['serve', ...Object.entries(options).flatMap(([name, value]) => [`-${name}`, value])];
  const server = await new ServerProcess({ command: goatcounter, args, port, cwd: postgres.folder }).start();
  cleanups.push(() => server.stop());
  const url = `http://127.0.0.1:${port}`;
  const { 'user-agent': userAgent, referer: ref } = createVisits(2)[1]!.request_headers;
  const target = (perRequest: number, load: Omit<Target['load'], 'url'>): Target => ({
    load: { url, ...load, headers: { host: SITE, ...load.headers } },
    perRequest,
    processes: [server.pid],
    pool,
    countedTable: 'hits',
    emptiedTables: 'hits',
  });
  const api = (perRequest: number): Target => {
    // GoatCounter doesn't count crawlers, so all hits come from a browser.
    const hits = createVisits(perRequest).map(({ request_path: requestPath }, number) => {
      const [path, query] = requestPath.split('?');
      return { path, query, ref, user_agent: userAgent, ip: `9.9.${number}.9` };
    });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${rows[0]!.token}` };
    return target(perRequest, { path: '/api/v0/count', headers, bodies: [JSON.stringify({ hits })] });
  };
  const path = `/count?${new URLSearchParams({ p: '/articles/0', q: 'page=0', r: ref }).toString()}`;
  // GoatCounter creates a new rate limiter for each request from a loopback address, which is slow.
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': '9.9.0.9' };
  const targets = { one: api(1), fifty: api(50), count: target(1, { path, headers, bodies: [''] }) };
  // GoatCounter loses visits if two concurrent requests contain the same new path, so send every path once first.
  const { load } = targets.fifty;
  const { status } = await fetch(url + load.path, { method: 'POST', headers: load.headers, body: load.bodies[0]! });
  if (status !== 202) throw new Error(`GoatCounter returned status ${status}\n${server.output}`);
  await waitUntilStored(targets.fifty, targets.fifty.perRequest);
  return targets;
}

async function run(program: HttpLoadProgram, target: Target): Promise<Result> {
  const { pool, processes, perRequest } = target;
  await pool.query(`TRUNCATE ${target.emptiedTables}`);
  const backendId = (await pool.query<{ id: number }>('SELECT pg_backend_pid() AS id')).rows[0]!.id;
  const postmaster = await getParentId(backendId);
  const readCpuTimeMs = async (): Promise<number> =>
    (await getCpuTimeMs(processes)) + (await getFamilyCpuTimeMs(postmaster, [backendId]));
  const load = await program.open({ ...target.load, connections: CONNECTIONS, core: LOAD_CORE });
  const before = await readCpuTimeMs();
  const started = performance.now();
  const result = await load.run(LOAD_MS);
  // Count all requests, because GoatCounter also stores visits from some requests that get a 500 response.
  const sent = result.total * perRequest;
  const stored = (await waitUntilStored(target, sent)) - started;
  const milliseconds = Math.max(result.lastResponseMs, stored - STORE_INTERVAL_MS);
  return {
    rate: (sent * 1_000) / milliseconds,
    perProcessorSecond: (sent * 1_000) / ((await readCpuTimeMs()) - before),
    p99: result.quantile(null, 0.99),
  };
}

/**
 * Waits until all visits are stored.
 *
 * @returns the time at which the last visit was stored
 * @throws {Error} if visits are lost
 */
async function waitUntilStored({ pool, countedTable: counted }: Target, sent: number): Promise<number> {
  let [stored, at] = [-1, 0];
  while (stored < sent) {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int FROM ${counted}`);
    const now = performance.now();
    if (rows[0]!.count > stored) [stored, at] = [rows[0]!.count, now];
    if (now > at + LOST_AFTER_MS) throw new Error(`Only ${stored} of ${sent} visits were stored`);
    if (stored < sent) await sleep(20);
  }
  return at;
}
