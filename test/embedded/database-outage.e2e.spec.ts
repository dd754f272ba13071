import { execFileSync } from 'node:child_process';
import { CONSOLE_INTERFACE } from '#libs/contracts';
import { Client, CREDENTIALS, CREDENTIALS_ENV, problemOf, visit } from '../kit/client.js';
import { NOBODY } from '../kit/tenant.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { outage } from '../kit/faults.js';
import { Instance, until } from '../kit/instance.js';
import { Load, timesStored } from '../kit/load.js';

it('responds with 503 while PostgreSQL is down, loses nothing and recovers without help', async () => {
  const postgres = await ExternalPostgres.start();
  const instance = await Instance.start({
    env: { ...CREDENTIALS_ENV, DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal' },
  });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const load = new Load(client);
  await until(() => load.accepted.size > 100, { what: 'visits are accepted' });

  await postgres.stop();
  const before = load.accepted.size;
  await outage(load, 15, 20);
  expect([instance.child.exitCode, instance.output]).toEqual([null, expect.any(String)]);
  const during = load.statuses.get(503) ?? 0;
  expect(during).toBeGreaterThan(10);
  // Requests committed just before the outage may still be acknowledged.
  expect(load.accepted.size).toBeLessThan(before + 50);
  expect(load.withoutRetryAfter).toBe(0);
  expect((await fetch(`${instance.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${instance.url}/healthz`)).status).toBe(200);
  const refused = await client.post('/visits', [visit('/refused')]);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await problemOf(refused)).toEqual({
    type: '/docs/problems#unavailable',
    title: 'The service cannot do this right now',
    status: 503,
    detail: 'The visits could not be stored safely. Resend them.',
    instance: refused.headers.get('x-request-id'),
  });
  const headers = { 'idempotency-key': 'key' };
  expect((await client.post('/visits', [visit('/refused')], { headers })).status).toBe(503);
  // Without the database, the token can't be checked, so 401 would be wrong.
  expect((await client.post('/visits', [], { token: 'a-token-nobody-ever-saw' })).status).toBe(503);

  await postgres.resume();
  const after = load.accepted.size;
  await until(() => load.accepted.size > after + 100, { what: 'visits are accepted again' });
  await load.stop();
  expect((await fetch(`${instance.url}/readyz`)).status).toBe(200);
  expect([...load.statuses.keys()].toSorted()).toEqual([204, 503]);
  expect(load.slowest).toBeLessThan(30_000);

  const times = timesStored(await client.visits());
  const lost = [...load.accepted].filter((number) => !times.has(number));
  const doubled = [...times].filter(([, count]) => count > 1);
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  await instance.dispose();
  await postgres.dispose();
});

it('responds to console reads with 503 and Retry-After while PostgreSQL is down', async () => {
  const postgres = await ExternalPostgres.start();
  const instance = await Instance.start({
    env: { ...CREDENTIALS_ENV, DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal' },
  });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const projectId = await client.projectId();
  // The pipeline state depends only on Kafka.
  const reads = CONSOLE_INTERFACE.operations.filter(
    ({ method, path }) => method === 'get' && path.startsWith('/api/') && path !== '/api/pipeline',
  );
  const statusOf = async (path: string) => {
    const filled = path.replace('/api', '').replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? projectId : NOBODY));
    const response = await client.apiResponse(filled);
    await response.body?.cancel();
    return `${path}: ${response.status}${response.status === 503 && response.headers.get('retry-after') === null ? ' without Retry-After' : ''}`;
  };
  await statusOf('/api/system');
  await postgres.stop();
  const statuses = await Promise.all(reads.map(({ path }) => statusOf(path)));
  expect(statuses.filter((status) => /: (?:2|500)|without/.test(status))).toEqual([]);
  await postgres.resume();
  await instance.dispose();
  await postgres.dispose();
});

it('recovers from a crash of its embedded database', async () => {
  const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, LOG_LEVEL: 'fatal' } });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const load = new Load(client);
  await until(() => load.accepted.size > 100, { what: 'visits are accepted' });
  const { pid } = await postmasterOf(instance.child.pid!);
  process.kill(pid, 'SIGKILL');
  const after = load.accepted.size;
  await until(() => load.accepted.size > after + 200, { what: 'visits are accepted again' });
  await load.stop();
  const times = timesStored(await client.visits());
  expect([...load.accepted].filter((number) => times.get(number) !== 1)).toEqual([]);
  await instance.dispose();
});

async function postmasterOf(parent: number): Promise<{ pid: number }> {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n');
  const found = lines
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line))
    .find((match) => Number(match?.[2]) === parent && match?.[3]?.includes('postgres'));
  return { pid: Number(found![1]) };
}
