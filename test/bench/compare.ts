/**
 * Compares ours with a peer by alternating between them on the same machine. The result is the median ratio of all
 * rounds.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { START_ARGS } from '../kit/start-command.ts';
import { median, measureRequestRate, createVisits, type LoadOptions } from './load.ts';

export const isQuick = process.argv.includes('--quick');
/** Options followed by a value. */
const OPTIONS_WITH_VALUE = new Set(['--store', '--visits']);
const words = process.argv
  .slice(2)
  .filter((word, index, all) => !word.startsWith('--') && !OPTIONS_WITH_VALUE.has(all[index - 1]!));
/** Returns true if the row contains one of the words on the command line, or if there are no words. */
export const matchesFilter = (row: string): boolean => words.length === 0 || words.some((word) => row.includes(word));
export const ROUNDS = isQuick ? 1 : 5;
export const ROUND_SECONDS = isQuick ? 2 : 5;
/** Number of warm-up rounds before the measurement. */
export const WARM_UP_ROUNDS = isQuick ? 1 : 3;
/** Number of visits stored per round. */
export const STORED_VISITS = isQuick ? 20_000 : 100_000;

export interface Row {
  what: string;
  peer: string;
  unit: string;
  ours: number[];
  theirs: number[];
  /** Ratio that must be reached, or null if there's no goal. */
  goal: number | null;
  /** Maximum ratio, for rows without a goal in which less is better. */
  limit?: number;
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
  form: 'integer',
};

const children: ChildProcess[] = [];

/**
 * Starts a server in a separate process.
 *
 * @returns the address that the server prints
 */
export async function startServer(args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`${args[0]} exited with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /running at (http:\S+)/.exec(output)?.[1];
      if (url) resolve(url);
    });
  });
}

/**
 * Starts standalone mode like `npm start` does.
 *
 * @param folder Parent folder of the data directory.
 * @returns the address
 */
export const serveStandalone = (folder: string, databaseUrl: string, env: Record<string, string>): Promise<string> =>
  startServer(START_ARGS, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...env,
  });

export const getServerIds = (): number[] => children.flatMap(({ pid }) => pid ?? []);

export function stopServers(): void {
  for (const child of children) child.kill('SIGTERM');
}

export interface Comparison {
  what: string;
  peer: string;
  ours: string;
  theirs: string;
  token: string;
  perRequest?: number;
  operation?: LoadOptions['operation'];
  connections?: number;
  goal?: number;
}

/** Measures the requests per second at both addresses. */
export async function compare({
  what,
  peer,
  ours,
  theirs,
  token,
  perRequest = 1,
  operation,
  connections = 32,
  goal,
}: Comparison): Promise<Row> {
  const load = { token, perRequest, ...(operation && { operation }), connections, duration: ROUND_SECONDS };
  const measure = (url: string): Promise<number> => measureRequestRate({ url, ...load });
  // Warm up both sides and the servers behind them, so that their JIT compilers have finished before the measurement.
  for (let time = 0; time < WARM_UP_ROUNDS; time += 1) {
    await measure(ours);
    await measure(theirs);
  }
  const row: Row = { what, peer, unit: 'requests/s', ours: [], theirs: [], goal: goal ?? null };
  for (let round = 0; round < ROUNDS; round += 1) {
    row.ours.push(await measure(ours));
    row.theirs.push(await measure(theirs));
    process.stderr.write('.');
  }
  return row;
}

/**
 * Inserts the stored visits into a table with the same columns and indexes.
 *
 * @returns rows per second
 */
export async function insertBareRows(pool: Pool): Promise<number> {
  await pool.query('DROP TABLE IF EXISTS bare; CREATE TABLE bare (LIKE visits INCLUDING ALL)');
  const names = Object.keys(COLUMNS);
  const { rows } = await pool.query(
    `SELECT ${names.map((name) => `${name}::text`).join(', ')} FROM (
       SELECT *, NULL::uuid AS agent_id, NULL AS agent_type, NULL AS operator, 'unknown_agent' AS result
       FROM unknown_visits WHERE project_id IS NOT NULL
     ) v UNION ALL SELECT ${names.map((name) => `${name}::text`).join(', ')} FROM visits`,
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

export function printVisitRows(rows: readonly Row[]): void {
  printRows(`${JSON.stringify(createVisits(1)).length - 2} bytes per visit`, rows);
}

/** Prints one line per row: both sides' medians, then the median, minimum, and maximum ratio of all rounds. */
export function printRows(about: string, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  process.stdout.write(`\n\n${ROUNDS} rounds, ${about}, Node ${process.version}\n`);
  const width = Math.max(...rows.map(({ what }) => what.length));
  let heading = '';
  for (const { what, peer, unit, ours, theirs, goal, limit } of rows) {
    if (peer !== heading) process.stdout.write(`\nours ÷ ${peer}\n`);
    heading = peer;
    const ratios = ours.map((value, index) => value / theirs[index]!);
    const [low, middle, high] = [Math.min(...ratios), median(ratios), Math.max(...ratios)].map((ratio) =>
      ratio.toFixed(2),
    );
    const target = goal !== null ? `  goal ≥ ${goal}` : limit !== undefined ? `  goal ≤ ${limit}` : '';
    const figures = [ours, theirs].map((values) =>
      median(values)
        .toFixed(median(values) < 100 ? 1 : 0)
        .padStart(7),
    );
    process.stdout.write(
      `  ${what.padEnd(width)}  ${figures.join(' ÷ ')} ${unit.padEnd(10)}  ${middle} (${low}–${high})${target}\n`,
    );
  }
  process.stdout.write('\n');
}
