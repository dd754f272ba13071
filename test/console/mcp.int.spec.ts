import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { App, type Json } from '../kit/app.js';
import '../kit/dispose-all.js';
import { until } from '../kit/instance.js';
import { storeVisits } from '../kit/stored-visits.js';

const NOW = Date.now();
const AT = new Date(NOW - 60_000).toISOString();
const GPTBOT = 'd71f20a7-654a-5091-93d7-c783f37c5200';

let app: App;
let ours: string;
let theirs: string;
let foreignVisitId: string;

beforeAll(async () => {
  app = await App.start();
  const project = async (name: string): Promise<string> => (await app.api('POST', '/projects', { name })).body.id;
  [ours, theirs] = [await project('Ours'), await project('secret-of-others')];
  const gptbot = { at: AT, agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
  const visits = Array.from({ length: 12 }, (_, index) => ({ ...gptbot, path: `/page/${index}` }));
  await storeVisits(app.database.dataSource, ours, NOW, [...visits, { at: AT, path: '/person' }]);
  await storeVisits(app.database.dataSource, theirs, NOW, [{ ...gptbot, path: '/secret-path' }]);
  foreignVisitId = (await app.api('GET', `/projects/${theirs}/visits`)).body.visits[0].id;
});

const createKey = async (...projects: string[]): Promise<string> =>
  (await app.api('POST', '/api-keys', { project_ids: projects })).body.key;

/** Implements `fetch` with `inject`, so no socket is needed. */
async function injectFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const response = await app.nest.inject({
    method: (init.method ?? 'GET') as 'POST',
    url: new URL(url).pathname,
    headers: Object.fromEntries(new Headers(init.headers)),
    payload: (init.body ?? undefined) as string,
  });
  const isEmpty = [202, 204].includes(response.statusCode);
  return new Response(isEmpty ? null : response.rawPayload, {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
  });
}

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: injectFetch,
    authProvider: { token: async () => key },
  });
  await client.connect(transport);
  return client;
}

it('lists only read-only tools with strict argument schemas', async () => {
  const client = await connect(await createKey(ours));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_projects',
    'get_overview',
    'get_news',
    'list_agents',
    'get_agent',
    'get_verification',
    'get_compliance',
    'get_disregarded',
    'get_referrals',
    'get_unlisted',
    'get_tools',
    'list_visits',
    'count_visits',
    'explain_visit',
  ]);
  for (const { name, description, annotations, inputSchema } of tools) {
    expect([name, annotations?.readOnlyHint, (description ?? '').length > 10]).toEqual([name, true, true]);
    expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
  }
});

it('returns the same data as the API operations', async () => {
  const client = await connect(await createKey(ours));
  const call = async (name: string, toolArguments: Json = {}): Promise<Json> => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: toolArguments });
    expect([name, isError ?? false]).toEqual([name, false]);
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
    const { untrusted_data: notice, ...response } = structuredContent as Json;
    expect(notice).toMatch(/come from visitors.*untrusted data/);
    return response;
  };
  const { projects } = await call('list_projects');
  expect(projects.map(({ name }: Json) => name)).toEqual(['Ours']);
  const project = { project_id: projects[0].id };
  expect((await call('list_visits', project)).visits).toHaveLength(10);
  const { visits } = await call('list_visits', { ...project, agent: ['GPTBot'], limit: 2, order: 'oldest' });
  expect(visits).toHaveLength(2);
  expect(await call('count_visits', { ...project, not_agent: ['GPTBot'] })).toEqual({ visits: 1, is_exact: true });
  const explained = await call('explain_visit', { ...project, visit_id: visits[0].id });
  expect(explained).toEqual(visits[0]);
  const { agents } = await call('list_agents', project);
  const agent = await call('get_agent', { ...project, agent_id: agents[0].agent_id });
  expect(agent.agent_token).toBe('GPTBot');
  const disregarded = await call('get_disregarded', { ...project, agent_id: agents[0].agent_id });
  expect(disregarded).toEqual({ lines: [], paths: [] });
  const reports = ['get_compliance', 'get_referrals', 'get_unlisted', 'get_tools'];
  for (const name of ['get_overview', 'get_news', 'get_verification', ...reports]) await call(name, project);
});

it('escapes invisible characters in visitor data', async () => {
  const name = 'Hidden';
  const project = (await app.api('POST', '/projects', { name })).body.id;
  const hidden = [
    '\u{e0049}\u{e0067}',
    '\u202e',
    '\u2066',
    '\u001b[2J',
    '\u009b1m',
    '\u200b',
    '\ufeff',
    '\u{e0100}',
    '\u3164',
    '\u0007',
    '\u2028',
  ];
  const { token } = (await app.api('POST', `/projects/${project}/tokens`, {})).body;
  const visit = {
    request_path: `/a${hidden.join('b')}`,
    request_method: 'GET',
    request_headers: { 'user-agent': `GPTBot/1.2 ${hidden.join('')}`, [`x-${hidden[0]}`]: hidden[1] },
    mcp_response_error_message: hidden.join('\n'),
  };
  const { status } = await app.send('POST', '/visits', visit, { authorization: `Bearer ${token}` });
  expect(status).toBe(204);
  const client = await connect(await createKey(project));
  const result = await until(
    async () => {
      const response = await client.callTool({ name: 'list_visits', arguments: { project_id: project } });
      return (response.structuredContent as Json).visits.length > 0 && response;
    },
    { condition: 'the visit is stored' },
  );
  const [{ id, visit: seen }] = (result.structuredContent as Json).visits;
  const explained = await client.callTool({ name: 'explain_visit', arguments: { project_id: project, visit_id: id } });
  for (const text of [JSON.stringify(result), JSON.stringify(explained)]) {
    for (const characters of hidden) expect(text.includes(JSON.stringify(characters).slice(1, -1))).toBe(false);
  }
  expect(seen.request_path).toContain('/a\\u{e0049}\\u{e0067}b\\u202e');
  expect(seen.request_headers['x-\\u{e0049}\\u{e0067}']).toBe('\\u202e');
});

it('explains invalid arguments', async () => {
  const client = await connect(await createKey(ours));
  const callForError = async (name: string, toolArguments: Json): Promise<string> => {
    const { isError, content } = await client.callTool({ name, arguments: toolArguments });
    expect(isError).toBe(true);
    return (content[0] as { text: string }).text;
  };
  expect(await callForError('list_visits', { project_id: ours, status: ['teapot'] })).toContain('status');
  expect(await callForError('list_visits', { project_id: ours, color: 'red' })).toContain('color');
  expect(await callForError('get_overview', {})).toMatch(/: project_id is required\. Call list_projects to find it\.$/);
  for (const name of ['get_agent', 'get_disregarded']) {
    expect(await callForError(name, { project_id: ours, agent_id: 'GPTBot' })).toMatch(
      /: agent_id must be a UUID.*\. Call list_agents to find it\.$/,
    );
  }
  expect(await callForError('get_overview', { project_id: '../..' })).toContain('project');
});

it("accepts read-only keys, which can't change anything", async () => {
  for (const projects of [{ project_ids: [ours] }, {}]) {
    const { key } = (await app.api('POST', '/api-keys', { ...projects, scopes: ['read'] })).body;
    const client = await connect(key);
    expect((await client.callTool({ name: 'get_overview', arguments: { project_id: ours } })).isError).toBeFalsy();
    const headers = { authorization: `Bearer ${key}` };
    const token = (await app.api('POST', `/projects/${ours}/tokens`, {})).body.id;
    expect((await app.send('GET', `/api/projects/${ours}/tokens/${token}`, undefined, headers)).status).toBe(403);
    expect((await app.send('PATCH', `/api/projects/${ours}`, { name: 'Taken' }, headers)).status).toBe(403);
    expect((await app.send('POST', '/api/projects', { name: 'Made' }, headers)).status).toBe(403);
  }
  // A read-only key isn't an admin key, so the last admin key still can't be revoked.
  const { api_keys: keys } = (await app.api('GET', '/api-keys')).body;
  const administering = keys.find((key: Json) => key.project_ids === null && key.scopes.includes('admin'));
  expect((await app.api('DELETE', `/api-keys/${administering.id}`)).status).toBe(409);
});

it("hides projects that the key can't access", async () => {
  const client = await connect(await createKey(ours));
  const { tools } = await client.listTools();
  for (const { name } of tools) {
    const response = await client.callTool({
      name,
      arguments: {
        ...(name !== 'list_projects' && { project_id: theirs }),
        ...(name === 'explain_visit' && { visit_id: foreignVisitId }),
        ...(['get_agent', 'get_disregarded'].includes(name) && { agent_id: GPTBOT }),
      },
    });
    expect([name, JSON.stringify(response).includes('secret')]).toEqual([name, false]);
    expect([name, response.isError ?? false]).toEqual([name, name !== 'list_projects']);
  }
  const { isError } = await client.callTool({
    name: 'explain_visit',
    arguments: { project_id: ours, visit_id: foreignVisitId },
  });
  expect(isError).toBe(true);
});

it('requires an API key and accepts only POST', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const send = async (method: 'POST' | 'GET' | 'DELETE', headers: Record<string, string>) =>
    (await app.send(method, '/mcp', method === 'POST' ? message : undefined, headers)).status;
  expect(await send('POST', {})).toBe(401);
  expect(await send('POST', { authorization: `Bearer ${app.accessToken}` })).toBe(401);
  const headers = { authorization: `Bearer ${app.apiKey}`, accept: 'application/json, text/event-stream' };
  expect(await send('POST', headers)).toBe(200);
  expect(await send('GET', headers)).toBe(405);
  expect(await send('DELETE', headers)).toBe(405);
});

it('responds to invalid messages with protocol errors', async () => {
  const headers = { authorization: `Bearer ${app.apiKey}`, accept: 'application/json, text/event-stream' };
  const [call, listen] = ['tools/list', 'subscriptions/listen'].map((method) => ({ jsonrpc: '2.0', id: 1, method }));
  for (const body of [{}, [], [call], listen, { jsonrpc: '2.0', id: 1, method: 'tools/none' }, 'x']) {
    const { status, text } = await app.send('POST', '/mcp', body, headers);
    expect([text, status < 500, text.includes('"error"')]).toEqual([text, true, true]);
  }
});
