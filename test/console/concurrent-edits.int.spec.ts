import { CONSOLE_INTERFACE } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';

let app: App;
let id: string;

beforeAll(async () => {
  app = await App.start();
  ({ id } = (await app.api('POST', '/projects', { name: 'Shop' })).body);
});
afterAll(() => app?.dispose());

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function send(method: Method, path: string, body?: object, ifMatch?: string) {
  const response = await app.nest.inject({
    method,
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${app.apiKey}`,
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return {
    status: response.statusCode,
    etag: response.headers['etag'] as string | undefined,
    body: (response.payload === '' ? null : JSON.parse(response.payload)) as Json,
  };
}

const record = (operator: string): Json => ({
  token: 'Zyxbot',
  type: 'Fetcher',
  operator,
  url: null,
  user_agent_patterns: ['Zyxbot'],
  sample_user_agents: ['Zyxbot/1.0'],
  robots_token: 'Zyxbot',
  verification: {},
});

const assistant = (operator: string): Json => ({
  name: 'Zyxchat',
  operator,
  hosts: ['chat.zyx.example'],
  query_values: [],
  android_apps: [],
});

const mailServer = (host: string): Json => ({
  host,
  port: 587,
  security: 'starttls',
  user: null,
  from: 'alerts@example.com',
});

const refuseRule = (name: string): Json => ({
  id: '018f0000-0000-7000-8000-000000000001',
  name,
  mode: 'dry_run',
  action: { kind: 'refuse' },
});

/** Conflicting changes that two people make, by operation. */
const CONFLICTING_CHANGES: Record<
  string,
  () => { path: string; method: Method; changes: [object, object]; read?: string }
> = {
  changeProject: () => ({
    path: `/projects/${id}`,
    method: 'PATCH',
    changes: [{ name: 'Their shop' }, { name: 'My shop' }],
  }),
  changeDrainSettings: () => ({
    path: `/projects/${id}/drain-settings`,
    method: 'PATCH',
    changes: [{ allows_token_in_url: true }, { leaves_out_static_files: false }],
  }),
  changeAgent: () => ({ path: '/agents/Zyxbot', method: 'PUT', changes: [record('Theirs'), record('Mine')] }),
  saveRulesVersion: () => ({
    path: `/projects/${id}/rules-versions`,
    method: 'POST',
    changes: [
      { agent_types: ['Scraper'], format: 'text' },
      { agent_types: ['Fetcher'], format: 'text' },
    ],
  }),
  changePolicy: () => ({
    path: `/projects/${id}/policy`,
    method: 'PUT',
    changes: [{ rules: [] }, { rules: [refuseRule('Mine')] }],
  }),
  changeAssistant: () => ({
    path: '/assistants/Zyxchat',
    method: 'PUT',
    changes: [assistant('Theirs'), assistant('Mine')],
  }),
  removeAssistant: () => ({ path: '/assistants/Zyxchat', method: 'DELETE', changes: [assistant('Others'), {}] }),
  changeRetention: () => ({
    path: '/system/retention',
    method: 'PUT',
    changes: [{ days: 30 }, { unknown_days: 5 }],
  }),
  changeMailServer: () => ({
    path: '/system/mail-server',
    method: 'PUT',
    changes: [mailServer('theirs.example'), mailServer('mine.example')],
  }),
  removeAgent: () => ({ path: '/agents/Zyxbot', method: 'DELETE', changes: [record('Others'), {}] }),
};

it('tests every operation that checks versions', () => {
  const versionedOperationIds = CONSOLE_INTERFACE.operations
    .filter(({ version }) => version === 'change')
    .map((operation) => operation.id);
  expect(Object.keys(CONFLICTING_CHANGES).toSorted()).toEqual(versionedOperationIds.toSorted());
});

describe.each(Object.keys(CONFLICTING_CHANGES))('%s', (operation) => {
  it('accepts the first of two conflicting changes, and rejects the second with the current state', async () => {
    if (operation === 'changeAgent') await send('POST', '/agents', record('Nobody'));
    if (operation === 'changeAssistant') await send('POST', '/assistants', assistant('Nobody'));
    const { path, method, changes } = CONFLICTING_CHANGES[operation]!();
    const read = await send('GET', path);
    expect(read.etag).toMatch(/^"[\w-]{22}"$/);
    expect((await send('GET', path)).etag).toBe(read.etag);
    const [theirs, mine] = changes;
    const first = await send(method === 'DELETE' ? 'PUT' : method, path, theirs, read.etag);
    expect(first.status).toBeLessThan(300);
    const current = await send('GET', path);
    expect(current.etag).not.toBe(read.etag);
    // The response to the change contains the new version.
    if (first.status === 200) expect(first.etag).toBe(current.etag);

    const body = method === 'DELETE' ? undefined : mine;
    const second = await send(method, path, body, read.etag);
    expect([second.status, second.body.type, second.etag]).toEqual([
      412,
      '/docs/problems#precondition-failed',
      current.etag,
    ]);
    expect(second.body.current).toEqual(current.body);
    expect((await send('GET', path)).body).toEqual(current.body);

    expect((await send(method, path, body, `"other", ${current.etag}`)).status).toBeLessThan(300);
  });
});

describe('If-Match', () => {
  it('treats If-Match as optional, and accepts * for any version', async () => {
    expect((await send('PATCH', `/projects/${id}`, { name: 'A' })).status).toBe(200);
    expect((await send('PATCH', `/projects/${id}`, { name: 'B' }, '*')).status).toBe(200);
    const { etag } = await send('GET', `/projects/${id}`);
    expect((await send('PATCH', `/projects/${id}`, { name: 'C' }, 'W/"other"')).status).toBe(412);
    expect((await send('PATCH', `/projects/${id}`, { name: 'C' }, `W/${etag}x`)).status).toBe(412);
    expect((await send('PATCH', `/projects/${id}`, { name: 'C' }, '')).status).toBe(412);
  });

  it.each([
    ['nginx, Cloudflare and CloudFront', (tag: string) => `W/${tag}`],
    ['Apache', (tag: string) => tag.replace(/"$/, '-gzip"')],
    ['Caddy', (tag: string) => tag.replace(/"$/, '-zstd"')],
  ])('accepts the ETag from a response compressed by %s', async (_, compressed) => {
    const read = await send('GET', `/projects/${id}`);
    const changed = await send('PATCH', `/projects/${id}`, { name: 'Compressed' }, compressed(read.etag!));
    expect(changed.status).toBe(200);
    // Versions from before the latest change are still rejected.
    await send('PATCH', `/projects/${id}`, { name: 'Since' });
    expect((await send('PATCH', `/projects/${id}`, { name: 'Late' }, compressed(changed.etag!))).status).toBe(412);
  });

  it('accepts only one of many concurrent changes', async () => {
    const { etag } = await send('GET', `/projects/${id}`);
    const names = Array.from({ length: 10 }, (_, index) => `Racer ${index}`);
    const responses = await Promise.all(names.map((name) => send('PATCH', `/projects/${id}`, { name }, etag)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
    const winner = responses.find(({ status }) => status === 200)!.body.name;
    expect((await send('GET', `/projects/${id}`)).body.name).toBe(winner);
  });

  it("reveals nothing about resources that the caller can't access", async () => {
    const other = (await app.api('POST', '/projects', { name: 'Secret' })).body.id;
    const { key } = (await app.api('POST', '/api-keys', { project_ids: [id] })).body;
    const response = await app.nest.inject({
      method: 'PATCH',
      url: `/api/projects/${other}`,
      headers: { authorization: `Bearer ${key}`, 'if-match': '"other"', 'content-type': 'application/json' },
      payload: '{"name":"Taken over"}',
    });
    expect(response.statusCode).toBe(404);
    expect(response.payload).not.toContain('Secret');
  });
});
