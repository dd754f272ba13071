import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { createDataSource } from '#libs/database';
import { Client, visit } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { Instance, until } from '../kit/instance.js';

/**
 * Rows from an instance of the first version. They include visits by known agents, a custom agent, and browsers, plus a
 * dead letter, rules, a token, an API key, and an invitation. Created with `pg_dump --data-only --column-inserts
 * --load-via-partition-root`, without the bundled agents.
 */
const ROWS = join(import.meta.dirname, 'first-version.sql');
const SECRET_KEY = '07'.repeat(32);
const ACCESS_TOKEN = 'former-access-token-of-2026-11';
const API_KEY = 'former-api-key-of-2026-11';
const ADMINISTRATOR = { email: 'ada@example.com', password: 'correct horse battery staple' };

async function restore(url: string): Promise<void> {
  const { options } = createDataSource({ url });
  const [first] = options.migrations as [() => unknown];
  const database = await new DataSource({ ...options, migrations: [first] } as DataSourceOptions).initialize();
  try {
    await database.runMigrations();
    await database.query(await readFile(ROWS, 'utf8'));
    // Keep the rows from expiring when the test runs long after they were created.
    await database.query(
      `UPDATE dead_letters SET failed_at = now();
       UPDATE project_invitations SET expires_at = now() + interval '7 days';
       UPDATE instance_settings SET unknown_retention_days = NULL`,
    );
  } finally {
    await database.destroy();
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

it('lists and counts visits stored by the first version', async () => {
  const visits = await client.visits();
  const found = visits.map(({ visit: { request_path: path }, identification: { result, agent_token: token } }) =>
    [path, result, token].join(' '),
  );
  expect(found.toSorted()).toEqual([
    '/browser unknown_agent ',
    '/browser unknown_agent ',
    '/googlebot verified Googlebot',
    '/googlebot verified Googlebot',
    '/gptbot?secret=[redacted] not_verifiable GPTBot',
    '/gptbot?secret=[redacted] not_verifiable GPTBot',
    '/own not_verifiable ShopChecker',
    '/own not_verifiable ShopChecker',
  ]);
  const window = 'from=2026-11-28T00:00:00Z&to=2026-11-29T00:00:00Z';
  const { current } = await client.api<{ current: object }>(`/projects/${project}/overview?${window}`);
  expect(current).toMatchObject({ visits: 8, agent_visits: 6, verified: 2, not_verifiable: 4, unknown_agent: 2 });
  const { dead_letters: letters } = await client.api<{ dead_letters: object[] }>('/dead-letters');
  expect(letters).toHaveLength(2);
});

it('accepts existing passwords, tokens, and invitations', async () => {
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

it('identifies visits by existing custom agents', async () => {
  const { agents } = await client.api<{ agents: object[] }>('/agents?search=ShopChecker');
  expect(agents).toMatchObject([{ token: 'ShopChecker', user_agent_patterns: ['shopchecker\\/\\d'] }]);
  const headers = { 'user-agent': 'ShopChecker/3' };
  await client.post('/visits', visit('/after', { request_headers: headers }));
  const [after] = await until(async () => client.visits({ path: '/after' }), { condition: 'the visit is stored' });
  expect(after).toMatchObject({ identification: { agent_token: 'ShopChecker' } });
});

it('lists existing rules', async () => {
  const { versions } = await client.api<{ versions: object[] }>(`/projects/${project}/rules-versions`);
  expect(versions).toMatchObject([
    { selection: { format: 'blocks', excluded_agent_tokens: ['Googlebot'] }, catalog_version: 'e7fe274ad1af0c56' },
  ]);
});
