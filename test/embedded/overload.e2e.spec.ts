import { Pool } from 'pg';
import { createVisits } from '../bench/load.js';
import { Client, CREDENTIALS, CREDENTIALS_ENV, visit } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { runHttpLoad, type HttpLoadResult } from '../kit/http-load.js';
import { Instance, until } from '../kit/instance.js';

/**
 * Number of visits per request. Large enough that no machine can store the requests from all connections before their
 * deadline.
 */
const PER_REQUEST = 200;
const BODY = JSON.stringify(createVisits(PER_REQUEST));
const CONNECTIONS = 512;

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
});
afterAll(async () => {
  await database.end();
  await instance.dispose();
  await postgres.dispose();
});

interface Metrics {
  admittedBytes: number;
  limitBytes: number;
  /** Number of publications whose outcome is unknown, because the deadline passed while they were being stored. */
  cutOff: number;
}

async function metrics(): Promise<Metrics> {
  const text = await (await fetch(`${instance.url}/metrics`)).text();
  const value = (name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  return {
    admittedBytes: value('agent_traffic_gateway_admitted_bytes'),
    limitBytes: value('agent_traffic_gateway_admitted_bytes_limit'),
    cutOff: value('agent_traffic_bus_publish_failures_total{topic="visits.received.v1",reason="cut_off"}'),
  };
}

async function storedVisits(): Promise<number> {
  const { rows } = await database.query('SELECT count(*)::int AS stored FROM visits_full');
  return rows[0].stored;
}

/** Checks only properties that hold on any machine. `npm run bench -- --overload` measures throughput. */
it('stores every acknowledged visit, rejects the others with Retry-After, and recovers', async () => {
  // The metrics only include the limit after the first request. On a slow machine, this initial limit is the highest
  // one.
  await client.post('/visits', visit('/before'));
  const seen = [await metrics()];
  const before = await storedVisits();
  const results: HttpLoadResult[] = [];
  const countOf = (status: number): number => results.reduce((sum, result) => sum + result.count(status), 0);
  const over = new AbortController();
  const load = async (): Promise<void> => {
    // On a busy machine, all requests in a run may miss their deadline.
    while (countOf(204) === 0) {
      results.push(
        await runHttpLoad({
          url: instance.url,
          path: '/visits',
          requests: [
            {
              headers: { 'content-type': 'application/json', authorization: `Bearer ${CREDENTIALS.accessToken}` },
              body: BODY,
            },
          ],
          connections: CONNECTIONS,
          durationMs: 3_000,
        }),
      );
    }
  };
  const loaded = load().finally(() => over.abort());
  while (!over.signal.aborted) seen.push(await metrics());
  await loaded;

  expect(new Set(results.flatMap(({ durations }) => [...durations.keys()]))).toEqual(new Set([204, 503]));
  const retryAfter = new Set(results.flatMap((result) => [...result.retryAfter]));
  expect(retryAfter.size).toBeGreaterThan(4);
  expect(retryAfter).not.toContain(null);
  // The last request that is admitted may exceed the limit. The limit may also decrease while that request is in
  // flight.
  const highest = Math.max(...seen.map(({ limitBytes }) => limitBytes));
  expect(Math.max(...seen.map(({ admittedBytes }) => admittedBytes))).toBeLessThanOrEqual(highest + BODY.length);

  const more = (await storedVisits()) - before - countOf(204) * PER_REQUEST;
  expect(more).toBeGreaterThanOrEqual(0);
  expect(more).toBeLessThanOrEqual((await metrics()).cutOff * PER_REQUEST);

  let consecutiveSuccesses = 0;
  const isNormal = async (): Promise<boolean> => {
    consecutiveSuccesses =
      (await client.post('/visits', visit('/after'))).status === 204 ? consecutiveSuccesses + 1 : 0;
    return consecutiveSuccesses === 20;
  };
  await until(isNormal, { condition: 'the instance is back to normal' });
  expect(instance.child.exitCode).toBeNull();
}, 120_000);
