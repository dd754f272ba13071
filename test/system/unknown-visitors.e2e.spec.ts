import { BROWSER, Client, visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { StreamReader } from '../kit/stream.js';
import { systemUnderTest } from './target.js';

const ADDRESS = '198.51.100.23';
let instance: Client;

beforeAll(async () => {
  instance = await systemUnderTest('Unknown visitors');
});

async function projectOf(mode: string): Promise<Client> {
  const body = { name: `Unknown visitors ${mode}`, unknown_visitors: mode };
  const { id } = await instance.api<{ id: string }>('/projects', { method: 'POST', body });
  const { token } = await instance.api<{ token: string }>(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  return new Client({ ...instance.target, projectId: id, accessToken: token });
}

const headers = { 'user-agent': BROWSER, 'x-forwarded-for': ADDRESS, 'accept-language': 'de' };
const person = visit('/person?page=2', { request_headers: headers });

const overview = async (client: Client): Promise<{ visits: number; pages: string[] }> => {
  const { current, top_pages: pages } = await client.api<{
    current: { visits: number };
    top_pages: { path: string }[];
  }>(`/projects/${client.target.projectId}/overview`);
  return { visits: current.visits, pages: pages.map(({ path }) => path).toSorted() };
};

const exported = async (client: Client): Promise<string> => {
  const response = await client.apiResponse(`/projects/${client.target.projectId}/visits/export?format=ndjson`);
  return response.text();
};

it.each([
  ['kept', { client_address: ADDRESS, visit: person }],
  [
    'reduced',
    {
      client_address: null,
      kept_as: 'reduced',
      visit: { request_path: '/person?page=2', request_headers: { 'user-agent': BROWSER } },
    },
  ],
  ['counted', null],
])('records unknown visitors once if they are %s, despite repeated batches', async (mode, expected) => {
  const client = await projectOf(mode);
  const key = crypto.randomUUID();
  for (let time = 0; time < 2; time += 1) {
    const answer = await client.post('/visits', [person, visit('/agent')], { headers: { 'idempotency-key': key } });
    expect(answer.status).toBe(204);
  }
  await until(async () => (await client.visits({ path: '/agent' })).length === 1, { what: 'the agent is stored' });
  const [found, ...others] = await client.visits({ result: 'unknown_agent' });
  expect(others).toEqual([]);
  if (expected === null) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
  expect(await overview(client)).toEqual({ visits: 2, pages: ['/agent', '/person'] });
  const text = await exported(client);
  expect(text.trim().split('\n')).toHaveLength(expected === null ? 1 : 2);
  expect(text.includes(ADDRESS)).toBe(mode === 'kept');
  expect(text.includes('accept-language')).toBe(mode === 'kept');
  // The agent's visit is stored in full.
  expect((await client.visits({ path: '/agent' }))[0]).toMatchObject({ client_address: '203.0.113.7' });
});

it('reduces unknown visitors as soon as the setting changes', async () => {
  const client = await projectOf('kept');
  const url = `/projects/${client.target.projectId}`;
  let posted = 0;
  const last = async (): Promise<string | undefined> => {
    const path = `/person/${(posted += 1)}/`;
    await client.post('/visits', visit(path, { request_headers: headers }));
    await until(async () => (await client.visits({ path })).length === 1, { what: 'it is stored' });
    return (await client.visits({ path }))[0]!.kept_as;
  };
  expect(await last()).toBeUndefined();
  await client.api(url, { method: 'PATCH', body: { unknown_visitors: 'reduced' } });
  await until(async () => (await last()) === 'reduced', { what: 'visits are reduced' });
  const refused = await client.apiResponse(url, { method: 'PATCH', body: { unknown_visitors: 'none' } });
  expect(refused.status).toBe(422);
});

it('omits unknown visitors from the stream if they are only counted', async () => {
  const client = await projectOf('counted');
  const reader = await StreamReader.open(client, client.target.projectId!);
  await client.post('/visits', [person, visit('/streamed'), person, visit('/streamed-too')]);
  await until(() => reader.visits.length === 2, { what: 'those of agents arrive' });
  expect(reader.paths).toEqual(['/streamed', '/streamed-too']);
  reader.close();
});
