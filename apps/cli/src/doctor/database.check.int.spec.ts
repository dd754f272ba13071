import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { runChecks } from './doctor.js';
import type { Finding } from './finding.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

/** Returns the findings about a subject when only the database is available. */
async function findingsOf(about: string, url = database.url): Promise<Finding[]> {
  const found: Finding[] = [];
  const client = { url: 'http://127.0.0.1:9', get: () => Promise.reject(new Error('not asked')) };
  const source = { DATABASE_URL: url };
  await runChecks({ client, source, onFinding: (finding) => void found.push(finding) });
  return found.filter(({ subject }) => subject === about);
}

const report = (service: string, forwarders: object[], age: string): Promise<unknown> =>
  database.dataSource.query(
    `INSERT INTO service_instances (id, service, host, version, started_at, reported_at, status, checks, untrusted_forwarders)
     VALUES (gen_random_uuid(), $1, 'host', '1', now(), now() - $3::interval, 'ok', '{}', $2)`,
    [service, JSON.stringify(forwarders), age],
  );

it('warns about untrusted peers that sent forwarding headers in the last hour', async () => {
  await report('console', [], '1 minute');
  await report('gateway', [{ address: '203.0.113.9', requests: 3 }], '2 hours');
  expect(await findingsOf('trusted proxies')).toMatchObject([{ status: 'ok' }]);
  await report('gateway', [{ address: '172.18.0.1', requests: 21 }], '1 minute');
  expect(await findingsOf('trusted proxies')).toMatchObject([
    {
      status: 'warning',
      detail: 'gateway: the untrusted address 172.18.0.1 sent X-Forwarded-For in 21 request(s)',
      advice: expect.stringContaining('add 172.18.0.1 to TRUSTED_PROXIES for gateway'),
    },
  ]);
});

it('warns if no address list can be fetched', async () => {
  const add = (url: string, fault: string | null): Promise<unknown> =>
    database.dataSource.query(
      `INSERT INTO address_lists (url, format, fault, fetched_at)
       VALUES ($1, 'text', $2, CASE WHEN $2::text IS NULL THEN now() END)`,
      [url, fault],
    );
  await add('https://lists.example/a', 'unreachable: getaddrinfo ENOTFOUND lists.example');
  expect(await findingsOf('address lists')).toMatchObject([{ status: 'warning' }]);
  await add('https://lists.example/b', null);
  expect(await findingsOf('address lists')).toMatchObject([{ status: 'ok' }]);
});

it('suggests a fix if the database rejects the connection', async () => {
  const absent = new URL(database.url);
  absent.pathname = '/absent';
  expect(await findingsOf('database', absent.href)).toMatchObject([
    { status: 'fault', detail: expect.stringContaining('rejected'), advice: expect.stringContaining('database name') },
  ]);
  // A superuser could still connect to a full server, so connect as an ordinary role whose connection limit is 0.
  await database.dataSource.query(`CREATE ROLE guest LOGIN PASSWORD 'guest' CONNECTION LIMIT 0`);
  const full = new URL(database.url);
  full.username = full.password = 'guest';
  expect(await findingsOf('database', full.href)).toMatchObject([
    { detail: expect.stringContaining('too many connections'), advice: expect.stringContaining('max_connections') },
  ]);
  await database.dataSource.query(`DROP ROLE guest`);
});
