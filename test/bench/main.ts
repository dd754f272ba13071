/**
 * Speed as ratios: ours and a named peer in turn, on the same machine and the same PostgreSQL, the median of the
 * rounds' ratios. Absolute figures tell about the machine and are printed beside.
 *
 *   npm run bench              all of it, about three minutes
 *   npm run bench -- --quick   one short round, to see that it works
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { pino } from 'pino';
import { median, requestsPerSecond, visits } from './load.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'the-token-of-the-benchmark';
const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 1 : 5;
const SECONDS = isQuick ? 2 : 5;
const STORED = isQuick ? 20_000 : 100_000;

interface Row {
  what: string;
  peer: string;
  unit: string;
  ours: number[];
  theirs: number[];
  goal: number | null;
}

const COLUMNS = {
  id: 'uuid',
  project_id: 'uuid',
  occurred_at: 'timestamptz',
  position: 'bigint',
  agent_id: 'uuid',
  agent_type: 'text',
  operator: 'text',
  result: 'text',
  path: 'text',
  status: 'float8',
  mcp_tool: 'text',
  kinds: 'smallint',
  document: 'json',
};

const { EmbeddedPostgres } = (await import(
  join(ROOT, 'dist/apps/standalone/src/postgres/embedded-postgres.js')
)) as typeof import('../../apps/standalone/src/postgres/embedded-postgres.js');
const children: ChildProcess[] = [];
const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
await chmod(folder, 0o711);
const postgres = await EmbeddedPostgres.start({
  dataDirectory: join(folder, 'postgres'),
  log: pino({ level: 'silent' }),
});
const admin = new Pool({ connectionString: postgres.url, max: 2 });

try {
  await admin.query('CREATE DATABASE ours');
  await admin.query('CREATE DATABASE peer');
  const ours = await serve([join(ROOT, 'dist/apps/standalone/src/main.js')], {
    DATABASE_URL: databaseUrl('ours'),
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    PROJECT_ACCESS_TOKEN: TOKEN,
    LOG_LEVEL: 'warn',
  });
  const bare = await serve([join(import.meta.dirname, 'peers/bare-fastify.ts')], {});
  const byHand = await serve([join(import.meta.dirname, 'peers/fastify-insert.ts')], {
    DATABASE_URL: databaseUrl('peer'),
  });

  const rows: Row[] = [
    await compare('/visits, 1 visit a request, committed', 'bare Fastify, JSON in, 204 out', ours, bare, 1, null),
    await compare('/visits, 1 visit a request, committed', 'Fastify + one INSERT a request', ours, byHand, 1, null),
    await compare('/visits, 50 visits a request, committed', 'Fastify + one INSERT a request', ours, byHand, 50, null),
    await receivedToStored(ours),
  ];
  print(rows);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await admin.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

function databaseUrl(name: string): string {
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Starts a server as its own process. @returns its address, once it prints it. */
async function serve(args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /running at (http:\S+)/.exec(output)?.[1];
      if (url) resolve(url);
    });
  });
}

async function compare(
  what: string,
  peer: string,
  ours: string,
  theirs: string,
  perRequest: number,
  goal: number | null,
): Promise<Row> {
  const measure = (url: string): Promise<number> =>
    requestsPerSecond({ url, token: TOKEN, perRequest, connections: 32, duration: SECONDS });
  await measure(ours);
  await measure(theirs);
  const row: Row = { what, peer, unit: 'requests/s', ours: [], theirs: [], goal };
  for (let round = 0; round < ROUNDS; round += 1) {
    row.ours.push(await measure(ours));
    row.theirs.push(await measure(theirs));
    process.stderr.write('.');
  }
  return row;
}

/** From the first byte sent to the last visit stored, against inserting the very rows that were stored. */
async function receivedToStored(url: string): Promise<Row> {
  const row: Row = {
    what: 'received to stored, 50 visits a request',
    peer: 'bare unnest INSERT of the same rows, 1,000 at a time',
    unit: 'visits/s',
    ours: [],
    theirs: [],
    goal: 0.3,
  };
  const pool = new Pool({ connectionString: databaseUrl('ours'), max: 1 });
  pool.on('error', () => undefined);
  for (let round = 0; round < ROUNDS; round += 1) {
    await pool.query('TRUNCATE visits');
    const rate = await requestsPerSecond({ url, token: TOKEN, perRequest: 50, connections: 32, amount: STORED / 50 });
    const { rows } = await pool.query('SELECT count(*)::int AS stored FROM visits');
    if (rows[0].stored !== STORED) throw new Error(`${rows[0].stored} of ${STORED} visits are stored`);
    row.ours.push(rate * 50);
    row.theirs.push(await bareInsert(pool));
    process.stderr.write('.');
  }
  await pool.end();
  return row;
}

/** The rows of `visits` into a table with the same partitions' layout and indexes. @returns rows a second. */
async function bareInsert(pool: Pool): Promise<number> {
  await pool.query('DROP TABLE IF EXISTS bare; CREATE TABLE bare (LIKE visits INCLUDING ALL)');
  const names = Object.keys(COLUMNS);
  const { rows } = await pool.query(
    `SELECT ${names.map((name) => `${name}::text`).join(', ')} FROM visits ORDER BY position`,
  );
  const parameters = Object.values(COLUMNS).map((type, index) => `$${index + 1}::${type}[]`);
  const statement = `INSERT INTO bare (${names.join(', ')}) SELECT * FROM unnest(${parameters.join(', ')})`;
  const started = performance.now();
  for (let from = 0; from < rows.length; from += 1_000) {
    const batch = rows.slice(from, from + 1_000);
    await pool.query(
      statement,
      names.map((name) => batch.map((row) => row[name])),
    );
  }
  return (rows.length * 1_000) / (performance.now() - started);
}

function print(rows: readonly Row[]): void {
  const size = JSON.stringify(visits(1)).length - 2;
  process.stdout.write(`\n\n${ROUNDS} rounds, a visit has ${size} bytes, Node ${process.version}\n\n`);
  for (const { what, peer, unit, ours, theirs, goal } of rows) {
    const ratios = ours.map((value, index) => value / theirs[index]!);
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const target = goal === null ? '' : `, goal ≥ ${goal}`;
    process.stdout.write(
      `${what}\n  ÷ ${peer}\n  ratio ${median(ratios).toFixed(2)} (${spread})${target};` +
        ` ${Math.round(median(ours))} ÷ ${Math.round(median(theirs))} ${unit}\n\n`,
    );
  }
}
