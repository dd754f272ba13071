/**
 * Measures what a steady rate of visits costs each service and server, with one visit per request, and how many bytes a
 * visit takes. The source of the capacity table in docs/speed.md.
 *
 *   npm run bench -- --sizing          200, 1,000 and 5,000 visits per second
 *   npm run bench -- --sizing 2000     any other rate
 */
import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { OUR_BUILD } from './against/build.ts';
import type { Part, Side } from './against/side.ts';
import { startStackSide } from './against/stack-side.ts';
import { isQuick } from './compare.ts';
import { HttpLoadProgram } from './http-load.ts';
import { createVisit } from './load.ts';
import { getCpuTimeMs } from './processes.ts';

const SECONDS = isQuick ? 5 : 60;
/** Requests that differ in path, query, address and visitor. */
const DISTINCT_REQUESTS = 2_100;
const CONNECTIONS = 256;
/** Rate of the visits that are sent before the first measurement, so that code is compiled and pools are filled. */
const WARM_UP_RATE = 1_000;

const PARTS = ['gateway', 'enrichment', 'ingest', 'PostgreSQL', 'broker', 'redis'] as const;

const DEFAULT_RATES = isQuick ? [200] : [200, 1_000, 5_000];
const chosenRates = argv
  .slice(2)
  .map(Number)
  .filter((rate) => rate > 0);
const rates = chosenRates.length > 0 ? chosenRates : DEFAULT_RATES;

interface Usage {
  /** CPU time in milliseconds. */
  cpu: Record<(typeof PARTS)[number], number>;
  walBytes: number;
  visitBytes: number;
  visits: number;
}

const program = await HttpLoadProgram.build();
const side = await startStackSide(OUR_BUILD);
try {
  await send(WARM_UP_RATE, isQuick ? 2 : 20);
  console.log(`\nOne visit per request, ${SECONDS} s at each rate. CPU in microseconds per visit:\n`);
  console.log(['visits/s', ...PARTS, 'WAL bytes/visit', 'stored bytes/visit', 'p99 of responses'].join(' | '));
  for (const rate of rates) console.log(await measure(rate));
} finally {
  await side.dispose();
  await program.dispose();
}

async function measure(rate: number): Promise<string> {
  await side.database.pool.query('CHECKPOINT');
  const before = await readUsage(side);
  const p99 = await send(rate, SECONDS);
  const after = await readUsage(side);
  const visits = after.visits - before.visits;
  const perVisit = (difference: number): string => (difference / visits).toFixed(0);
  return [
    rate,
    ...PARTS.map((part) => perVisit((after.cpu[part] - before.cpu[part]) * 1_000)),
    perVisit(after.walBytes - before.walBytes),
    perVisit(after.visitBytes - before.visitBytes),
    `${p99.toFixed(0)} ms`,
  ].join(' | ');
}

/**
 * Sends visits at a rate and waits until they're stored.
 *
 * @returns the 99th percentile of response times in milliseconds
 * @throws {Error} if a visit isn't acknowledged
 */
async function send(rate: number, seconds: number): Promise<number> {
  const { url, token, database } = side;
  const bodies = Array.from({ length: DISTINCT_REQUESTS }, (_, number) => JSON.stringify(createVisit(number)));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const stored = await database.countStored();
  const load = await program.open({ url, path: '/visits', headers, bodies, connections: CONNECTIONS });
  const result = await load.run(seconds * 1_000, rate);
  const acknowledged = result.count(204);
  if (acknowledged < rate * seconds)
    throw new Error(`Only ${acknowledged} of ${rate * seconds} visits were acknowledged`);
  while ((await database.countStored()) < stored + acknowledged) await sleep(500);
  return result.quantile(204, 0.99);
}

async function readUsage({ parts, database }: Side): Promise<Usage> {
  const getPart = (part: Part): Promise<number> => getCpuTimeMs([parts[part]!]);
  const { rows } = await database.pool.query<{ bytes: string }>(`SELECT pg_current_wal_lsn() - '0/0' AS bytes`);
  return {
    cpu: {
      gateway: await getPart('gateway'),
      enrichment: await getPart('enrichment'),
      ingest: await getPart('ingest'),
      PostgreSQL: await database.getCpuTimeMs(),
      broker: await getPart('broker'),
      redis: await getPart('redis'),
    },
    walBytes: Number(rows[0]!.bytes),
    visitBytes: await database.getVisitBytes(),
    visits: await database.countStored(),
  };
}
