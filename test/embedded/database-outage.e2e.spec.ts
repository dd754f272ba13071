import { execFileSync } from 'node:child_process';
import { CONSOLE_INTERFACE } from '#libs/contracts';
import { Client, CREDENTIALS, CREDENTIALS_ENV, readProblem, visit } from '../kit/client.js';
import { UNKNOWN_ID } from '../kit/tenant.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { prolongOutage } from '../kit/faults.js';
import { Instance, until } from '../kit/instance.js';
import { Load, countStored } from '../kit/load.js';

it('responds with 503 while PostgreSQL is down, loses no visits, and recovers on its own', async () => {
  const postgres = await ExternalPostgres.start();
  const instance = await Instance.start({
    env: { ...CREDENTIALS_ENV, DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal' },
  });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const load = new Load(client);
  await until(() => load.accepted.size > 100, { condition: 'visits are accepted' });

  await postgres.stop();
  const before = load.accepted.size;
  await prolongOutage(load, 15, 20);
  expect([instance.child.exitCode, instance.output]).toEqual([null, expect.any(String)]);
  const during = load.statuses.get(503) ?? 0;
  expect(during).toBeGreaterThan(10);
  // Requests that were committed just before the outage may still be acknowledged.
  expect(load.accepted.size).toBeLessThan(before + 50);
  expect(load.withoutRetryAfter).toBe(0);
  expect((await fetch(`${instance.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${instance.url}/healthz`)).status).toBe(200);
  const rejected = await client.post('/visits', [visit('/refused')]);
  expect(rejected.headers.get('retry-after')).toBe('1');
  expect(await readProblem(rejected)).toEqual({
    type: '/docs/problems#unavailable',
    title: 'Service temporarily unavailable',
    status: 503,
    detail: 'The visits could not be stored safely. Resend them.',
    instance: rejected.headers.get('x-request-id'),
  });
  const headers = { 'idempotency-key': 'key' };
  expect((await client.post('/visits', [visit('/refused')], { headers })).status).toBe(503);
  // The gateway can't check the token without the database, so a 401 response would be wrong.
  expect((await client.post('/visits', [], { token: 'a-token-nobody-ever-saw' })).status).toBe(503);

  await postgres.resume();
  const after = load.accepted.size;
  await until(() => load.accepted.size > after + 100, { condition: 'visits are accepted again' });
  await load.stop();
  expect((await fetch(`${instance.url}/readyz`)).status).toBe(200);
  expect([...load.statuses.keys()].toSorted()).toEqual([204, 503]);
  expect(load.slowestMs).toBeLessThan(30_000);

  const times = countStored(await client.visits());
  const lost = [...load.accepted].filter((number) => !times.has(number));
  const doubled = [...times].filter(([, count]) => count > 1);
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  await instance.dispose();
  await postgres.dispose();
});

it('responds to console reads with 503 and a Retry-After header while PostgreSQL is down', async () => {
  const postgres = await ExternalPostgres.start();
  const instance = await Instance.start({
    env: { ...CREDENTIALS_ENV, DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal' },
  });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const projectId = await client.projectId();
  // Leave out the pipeline state, which only depends on Kafka and not on PostgreSQL.
  const reads = CONSOLE_INTERFACE.operations.filter(
    ({ method, path }) => method === 'get' && path.startsWith('/api/') && path !== '/api/pipeline',
  );
  const statusOf = async (path: string) => {
    const filled = path
      .replace('/api', '')
      .replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? projectId : UNKNOWN_ID));
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

it('recovers when its embedded database crashes', async () => {
  const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, LOG_LEVEL: 'fatal' } });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const load = new Load(client);
  await until(() => load.accepted.size > 100, { condition: 'visits are accepted' });
  const { pid } = await findPostmaster(instance.child.pid!);
  process.kill(pid, 'SIGKILL');
  const after = load.accepted.size;
  await until(() => load.accepted.size > after + 200, { condition: 'visits are accepted again' });
  await load.stop();
  const times = countStored(await client.visits());
  expect([...load.accepted].filter((number) => times.get(number) !== 1)).toEqual([]);
  await instance.dispose();
});

async function findPostmaster(parent: number): Promise<{ pid: number }> {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n');
  const found = lines
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line))
    .find((match) => Number(match?.[2]) === parent && match?.[3]?.includes('postgres'));
  return { pid: Number(found![1]) };
}
