import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Client as Postgres } from 'pg';
import { Client, visit } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { Instance, until } from '../kit/instance.js';

/**
 * What `pg_dump --inserts` says of the database of a version from before migration 1763770000000, with visits of its
 * catalog and of an agent of one's own, a refused item, rules, a token, an API key and an invitation; made with these.
 */
const DUMP = join(import.meta.dirname, 'former-version.sql.gz');
const SECRET_KEY = '07'.repeat(32);
const ACCESS_TOKEN = 'former-access-token-of-2026-11';
const API_KEY = 'former-api-key-of-2026-11';
const ADMINISTRATOR = { email: 'ada@example.com', password: 'correct horse battery staple' };

async function restore(connectionString: string): Promise<void> {
  const dump = await promisify(gunzip)(await readFile(DUMP));
  const database = new Postgres({ connectionString });
  await database.connect();
  try {
    await database.query(dump.toString('utf8'));
    // What the instance deletes by its age is as young as it was when the dump was made.
    await database.query(
      `UPDATE public.dead_letters SET failed_at = now();
       UPDATE public.project_invitations SET expires_at = now() + interval '7 days'`,
    );
  } finally {
    await database.end();
  }
}

let postgres: ExternalPostgres;
let instance: Instance;
let client: Client;
let project: string;

beforeAll(async () => {
  postgres = await ExternalPostgres.start({ isEmpty: true });
  await restore(postgres.url);
  const env = { DATABASE_URL: postgres.url, SECRET_KEY, RETENTION_DAYS: '3650' };
  instance = await Instance.start({ env });
  client = new Client({ url: instance.url, accessToken: ACCESS_TOKEN, apiKey: API_KEY });
  project = await client.projectId();
});
afterAll(async () => {
  await instance?.dispose();
  await postgres?.dispose();
});

it('has the visits of before, with their evidence, and counts them', async () => {
  const visits = await client.visits();
  const found = visits.map(({ visit: { request_path: path }, identification: { result, agent_token: token } }) =>
    [path, result, token].join(' '),
  );
  expect(found.toSorted()).toEqual([
    '/browser unknown_agent ',
    '/browser unknown_agent ',
    '/googlebot verified Googlebot',
    '/googlebot verified Googlebot',
    '/gptbot?secret=x not_verifiable GPTBot',
    '/gptbot?secret=x not_verifiable GPTBot',
    '/own not_verifiable ShopChecker',
    '/own unknown_agent ',
  ]);
  const window = 'from=2026-11-22T00:00:00Z&to=2026-11-23T00:00:00Z';
  const { current } = await client.api<{ current: object }>(`/projects/${project}/overview?${window}`);
  expect(current).toMatchObject({ visits: 8, agent_visits: 5, verified: 2, not_verifiable: 3, unknown_agent: 3 });
  const { dead_letters: letters } = await client.api<{ dead_letters: object[] }>('/dead-letters');
  expect(letters).toHaveLength(2);
});

it('lets in who could come in before', async () => {
  const response = await fetch(`${instance.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: instance.url },
    body: JSON.stringify(ADMINISTRATOR),
  });
  expect([response.status, response.headers.getSetCookie().length > 0]).toEqual([200, true]);
  const { tokens } = await client.api<{ tokens: { id: string; name: string }[] }>(`/projects/${project}/tokens`);
  const second = tokens.find(({ name }) => name === 'second')!;
  const { token } = await client.api<{ token: string }>(`/projects/${project}/tokens/${second.id}`);
  expect((await client.post('/visits', visit('/by-second-token'), { token })).status).toBe(204);
  expect(await client.api(`/projects/${project}/members`)).toMatchObject({ invitations: [{ role: 'viewer' }] });
});

it('identifies by the agents of before, of which one has a pattern that is refused today', async () => {
  const { agents } = await client.api<{ agents: object[] }>('/agents?search=ShopChecker');
  expect(agents).toMatchObject([{ token: 'ShopChecker', user_agent_patterns: ['shopchecker\\/(?=\\d)'] }]);
  const headers = { 'user-agent': 'ShopChecker/3' };
  await client.post('/visits', visit('/after', { request_headers: headers }));
  const [after] = await until(async () => client.visits({ path: '/after' }), { what: 'the visit is stored' });
  expect(after).toMatchObject({ identification: { agent_token: 'ShopChecker' } });
});

it('keeps visits of unknown visitors as long as others, until somebody chooses', async () => {
  expect(await client.api('/system/retention')).toMatchObject({ unknown_days: null, unknown_days_chosen: false });
  expect(await client.api(`/projects/${project}`)).toMatchObject({ unknown_visitors: 'kept' });
  expect((await client.visits({ result: 'unknown_agent', path: '/browser' })).length).toBe(2);
});

it('has the rules of before', async () => {
  const { versions } = await client.api<{ versions: object[] }>(`/projects/${project}/rules-versions`);
  expect(versions).toMatchObject([
    { selection: { format: 'blocks', excluded_agent_tokens: ['Googlebot'] }, catalog_version: 'e753b0b306ef3550' },
  ]);
});
