/**
 * Compares storing visits with GoatCounter, which counts people's page views. Each server runs with PostgreSQL on one core,
 * the load on another. Ours responds once visits are stored. GoatCounter responds earlier, and loses visits in its memory
 * when it's killed.
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { argv, pid, stderr } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { freePort } from '../kit/instance.ts';
import { moduleCommand } from '../stack/go.ts';
import { ServerProcess } from '../stack/server-process.ts';
import { endServers, isQuick, printRows, ROUNDS, serveStandalone, serverIds, WARM_UPS, type Row } from './compare.ts';
import { HttpLoadProgram, type HttpLoadOptions } from './http-load.ts';
import { visits } from './load.ts';
import { connectTo, startPostgres, type BenchPostgres } from './postgres.ts';
import { familyTime, parentOf, processorTime } from './processes.ts';

const VERSION = '2.7.0';
const TOKEN = 'the-token-of-the-benchmark';
const SITE = 'goatcounter.test';
const [SERVERS_CORE, LOAD_CORE] = [0, 1];
const CONNECTIONS = 32;
const LOAD_MS = isQuick ? 1_000 : 2_500;
/** Minimum time that GoatCounter keeps visits in memory. This wait after the last response isn't counted. */
const STORE_INTERVAL_MS = 1_000;
/** If no more visits are stored for this long, the rest are lost. */
const LOST_AFTER_MS = 5_000;
/** GoatCounter's `collect` setting: the default (190), and individual visits (256), which are otherwise only counted. */
const COLLECT = 190 + 256;

/** Load for a server, and the tables that it fills. */
interface Target {
  load: Omit<HttpLoadOptions, 'connections'>;
  perRequest: number;
  /** Process IDs, except PostgreSQL's. */
  processes: readonly number[];
  pool: Pool;
  /** Table to count visits in. */
  counted: string;
  /** Tables to empty before a run. */
  emptied: string;
}

type Stops = (() => Promise<unknown>)[];

interface Result {
  /** Visits per second. */
  rate: number;
  perProcessorSecond: number;
  /** Response time in milliseconds. */
  p99: number;
}

const command = await build();
if (command !== null) await measure(command);

/**
 * Builds GoatCounter.
 *
 * @returns its command, or null if it can't be built.
 * @throws Error instead of returning null if only GoatCounter is requested.
 */
async function build(): Promise<string | null> {
  try {
    if (availableParallelism() < 2) throw new Error('the machine has one core');
    await promisify(execFile)('taskset', ['-acp', String(SERVERS_CORE), String(pid)]);
    return await moduleCommand(`zgo.at/goatcounter/v2@v${VERSION}`, 'goatcounter', './cmd/goatcounter');
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    const message = `GoatCounter is left out. It needs two cores, taskset, and Go 1.25.5 or later (https://go.dev/dl) with its module proxy: ${reason}`;
    if (argv.includes('--goatcounter')) throw new Error(message, { cause: error });
    stderr.write(`${message}\n`);
    return null;
  }
}

async function measure(goatcounter: string): Promise<void> {
  const program = await HttpLoadProgram.build();
  const postgres = await startPostgres();
  const stops: Stops = [];
  try {
    const ours = await ourTargets(postgres, stops);
    const theirs = await startGoatCounter(goatcounter, postgres, stops);
    const pairs = [
      pairOf('1 visit a request', ours.one, '/count, a connection for each request', theirs.count, 3),
      pairOf('1 visit a request', ours.one, '/api/v0/count', theirs.one, 3),
      pairOf('50 visits a request', ours.fifty, '/api/v0/count', theirs.fifty, null),
    ];
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
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
    const shown = pairs.flatMap(({ rows }) => Object.values(rows));
    printRows(`${CONNECTIONS} connections, ${LOAD_MS} ms each, servers on one core`, shown);
  } finally {
    endServers();
    for (const stop of stops) await stop();
    await postgres.stop();
    await program.dispose();
  }
}

function pairOf(what: string, ours: Target, endpoint: string, theirs: Target, goal: number | null) {
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
    perProcessorSecond: row('stored for a second of the processor', 'visits'),
    p99: row('p99 of the answers', 'ms'),
  };
  return { targets: [ours, theirs] as const, rows };
}

/** @param stops cleanup functions, to which this function adds its own. */
async function ourTargets(postgres: BenchPostgres, stops: Stops): Promise<Record<'one' | 'fifty', Target>> {
  const databaseUrl = await postgres.createDatabase('ours');
  const url = await serveStandalone(postgres.folder, databaseUrl, { PROJECT_ACCESS_TOKEN: TOKEN });
  const pool = connectTo(databaseUrl);
  stops.push(() => pool.end());
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const target = (perRequest: number): Target => ({
    load: { url, path: '/visits', headers, body: JSON.stringify(visits(perRequest)) },
    perRequest,
    processes: serverIds(),
    pool,
    counted: 'visits_full',
    emptied: 'visits, unknown_visits',
  });
  return { one: target(1), fifty: target(50) };
}

/** @param stops cleanup functions, to which this function adds its own. */
async function startGoatCounter(goatcounter: string, postgres: BenchPostgres, stops: Stops) {
  const databaseUrl = await postgres.createDatabase('goatcounter');
  const database = `postgresql+${databaseUrl}?sslmode=disable`;
  const make = (...args: string[]) =>
    promisify(execFile)(goatcounter, ['db', 'create', ...args, '-db', database], { cwd: postgres.folder });
  await make('site', '-createdb', '-vhost', SITE, '-user.email', 'ada@example.com', '-user.password', TOKEN);
  await make('apitoken', '-user', '1', '-name', 'benchmark', '-perm', 'count');
  const pool = connectTo(databaseUrl);
  stops.push(() => pool.end());
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
  stops.push(() => server.stop());
  const url = `http://127.0.0.1:${port}`;
  const { 'user-agent': userAgent, referer: ref } = visits(2)[1]!.request_headers;
  const target = (perRequest: number, load: Omit<Target['load'], 'url'>): Target => ({
    load: { url, ...load, headers: { host: SITE, ...load.headers } },
    perRequest,
    processes: [server.pid],
    pool,
    counted: 'hits',
    emptied: 'hits',
  });
  const api = (perRequest: number): Target => {
    // GoatCounter doesn't count crawlers, so all visits are from a browser.
    const hits = visits(perRequest).map(({ request_path: requestPath }, number) => {
      const [path, query] = requestPath.split('?');
      return { path, query, ref, user_agent: userAgent, ip: `9.9.${number}.9` };
    });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${rows[0]!.token}` };
    return target(perRequest, { path: '/api/v0/count', headers, body: JSON.stringify({ hits }) });
  };
  const path = `/count?${new URLSearchParams({ p: '/articles/0', q: 'page=0', r: ref }).toString()}`;
  // For requests from loopback, GoatCounter would create a new rate limiter each time.
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': '9.9.0.9' };
  const targets = { one: api(1), fifty: api(50), count: target(1, { path, headers, body: '' }) };
  // GoatCounter loses visits if two concurrent requests contain the same new path. Make all paths known first.
  const { load } = targets.fifty;
  const { status } = await fetch(url + load.path, { method: 'POST', headers: load.headers, body: load.body });
  if (status !== 202) throw new Error(`GoatCounter answered ${status}\n${server.output}`);
  await untilStored(targets.fifty, targets.fifty.perRequest);
  return targets;
}

async function run(program: HttpLoadProgram, target: Target): Promise<Result> {
  const { pool, processes, perRequest } = target;
  await pool.query(`TRUNCATE ${target.emptied}`);
  const own = (await pool.query<{ id: number }>('SELECT pg_backend_pid() AS id')).rows[0]!.id;
  const postmaster = await parentOf(own);
  const spent = async (): Promise<number> => (await processorTime(processes)) + (await familyTime(postmaster, [own]));
  const load = await program.open({ ...target.load, connections: CONNECTIONS, core: LOAD_CORE });
  const before = await spent();
  const started = performance.now();
  const result = await load.run(LOAD_MS);
  // GoatCounter also stores the visits of some requests that it answers with 500, so all of them count.
  const sent = result.total * perRequest;
  const stored = (await untilStored(target, sent)) - started;
  const milliseconds = Math.max(result.ended, stored - STORE_INTERVAL_MS);
  return {
    rate: (sent * 1_000) / milliseconds,
    perProcessorSecond: (sent * 1_000) / ((await spent()) - before),
    p99: result.quantile(null, 0.99),
  };
}

/** Waits until all visits are stored. @returns the time when the last one was. @throws Error if visits are lost. */
async function untilStored({ pool, counted }: Target, sent: number): Promise<number> {
  let [stored, at] = [-1, 0];
  while (stored < sent) {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int FROM ${counted}`);
    const now = performance.now();
    if (rows[0]!.count > stored) [stored, at] = [rows[0]!.count, now];
    if (now > at + LOST_AFTER_MS) throw new Error(`${stored} of ${sent} visits are stored`);
    if (stored < sent) await sleep(20);
  }
  return at;
}
