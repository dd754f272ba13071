import { agentId } from '#libs/catalog';
import { createBatchId, ToolsReportSchema, validator, type ToolsReport } from '#libs/contracts';
import type { TSchema } from 'typebox';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { anonymizeCheckouts, storeVisits, rollUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const CHATGPT = { agent: 'ChatGPT-User', operator: 'OpenAI', result: 'verified' } as const;
const CLAUDE = { agent: 'Claude-User', operator: 'Anthropic', result: 'verified' } as const;
const RANGE = 'from=2026-11-20T00:00Z&to=2026-11-21T09:00Z';

const schema = validator(
  JSON.parse(
    JSON.stringify(ToolsReportSchema, (key, value: unknown) => (key === '$id' ? undefined : value)),
  ) as TSchema,
);

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

const createProject = async (): Promise<string> => (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
const store = (id: string, visits: readonly StoredVisit[], batch = createBatchId(NOW)): Promise<void> =>
  storeVisits(app.database.dataSource, id, NOW, visits, batch);
async function readOnce(id: string, range = RANGE): Promise<ToolsReport> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/tools?${range}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body as ToolsReport;
}
/** Reads the report before, during and after the roll-up of counts, and expects the same result each time. */
async function read(id: string): Promise<ToolsReport> {
  const first = await readOnce(id);
  for (const now of [NOW - 12 * 3_600_000, NOW + 86_400_000]) {
    await rollUpCounts(app.database.dataSource, now);
    expect(await readOnce(id)).toEqual(first);
  }
  return first;
}

interface CallOptions extends Partial<StoredVisit> {
  client?: [name: string, version: string];
  duration?: number;
}
const createCall = (tool: string, { client, duration, extra, ...visit }: CallOptions = {}): StoredVisit => ({
  at: '2026-11-20T10:00Z',
  path: '/mcp',
  method: 'POST',
  ...visit,
  extra: {
    mcp_request_method: 'tools/call',
    mcp_request_tool_name: tool,
    ...(client && { mcp_request_client_info_name: client[0], mcp_request_client_info_version: client[1] }),
    ...(duration !== undefined && { response_duration_in_milliseconds: duration }),
    ...extra,
  },
});
const repeat = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const getCaller = ({ tool, agent_token, is_spoofed, calls }: ToolsReport['callers'][number]) =>
  [tool, agent_token, is_spoofed, calls] as const;

describe('tool calls', () => {
  it('counts calls by tool, caller, client and error', async () => {
    const id = await createProject();
    await store(id, [
      ...repeat(3, createCall('search', { ...CHATGPT, client: ['openai-mcp', '1.0.0'], duration: 100 })),
      createCall('search', { ...CHATGPT, client: ['openai-mcp', '1.1.0'], duration: 2_000 }),
      ...repeat(2, createCall('search', { ...CLAUDE, extra: { mcp_response_result_is_error: true } })),
      createCall('search', { ...CHATGPT, result: 'verification_failed' }),
      createCall('buy', { at: '2026-11-21T08:20Z', extra: { mcp_response_error_code: -32603 } }),
      createCall('buy', { status: 503 }),
      { at: '2026-11-20T10:00Z', extra: { mcp_request_method: 'tools/list' } },
      { at: '2026-11-20T10:00Z' },
      createCall('search', { at: '2026-11-19T10:00Z' }),
    ]);
    const report = await read(id);
    expect(report.tools).toEqual([
      { tool: 'search', calls: 7, errors: 2, callers: 3, clients: 2, p50_ms: 98.7, p95_ms: 1_880, timed_calls: 4 },
      { tool: 'buy', calls: 2, errors: 2, callers: 1, clients: 0, p50_ms: null, p95_ms: null, timed_calls: 0 },
    ]);
    expect(report.unknown_tools).toEqual([]);
    expect(report.errors).toEqual([
      { method: 'tools/call', tool: 'search', fault: 'tool', code: null, calls: 2 },
      { method: 'tools/call', tool: 'buy', fault: 'http', code: 503, calls: 1 },
      { method: 'tools/call', tool: 'buy', fault: 'protocol', code: -32603, calls: 1 },
    ]);
    expect(report.callers.map(getCaller)).toEqual([
      ['search', 'ChatGPT-User', false, 4],
      ['buy', null, false, 2],
      ['search', 'Claude-User', false, 2],
      ['search', null, true, 1],
    ]);
    expect(report.callers[0]).toMatchObject({ agent_id: agentId('ChatGPT-User'), operator_name: 'OpenAI' });
    expect(report.clients).toEqual([
      { client_name: '', client_version: '', calls: 5, tools: 2 },
      { client_name: 'openai-mcp', client_version: '1.0.0', calls: 3, tools: 1 },
      { client_name: 'openai-mcp', client_version: '1.1.0', calls: 1, tools: 1 },
    ]);
    expect(report.series.filter(({ calls }) => calls > 0)).toEqual([
      { time: '2026-11-20T10:00:00.000Z', calls: 8, errors: 3 },
      { time: '2026-11-21T08:00:00.000Z', calls: 1, errors: 1 },
    ]);
  });

  it('counts resources, prompts and other methods, and their errors', async () => {
    const id = await createProject();
    const createRequest = (method: string, name: string | null, extra: object = {}): StoredVisit =>
      createCall('', { extra: { mcp_request_method: method, mcp_request_tool_name: name, ...extra } });
    await store(id, [
      ...repeat(3, createRequest('resources/read', 'file:///a.md')),
      createRequest('resources/read', 'file:///a.md', { mcp_response_error_code: -32_602 }),
      ...repeat(2, createRequest('prompts/get', 'summarize')),
      createRequest('tasks/get', null, { mcp_response_error_code: -32_601, response_status_code: 404 }),
      createRequest('tools/list', null, { mcp_response_error_code: -32_022, response_status_code: 400 }),
    ]);
    const report = await read(id);
    expect(report.requests).toEqual([
      { method: 'resources/read', name: 'file:///a.md', requests: 4, errors: 1 },
      { method: 'prompts/get', name: 'summarize', requests: 2, errors: 0 },
      { method: 'tasks/get', name: '', requests: 1, errors: 1 },
      { method: 'tools/list', name: '', requests: 1, errors: 1 },
    ]);
    expect(report.errors).toEqual([
      { method: 'resources/read', tool: 'file:///a.md', fault: 'protocol', code: -32_602, calls: 1 },
      { method: 'tasks/get', tool: '', fault: 'protocol', code: -32_601, calls: 1 },
      { method: 'tools/list', tool: '', fault: 'protocol', code: -32_022, calls: 1 },
    ]);
    expect(report.tools).toEqual([]);
  });

  it('counts requests by protocol version, agent and client', async () => {
    const id = await createProject();
    const version = (name: string) => ({ mcp_request_protocol_version: name });
    await store(id, [
      ...repeat(2, createCall('search', { ...CHATGPT, client: ['openai-mcp', '1.0'], extra: version('2025-11-25') })),
      createCall('search', { ...CHATGPT, extra: version('2026-07-28') }),
      { at: '2026-11-20T10:00Z', method: 'POST', extra: version('2025-11-25') },
    ]);
    const { versions } = await read(id);
    const toRow = (row: ToolsReport['versions'][number]) => [
      row.version,
      row.agent_token,
      row.client_name,
      row.requests,
    ];
    expect(versions.map(toRow)).toEqual([
      ['2025-11-25', 'ChatGPT-User', 'openai-mcp', 2],
      ['2025-11-25', null, '', 1],
      ['2026-07-28', 'ChatGPT-User', '', 1],
    ]);
  });

  it('distinguishes unknown tools from invalid arguments', async () => {
    const id = await createProject();
    const invalidParams = { extra: { mcp_response_error_code: -32602 } };
    await store(id, [
      ...repeat(2, createCall('search_prodcuts', invalidParams)),
      createCall('search_prodcuts', { extra: { mcp_response_error_code: -32601 } }),
      createCall('search', invalidParams),
      createCall('search'),
    ]);
    const report = await read(id);
    expect(report.unknown_tools).toEqual([{ tool: 'search_prodcuts', calls: 3 }]);
    expect(report.tools).toMatchObject([{ tool: 'search', calls: 2, errors: 1 }]);
  });

  it('limits the number and length of tool names', async () => {
    const id = await createProject();
    const uniqueCalls = Array.from({ length: 1_200 }, (_, index) => createCall(`tool ${index} ${'x'.repeat(1_000)}`));
    await store(id, [...repeat(3, createCall('search')), ...uniqueCalls, ...repeat(2, createCall('search'))]);
    const report = await readOnce(id);
    expect(report.series.reduce((sum, { calls }) => sum + calls, 0)).toBe(1_205);
    expect(report.tools[0]).toMatchObject({ tool: 'search', calls: 5 });
    expect(report.tools).toHaveLength(500);
    expect(Math.max(...report.tools.map(({ tool }) => tool.length))).toBe(200);
  });

  it('counts a redelivered batch of tool calls only once', async () => {
    const id = await createProject();
    const batch = createBatchId(NOW);
    for (const _ of [1, 2]) await store(id, [createCall('search', { duration: 5 }), createCall('search')], batch);
    expect((await read(id)).tools).toMatchObject([{ calls: 2, timed_calls: 1 }]);
  });
});

const createSession = (number: number, status: string, total: number | null = 1_000, currency = 'eur') => ({
  id: `session_${number}`,
  status,
  currency,
  buyer: { email: 'ada@example.com' },
  totals: total === null ? [] : [{ type: 'total', amount: total }],
});
const createAcpVisit = (at: string, body: object, visit: Partial<StoredVisit> = CHATGPT): StoredVisit => ({
  at: `2026-11-20T${at}Z`,
  ...visit,
  extra: { acp_response_body: body },
});

describe('checkouts', () => {
  it('counts each checkout once, by its newest state', async () => {
    const id = await createProject();
    await store(id, [
      createAcpVisit('10:00', createSession(1, 'not_ready_for_payment', 500)),
      createAcpVisit('10:01', createSession(1, 'ready_for_payment', 900)),
      createAcpVisit('10:02', createSession(1, 'completed', 1_000)),
      createAcpVisit('10:00', createSession(2, 'completed', 250, 'usd'), CLAUDE),
      createAcpVisit('10:00', createSession(3, 'ready_for_payment')),
      createAcpVisit('10:00', createSession(4, 'canceled', null)),
      {
        at: '2026-11-20T10:00Z',
        ...CHATGPT,
        result: 'verification_failed',
        extra: { ucp_response_body: createSession(1, 'incomplete') },
      },
      { at: '2026-11-20T10:00Z', extra: { ucp_response_body: { ucp: { status: 'error' } } } },
    ]);
    const report = await read(id);
    expect(report.checkouts).toMatchObject([
      { protocol: 'acp', state: 'canceled', currency: 'EUR', checkouts: 1, total: null, minor_digits: 2 },
      { protocol: 'acp', state: 'completed', currency: 'EUR', checkouts: 1, total: 1_000, minor_digits: 2 },
      { protocol: 'acp', state: 'completed', currency: 'USD', checkouts: 1, total: 250, minor_digits: 2 },
      { protocol: 'acp', state: 'ready_for_payment', currency: 'EUR', checkouts: 1, total: 1_000, minor_digits: 2 },
      { protocol: 'ucp', state: 'incomplete', currency: 'EUR', checkouts: 1, total: 1_000, minor_digits: 2 },
    ]);
    expect(
      report.buyers.map((buyer) => [
        buyer.protocol,
        buyer.agent_token,
        buyer.is_spoofed,
        buyer.checkouts,
        buyer.completed,
      ]),
    ).toEqual([
      ['acp', 'ChatGPT-User', false, 3, 1],
      ['acp', 'Claude-User', false, 1, 1],
      ['ucp', null, true, 1, 0],
    ]);
  });

  it('returns the same checkouts even if visits arrive in another order or repeatedly', async () => {
    const visits = [
      createAcpVisit('10:00', createSession(1, 'not_ready_for_payment', 500)),
      createAcpVisit('10:01', createSession(1, 'ready_for_payment', 900)),
      createAcpVisit('10:02', createSession(1, 'completed', 1_000), CLAUDE),
    ];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const id = await createProject();
      for (const index of order) {
        const batch = createBatchId(NOW);
        for (const _ of [1, 2]) await store(id, [visits[index]!], batch);
      }
      const report = await readOnce(id);
      expect(report.checkouts).toMatchObject([
        { protocol: 'acp', state: 'completed', currency: 'EUR', checkouts: 1, total: 1_000, minor_digits: 2 },
      ]);
      expect(report.buyers).toMatchObject([{ agent_token: 'Claude-User', checkouts: 1, completed: 1 }]);
    }
  });

  it('stores checkouts correctly when statements run concurrently', async () => {
    const id = await createProject();
    const visits = Array.from({ length: 60 }, (_, index) =>
      createAcpVisit(
        `10:${String(index).padStart(2, '0')}`,
        createSession(index % 3, index < 57 ? 'incomplete' : 'completed'),
      ),
    );
    await Promise.all(visits.map((visit) => store(id, [visit, visits[0]!])));
    expect((await readOnce(id)).checkouts).toMatchObject([
      { protocol: 'acp', state: 'completed', currency: 'EUR', checkouts: 3, total: 3_000, minor_digits: 2 },
    ]);
  });

  it('returns the number of minor digits for each currency', async () => {
    const id = await createProject();
    await store(id, [
      createAcpVisit('10:00', createSession(1, 'completed', 1_000, 'jpy')),
      createAcpVisit('10:00', createSession(2, 'completed', 1_000, 'huf')),
      createAcpVisit('10:00', createSession(3, 'completed', 1_000, 'kwd')),
      createAcpVisit('10:00', { ...createSession(4, 'completed'), currency: 'dollars' }),
    ]);
    const { checkouts } = await readOnce(id);
    expect(checkouts.map((row) => [row.currency, row.total, row.minor_digits])).toEqual([
      ['HUF', 1_000, 2],
      ['JPY', 1_000, 0],
      ['KWD', 1_000, 3],
      [null, null, 0],
    ]);
  });

  it('counts a checkout in the range in which it started', async () => {
    const id = await createProject();
    await store(id, [
      createAcpVisit('10:00', createSession(1, 'incomplete')),
      createAcpVisit('18:00', createSession(1, 'completed')),
    ]);
    const readStates = async (range: string) => (await readOnce(id, range)).checkouts.map(({ state }) => state);
    expect(await readStates('from=2026-11-20T09:00Z&to=2026-11-20T11:00Z')).toEqual(['completed']);
    expect(await readStates('from=2026-11-20T17:00Z&to=2026-11-20T19:00Z')).toEqual([]);
  });

  it("doesn't store buyer data, and preserves counts when checkouts are anonymized", async () => {
    const id = await createProject();
    await store(id, [createAcpVisit('10:00', createSession(1, 'completed'))]);
    const rows = () => app.database.dataSource.query(`SELECT * FROM checkouts WHERE project_id = $1`, [id]);
    const [before] = await rows();
    expect(JSON.stringify(before)).not.toMatch(/ada@|example|session_1/);
    const report = await readOnce(id);
    expect(report.checkouts).toMatchObject([{ last_visit_id: before.visit_id }]);
    await anonymizeCheckouts(app.database.dataSource, 10_000);
    expect(await rows()).toEqual([before]);
    await anonymizeCheckouts(app.database.dataSource, -10_000);
    const [after] = await rows();
    expect([after.visit_id, after.id === before.id]).toEqual([null, false]);
    const checkouts = report.checkouts.map((row) => ({ ...row, last_visit_id: null }));
    expect(await readOnce(id)).toEqual({ ...report, checkouts });
  });
});

it('reports whether a project has MCP or checkout visits, and whether it has payments', async () => {
  const ids = [await createProject(), await createProject(), await createProject(), await createProject()];
  await store(ids[0]!, [{ at: '2026-11-20T10:00Z' }]);
  await store(ids[1]!, [{ at: '2026-10-01T10:00Z', extra: { mcp_request_method: 'initialize' } }]);
  await store(ids[2]!, [{ at: '2026-11-20T10:00Z', extra: { acp_response_body: {} } }]);
  await store(ids[3]!, [{ at: '2026-11-20T10:00Z', agent: 'GPTBot', type: 'AI Data Scraper', status: 402 }]);
  await rollUpCounts(app.database.dataSource, NOW + 86_400_000);
  const { summaries } = (await app.api('GET', '/project-summaries')).body;
  const found = ids.map((id) => summaries.find((one: { project_id: string }) => one.project_id === id));
  expect(found.map(({ has_tools: hasTools }) => hasTools)).toEqual([false, true, true, false]);
  expect(found.map(({ has_payments: hasPayments }) => hasPayments)).toEqual([false, false, false, true]);
});

it('returns empty lists for a range without tool calls or checkouts', async () => {
  const id = await createProject();
  const report = await readOnce(id);
  expect(report).toMatchObject({ tools: [], unknown_tools: [], errors: [], callers: [], checkouts: [], buyers: [] });
  expect((await app.api('GET', `/projects/${id}/tools?from=2026-11-21&to=2026-11-20`)).status).toBe(422);
});
