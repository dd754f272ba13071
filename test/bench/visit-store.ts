/**
 * Compares ClickHouse as the visit store with PostgreSQL, on separate services with Kafka. Then measures dashboard requests
 * on ClickHouse.
 *
 *   npm run bench -- --store clickhouse [WORD…]      ten million visits; WORD selects requests. Requires a build
 *   npm run bench -- --store clickhouse --visits 100 number of visits in millions
 *   npm run bench -- --store clickhouse --quick      100,000 visits, as a smoke test
 *
 * By default, ClickHouse's engine runs in a Python process, which shares the machine with everything else. To measure a
 * server, set `BENCH_CLICKHOUSE_URL`, such as http://user:password@host:8123/bench. Its visits are deleted.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Pool } from 'pg';
import { createDataSource } from '#libs/database';
import { moveVisits, prepareVisitStore, type VisitStoreOptions } from '#libs/visit-store';
import { ADMIN_ENV } from '../browser/admin.ts';
import { ClickHouseServer } from '../kit/clickhouse.ts';
import { OFFLINE_ENV } from '../kit/instance.ts';
import { createManyVisits } from '../kit/many-visits.ts';
import { generateLog } from '../log-generator.ts';
import { OUR_BUILD } from './against/build.ts';
import { importLog } from './against/measurements.ts';
import type { Side } from './against/side.ts';
import { startStackSide } from './against/stack-side.ts';
import { isQuick, printRows, ROUNDS, serveStandalone, stopServers, type Row } from './compare.ts';
import { measureRequestRate } from './load.ts';
import { startPostgres } from './postgres.ts';
import { getCpuTimeMs, getMemoryMb } from './processes.ts';
import { measureOperations } from './reading-operations.ts';

const { values } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    store: { type: 'string' },
    visits: { type: 'string', default: '10' },
    quick: { type: 'boolean', default: false },
  },
});
if (values.store !== 'clickhouse') throw new Error('--store must be clickhouse');

const MILLION = 1_000_000;
const VISITS = isQuick ? 100_000 : Number(values.visits) * MILLION;
/** Number of visits that are generated one by one. The others are copies with their own IDs, times, and addresses. */
const GENERATED_VISITS = Math.min(VISITS, 200_000);
/** Time limit of a statement. Copying a day of 100 million visits takes more than the client's default of 30 seconds. */
const STATEMENT_TIMEOUT_MS = 600_000;
const DAYS = 30;
const PER_REQUEST = 50;
const REQUESTS = isQuick ? 100 : 600;
const LOG_LINES = isQuick ? 2_000 : 30_000;
const API_KEY = 'the-api-key-of-the-benchmark';
const MAX_BYTES_PER_VISIT = 80;

const server = env['BENCH_CLICKHOUSE_URL'] === undefined ? await ClickHouseServer.start() : null;
const options = server?.options ?? parseUrl(env['BENCH_CLICKHOUSE_URL']!);
const clickhouse = createClient({
  url: options.url,
  username: options.user,
  password: options.password,
  request_timeout: STATEMENT_TIMEOUT_MS,
  log: { level: ClickHouseLogLevel.ERROR },
});
const table = `${options.database}.visits`;

const STORE_ENV = {
  CLICKHOUSE_URL: options.url,
  CLICKHOUSE_USER: options.user,
  CLICKHOUSE_PASSWORD: options.password,
  // Replaces the password in docker-compose.yml.
  CLICKHOUSE_PASSWORD_FILE: '',
  CLICKHOUSE_DATABASE: options.database,
};

try {
  await measureStoring();
  await measureReading();
} finally {
  await clickhouse.close();
  await server?.dispose();
}

function parseUrl(text: string): VisitStoreOptions {
  const { origin, username, password, pathname } = new URL(text);
  const decode = decodeURIComponent;
  const credentials = { user: decode(username), password: decode(password) };
  return { url: origin, ...credentials, database: pathname.slice(1) || 'bench', cluster: null, ca: null };
}

async function query<T>(text: string): Promise<T[]> {
  const result = await clickhouse.query({ query: text, format: 'JSONEachRow' });
  return result.json<T>();
}

async function countStored(): Promise<number> {
  const [row] = await query<{ stored: number }>(`SELECT count() AS stored FROM ${table}`);
  return Number(row!.stored);
}

/** Measures visits from the request to the visit store, on both stores alternately. */
async function measureStoring(): Promise<void> {
  await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${options.database} SYNC` });
  const peer = 'PostgreSQL as the visit store';
  const sides = {
    ours: await startStackSide({ ...OUR_BUILD, env: STORE_ENV }),
    theirs: await startStackSide({ ...OUR_BUILD, name: peer }),
  };
  const row = (what: string, unit: string): Row => ({ what, peer, unit, ours: [], theirs: [], goal: null });
  const rate = { ...row(`/visits, ${PER_REQUEST} per request, received to stored`, 'visits/s'), goal: 0.9 };
  const node = row('Node.js CPU time per visit', 'µs');
  const postgres = row('PostgreSQL CPU time per visit', 'µs');
  const bytes = { ...row('disk usage of an imported visit', 'bytes'), limit: MAX_BYTES_PER_VISIT / 600 };
  const engineTimes: number[] = [];
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const name of round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)) {
        const cost = await measureCost(sides[name], name === 'ours');
        if (round < 0) continue;
        rate[name].push(cost.rate);
        node[name].push(cost.node);
        postgres[name].push(cost.postgres);
        if (name === 'ours') engineTimes.push(cost.engine);
      }
      process.stderr.write('.');
    }
    bytes.ours.push(await measureBytes(sides.ours, true));
    bytes.theirs.push(await measureBytes(sides.theirs, false));
  } finally {
    await Promise.all(Object.values(sides).map((side) => side.dispose()));
  }
  printRows('services on Kafka', [rate, node, postgres, bytes]);
  const engine = engineTimes.sort((one, other) => one - other)[engineTimes.length >> 1]!;
  process.stdout.write(`ClickHouse CPU time per visit: ${engine.toFixed(0)} µs\n`);
  process.stdout.write(`bytes per visit in ClickHouse: ${bytes.ours[0]!.toFixed(0)}; goal ≤ ${MAX_BYTES_PER_VISIT}\n`);
}

async function deleteVisits(side: Side, isClickHouse: boolean): Promise<void> {
  if (isClickHouse) await clickhouse.command({ query: `TRUNCATE TABLE ${table}` });
  await side.database.deleteVisits();
}

async function measureCost(side: Side, isClickHouse: boolean) {
  await deleteVisits(side, isClickHouse);
  const visits = REQUESTS * PER_REQUEST;
  const engineIds = server === null ? [] : [server.process.pid];
  const times = (): Promise<number[]> =>
    Promise.all([getCpuTimeMs(side.services), side.database.getCpuTimeMs(), getCpuTimeMs(engineIds)]);
  const before = await times();
  const started = performance.now();
  await measureRequestRate({ ...side, perRequest: PER_REQUEST, connections: 32, amount: REQUESTS });
  await waitForVisits(side, isClickHouse, visits);
  const seconds = (performance.now() - started) / 1_000;
  const [nodeTime, postgresTime, engineTime] = (await times()).map(
    (time, index) => ((time - before[index]!) * 1_000) / visits,
  );
  return { rate: visits / seconds, node: nodeTime!, postgres: postgresTime!, engine: engineTime! };
}

async function waitForVisits(side: Side, isClickHouse: boolean, visits: number): Promise<void> {
  const count = isClickHouse ? countStored : () => side.database.countStored();
  while ((await count()) < visits) await sleep(50);
}

/** Returns the size of an imported visit. The log contains visits by people and agents. */
async function measureBytes(side: Side, isClickHouse: boolean): Promise<number> {
  const log = generateLog({ lines: LOG_LINES, seed: 1, start: new Date(Date.now() - 86_400_000) });
  await deleteVisits(side, isClickHouse);
  const empty = await side.database.getVisitBytes();
  await importLog(side, log.text);
  await waitForVisits(side, isClickHouse, log.readable);
  if (!isClickHouse) {
    await side.database.pool.query('VACUUM');
    return ((await side.database.getVisitBytes()) - empty) / log.readable;
  }
  // ClickHouse merges parts in the background. Merging all of them shows the size after some time.
  await clickhouse.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  return (await getStoredBytes()) / log.readable;
}

async function getStoredBytes(): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = '${options.database}'`,
  );
  return Number(row!.bytes);
}

/** Measures the dashboard's requests with many visits in one project. */
async function measureReading(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('bench');
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  try {
    await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${options.database} SYNC` });
    const settings = { API_KEY, ...ADMIN_ENV, LOG_LEVEL: 'error', ...OFFLINE_ENV };
    const projectId = await createVisits(folder, databaseUrl, pool, settings);
    const url = await serveStandalone(folder, databaseUrl, { ...settings, ...STORE_ENV });
    const [newest] = await query<{ last: number }>(`SELECT max(occurred_at) AS last FROM ${table}`);
    const visits = await countStored();
    process.stdout.write(`\n${visits} visits, ${((await getStoredBytes()) / visits).toFixed(0)} bytes each\n\n`);
    await measureOperations({
      url,
      id: projectId,
      until: Number(newest!.last),
      days: DAYS,
      goals: { timeline: 250, filtered: 700 },
      get: (address, body) => request(address, body),
      connections: async () => (server === null ? [] : [server.process.pid]),
    });
    if (server !== null) {
      process.stdout.write(`\npeak memory of the engine: ${await getMemoryMb([server.process.pid], 'peak')} MB\n`);
    }
  } finally {
    stopServers();
    await pool.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Generates visits in PostgreSQL, moves them to ClickHouse, and copies them there until there are enough.
 *
 * @returns the project's ID
 */
async function createVisits(
  folder: string,
  databaseUrl: string,
  pool: Pool,
  settings: Record<string, string>,
): Promise<string> {
  const url = await serveStandalone(folder, databaseUrl, settings);
  const [project] = (await request<{ projects: { id: string }[] }>(`${url}/api/projects`)).projects;
  const onDay = (): void => void process.stderr.write('.');
  const until = Date.now();
  await createManyVisits(pool, { projectId: project!.id, visits: GENERATED_VISITS, days: DAYS, until, onDay });
  stopServers();
  const dataSource = await createDataSource({ url: databaseUrl, poolSize: 2 }).initialize();
  try {
    await prepareVisitStore(dataSource, options);
    const { signal } = new AbortController();
    await moveVisits(dataSource, options, { target: 'clickhouse', signal, onProgress() {}, onWaiting() {} });
  } finally {
    await dataSource.destroy();
  }
  await copyVisits(pool);
  return project!.id;
}

/**
 * Copies each day's visits. Each copy's times are rotated within the day, so copies are spread like the visits. With more
 * copies, there are also more addresses, user agents, and pages.
 */
async function copyVisits(pool: Pool): Promise<void> {
  const copies = VISITS / GENERATED_VISITS;
  const columns = (
    await query<{ name: string }>(
      `SELECT name FROM system.columns WHERE table = 'visits' AND database = '${options.database}'`,
    )
  ).map(({ name }) => name);
  const days = await query<{ day: string }>(`SELECT DISTINCT toString(day) AS day FROM ${table} ORDER BY day`);
  const replaced: Record<string, string> = {
    id: 'toUUID(new_id)',
    occurred_at: 'new_at',
    path: 'new_path',
    client_address: 'new_address',
    number: 'toUInt64(new_at * 1000 + copy)',
    document: 'new_document',
  };
  for (const { day } of days) {
    await clickhouse.command({
      query: `INSERT INTO ${table} (${columns.join(', ')})
        WITH (SELECT (min(occurred_at), max(occurred_at) - min(occurred_at) + 1) FROM ${table} WHERE day = '${day}') AS span,
          span.1 + (occurred_at - span.1 + intDiv(span.2 * copy, ${copies}) + cityHash64(id, copy) % 1000) % span.2 AS new_at,
          lower(concat(leftPad(hex(toUInt64(new_at)), 12, '0'), hex(sipHash128(id, copy)))) AS digits,
          concat(substring(digits, 1, 8), '-', substring(digits, 9, 4), '-7', substring(digits, 13, 3), '-8',
            substring(digits, 16, 3), '-', substring(digits, 19, 12)) AS new_id,
          if(cityHash64(copy, id) % 10 = 0 AND startsWith(path, '/articles/'), concat(path, '-', toString(copy)), path)
            AS new_path,
          concat('198.', toString(51 + copy % 200), substring(client_address, 7)) AS new_address,
          concat(formatDateTime(fromUnixTimestamp64Milli(new_at, 'UTC'), '%Y-%m-%dT%H:%i:%S'), '.',
            leftPad(toString(new_at % 1000), 3, '0'), 'Z') AS new_time,
          replaceOne(replaceAll(replaceAll(replaceAll(
            replaceRegexpAll(document, '_at":"[^"]*"', concat('_at":"', new_time, '"')),
            toString(id), new_id), concat('"', path, '"'), concat('"', new_path, '"')),
            assumeNotNull(client_address), assumeNotNull(new_address)),
            '/1.0)', concat('/1.', toString(copy), ')')) AS new_document
        SELECT ${columns.map((name) => `${replaced[name] ?? name} AS ${name}_copied`).join(', ')}
        FROM (SELECT *, arrayJoin(range(1, ${copies})) AS copy FROM ${table} WHERE day = '${day}')`,
      clickhouse_settings: { max_partitions_per_insert_block: '0' },
    });
    process.stderr.write('.');
  }
  for (const name of [
    'visit_counts',
    'visit_hour_counts',
    'visit_day_counts',
    'visit_top_counts',
    'visit_day_top_counts',
  ])
    await pool.query(`UPDATE ${name} SET visits = visits * $1`, [copies]);
  await pool.query(
    `UPDATE visit_hour_top_counts SET top_visits = ARRAY(SELECT visits * $1 FROM unnest(top_visits) WITH ORDINALITY v (visits, place) ORDER BY place)`,
    [copies],
  );
  await pool.query('VACUUM ANALYZE');
}

async function request<T>(url: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
