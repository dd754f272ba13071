import { readFile } from 'node:fs/promises';
import { Pool } from 'pg';
import { visits } from '../bench/load.js';
import { Client, CREDENTIALS, CREDENTIALS_ENV, visit } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { httpLoad, type HttpLoadResult } from '../kit/http-load.js';
import { Instance, until } from '../kit/instance.js';

const PER_REQUEST = 50;
const BODY = JSON.stringify(visits(PER_REQUEST));
const MANY_CONNECTIONS = 512;
/** What else the machine does differs from moment to moment: each round compares what it measures within seconds. */
const ROUNDS = 6;

/**
 * Of the best. A machine that does nothing else reaches 0.9: set OVERLOAD_SHARE to require it, and OVERLOAD_REPORT to see
 * the rounds. Where others take the processor, the clients' share of it is the instance's loss.
 */
const SHARE = Number(process.env['OVERLOAD_SHARE'] ?? 0.6);

let postgres: ExternalPostgres;
let instance: Instance;
let client: Client;
let database: Pool;

beforeAll(async () => {
  postgres = await ExternalPostgres.start();
  instance = await Instance.start({ env: { ...CREDENTIALS_ENV, DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal' } });
  client = new Client({ url: instance.url, ...CREDENTIALS });
  database = new Pool({ connectionString: postgres.url, max: 1 });
  database.on('error', () => undefined);
  await load(32, 3_000);
}, 60_000);
afterAll(async () => {
  await database.end();
  await instance.dispose();
  await postgres.dispose();
});

const load = (connections: number, duration: number, rate?: number): Promise<HttpLoadResult> =>
  httpLoad({
    url: instance.url,
    path: '/visits',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${CREDENTIALS.accessToken}` },
    body: BODY,
    connections,
    duration,
    ...(rate !== undefined && { rate }),
  });

const acknowledgedPerSecond = (result: HttpLoadResult): number => result.count(204) / result.seconds;

async function storedVisits(): Promise<number> {
  const { rows } = await database.query('SELECT count(*)::int AS stored FROM visits');
  return rows[0].stored;
}

/** Publications whose fate is unknown: the deadline passed while they were being stored. */
async function cutOff(): Promise<number> {
  const text = await (await fetch(`${instance.url}/metrics`)).text();
  const line = /agent_traffic_bus_publish_failures_total\{topic="visits\.received\.v1",reason="cut_off"\} (\d+)/;
  return Number(line.exec(text)?.[1] ?? 0);
}

/** Milliseconds of answers that need nothing but the process itself, while the work goes on. */
async function besides<T>(work: Promise<T>): Promise<{ result: T; plain: number[] }> {
  const plain: number[] = [];
  const over = new AbortController();
  const ended = work.finally(() => over.abort());
  while (!over.signal.aborted) {
    const started = performance.now();
    await (await fetch(`${instance.url}/healthz`)).arrayBuffer();
    plain.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { result: await ended, plain: plain.toSorted((one, other) => one - other) };
}

/** Runs the work and compares what was stored with what was acknowledged. */
async function counted(work: () => Promise<HttpLoadResult>): Promise<HttpLoadResult> {
  const [before, cutOffBefore] = [await storedVisits(), await cutOff()];
  const result = await work();
  const stored = (await storedVisits()) - before;
  const acknowledged = result.count(204) * PER_REQUEST;
  expect([...result.durations.keys()].toSorted()).toEqual(expect.not.arrayContaining([0]));
  expect(stored).toBeGreaterThanOrEqual(acknowledged);
  expect(stored).toBeLessThanOrEqual(acknowledged + ((await cutOff()) - cutOffBefore) * PER_REQUEST);
  return result;
}

it('acknowledges at four times the load what it does at its best, and refuses the rest soon and for good', async () => {
  const rounds: object[] = [];
  const isGood = async (): Promise<boolean> => {
    const before = acknowledgedPerSecond(await load(32, 3_000));
    const { result, plain } = await besides(counted(() => load(MANY_CONNECTIONS, 5_000, before * 4)));
    const best = (before + acknowledgedPerSecond(await load(32, 3_000))) / 2;
    const round = {
      best: Math.round(best * PER_REQUEST),
      acknowledged: Math.round(acknowledgedPerSecond(result) * PER_REQUEST),
      refused: result.count(503),
      refusals: [0.5, 0.99].map((share) => Math.round(result.quantile(503, share))),
      answers: [0.5, 0.99].map((share) => Math.round(result.quantile(204, share))),
      plain: [0.5, 0.99].map((share) => Math.round(plain[Math.floor((plain.length - 1) * share)]!)),
    };
    rounds.push(round);
    expect(result.count(503)).toBeGreaterThan(0);
    // Clients are spread, and each is told when to come back.
    expect(result.retryAfter.size).toBeGreaterThan(4);
    expect(result.retryAfter).not.toContain(null);
    return round.acknowledged >= SHARE * round.best && round.refusals[1]! <= Math.max(100, round.plain[1]! * 5);
  };
  let isDone = false;
  for (let count = 0; count < ROUNDS && !isDone; count += 1) isDone = await isGood();
  if (process.env['OVERLOAD_REPORT'] !== undefined) process.stderr.write(`${JSON.stringify(rounds, null, 1)}\n`);
  expect([isDone, rounds]).toEqual([true, rounds]);
}, 180_000);

it('is not stopped by clients that resend what was refused without a pause', async () => {
  const shares: number[] = [];
  for (let count = 0; count < ROUNDS && Math.max(0, ...shares) < SHARE; count += 1) {
    const best = acknowledgedPerSecond(await load(32, 3_000));
    const result = await counted(() => load(MANY_CONNECTIONS, 5_000));
    expect(result.count(503)).toBeGreaterThan(0);
    shares.push(acknowledgedPerSecond(result) / best);
  }
  if (process.env['OVERLOAD_REPORT'] !== undefined) process.stderr.write(`closed loop: ${shares.join(' ')}\n`);
  expect(Math.max(...shares)).toBeGreaterThanOrEqual(SHARE);
}, 120_000);

it('is back to normal within 5 s', async () => {
  await load(MANY_CONNECTIONS, 3_000);
  const ended = performance.now();
  for (let inRow = 0; inRow < 20;) {
    inRow = (await client.post('/visits', visit(`/after/${inRow}`))).status === 204 ? inRow + 1 : 0;
    expect(performance.now() - ended).toBeLessThan(5_000);
  }
}, 60_000);

it('takes no more than 500 MB for it', async () => {
  const status = await until(() => readFile(`/proc/${instance.child.pid}/status`, 'utf8'), { what: 'it is read' });
  expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)![1])).toBeLessThan(500_000);
});
