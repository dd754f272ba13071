import { BROWSER, Client, visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { StreamReader } from '../kit/stream.js';
import { createTestClient } from './target.js';

const ADDRESS = '198.51.100.23';
let instance: Client;

beforeAll(async () => {
  instance = await createTestClient('Unknown visitors');
});

async function createProject(mode: string): Promise<Client> {
  const body = { name: `Unknown visitors ${mode}`, unknown_visitors: mode };
  const { id } = await instance.api<{ id: string }>('/projects', { method: 'POST', body });
  const { token } = await instance.api<{ token: string }>(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  return new Client({ ...instance.target, projectId: id, accessToken: token });
}

const headers = { 'user-agent': BROWSER, 'x-forwarded-for': ADDRESS, 'accept-language': 'de' };
const browserVisit = visit('/person?page=2', { request_headers: headers });

const readOverview = async (client: Client): Promise<{ visits: number; pages: string[] }> => {
  const { current, top_pages: pages } = await client.api<{
    current: { visits: number };
    top_pages: { path: string }[];
  }>(`/projects/${client.target.projectId}/overview`);
  return { visits: current.visits, pages: pages.map(({ path }) => path).toSorted() };
};

const exportVisits = async (client: Client): Promise<string> => {
  const response = await client.apiResponse(`/projects/${client.target.projectId}/visits/export?format=ndjson`);
  return response.text();
};

it.each([
  ['kept', { client_address: ADDRESS, visit: browserVisit }],
  [
    'reduced',
    {
      client_address: null,
      kept_as: 'reduced',
      visit: { request_path: '/person?page=2', request_headers: { 'user-agent': BROWSER } },
    },
  ],
  ['counted', null],
])('records visits by unknown visitors only once if a batch is repeated: %s', async (mode, expected) => {
  const client = await createProject(mode);
  const key = crypto.randomUUID();
  for (let time = 0; time < 2; time += 1) {
    const response = await client.post('/visits', [browserVisit, visit('/agent')], {
      headers: { 'idempotency-key': key },
    });
    expect(response.status).toBe(204);
  }
  await until(async () => (await client.visits({ path: '/agent' })).length === 1, {
    condition: 'the agent visit is stored',
  });
  const [found, ...others] = await client.visits({ result: 'unknown_agent' });
  expect(others).toEqual([]);
  if (expected === null) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
  expect(await readOverview(client)).toEqual({ visits: 2, pages: ['/agent', '/person'] });
  const text = await exportVisits(client);
  expect(text.trim().split('\n')).toHaveLength(expected === null ? 1 : 2);
  expect(text.includes(ADDRESS)).toBe(mode === 'kept');
  expect(text.includes('accept-language')).toBe(mode === 'kept');
  // The agent's visit is stored in full.
  expect((await client.visits({ path: '/agent' }))[0]).toMatchObject({ client_address: '203.0.113.7' });
});

it('reduces visits by unknown visitors once the setting changes', async () => {
  const client = await createProject('kept');
  const url = `/projects/${client.target.projectId}`;
  let postedCount = 0;
  const recordAndReadMode = async (): Promise<string | undefined> => {
    const path = `/person/${(postedCount += 1)}/`;
    await client.post('/visits', visit(path, { request_headers: headers }));
    await until(async () => (await client.visits({ path })).length === 1, { condition: 'the visit is stored' });
    return (await client.visits({ path }))[0]!.kept_as;
  };
  expect(await recordAndReadMode()).toBeUndefined();
  await client.api(url, { method: 'PATCH', body: { unknown_visitors: 'reduced' } });
  await until(async () => (await recordAndReadMode()) === 'reduced', { condition: 'visits are reduced' });
  const rejected = await client.apiResponse(url, { method: 'PATCH', body: { unknown_visitors: 'none' } });
  expect(rejected.status).toBe(422);
});

it('omits unknown visitors from the stream if their visits are only counted', async () => {
  const client = await createProject('counted');
  const reader = await StreamReader.open(client, client.target.projectId!);
  await client.post('/visits', [browserVisit, visit('/streamed'), browserVisit, visit('/streamed-too')]);
  await until(() => reader.visits.length === 2, { condition: 'the agent visits arrive' });
  expect(reader.paths).toEqual(['/streamed', '/streamed-too']);
  reader.close();
});
