import { agentId } from '#libs/catalog';
import { PaymentsReportSchema, validator, type PaymentAgent, type PaymentsReport } from '#libs/contracts';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE_MS = 60_000;
const START = Date.parse('2026-11-20T08:00:00Z');
const RANGE = 'from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z';
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI', address: '203.0.113.5' };
const CHATGPT = { agent: 'ChatGPT-User', type: 'AI Assistant', operator: 'OpenAI', address: '198.51.100.7' };
const CLAUDEBOT = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

const schema = validator(
  JSON.parse(
    JSON.stringify(PaymentsReportSchema, (key, value: unknown) => (key === '$id' ? undefined : value)),
  ) as never,
);

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

interface Request extends Omit<StoredVisit, 'at'> {
  request?: Record<string, string>;
  response?: Record<string, string>;
}

const visit = (minute: number, { request, response, ...more }: Request): StoredVisit => ({
  at: new Date(START + minute * MINUTE_MS).toISOString(),
  path: '/article',
  status: 200,
  ...more,
  headers: { host: 'shop.example', ...request },
  extra: { response_headers: { 'content-type': 'text/html', ...response } },
});
const ask = (minute: number, more: Request = {}): StoredVisit =>
  visit(minute, { ...GPTBOT, status: 402, response: { 'crawler-price': 'USD 0.01' }, ...more });
const pay = (minute: number, more: Request = {}): StoredVisit =>
  visit(minute, {
    ...GPTBOT,
    request: { 'crawler-exact-price': 'USD 0.01' },
    response: { 'crawler-charged': 'USD 0.01' },
    ...more,
  });

async function createProject(visits: readonly StoredVisit[], settings: object = {}): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop', ...settings });
  await storeVisits(app.database.dataSource, body.id as string, NOW, visits);
  return body.id as string;
}

async function read(id: string, query = RANGE): Promise<PaymentsReport> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/payments?${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body as unknown as PaymentsReport;
}

const findAgent = (report: PaymentsReport, token: string | null, isSpoofed = false): PaymentAgent =>
  report.agents.find((agent) => agent.agent_token === token && agent.is_spoofed === isSpoofed)!;

it('counts who was asked, paid and walked away', async () => {
  const report = await read(
    await createProject([
      ask(0),
      pay(10),
      ask(0, { path: '/other' }),
      ask(5, { path: '/late' }),
      pay(66, { path: '/late' }),
      pay(70, { path: '/late', response: { 'crawler-error': 'PaymentFailed' }, status: 403 }),
      ask(0, { ...CHATGPT, response: {} }),
      visit(1, { ...CLAUDEBOT, request: { authorization: 'License [redacted]' } }),
      visit(2, { ...CLAUDEBOT, request: { authorization: 'Bearer [redacted]' } }),
    ]),
  );
  expect(report.total).toMatchObject({ asked: 4, walked_away: 3, paid: 2, licensed: 1, failed: 1, offered: 0 });
  expect(report.total.unasked).toEqual({ paid: 1, licensed: 1, failed: 1, offered: 0 });
  expect(report.bucket).toBe('15m');
  expect(report.series.filter(({ asked }) => asked > 0)).toEqual([
    { time: '2026-11-20T08:00:00.000Z', asked: 4, walked_away: 3, paid: 1, licensed: 0, offered: 0, failed: 0 },
  ]);
  expect(report.series.reduce((sum, { paid }) => sum + paid, 0)).toBe(1);
  expect(findAgent(report, 'GPTBot')).toMatchObject({
    agent_id: agentId('GPTBot'),
    is_user_triggered: false,
    asked: 3,
    walked_away: 2,
    paid: 2,
    failed: 1,
    paid_amounts: [{ currency: 'USD', amount: '0.02', visits: 2 }],
    unpaid_amounts: [{ currency: 'USD', amount: '0.02', visits: 2 }],
  });
  expect(findAgent(report, 'GPTBot').prices).toContainEqual({
    scheme: 'crawler',
    outcome: 'failed',
    amount: '0.01',
    currency: 'USD',
    alternatives: 0,
    error: 'PaymentFailed',
    visits: 1,
  });
  expect(findAgent(report, 'ChatGPT-User')).toMatchObject({ is_user_triggered: true, unpaid_without_amount: 1 });
});

it.each([
  ['exactly the visits with status 402', true, [ask(0), ask(1, { response: {} }), pay(2)]],
  ['a visit with another status', false, [ask(0), ask(1, { status: 503 })]],
  ['not a declined payment with status 402', false, [ask(0), ask(1, { request: { 'crawler-exact-price': 'USD 1' } })]],
])('reports whether `asked` counts %s', async (_, isAskedByStatus, visits) => {
  const report = await read(await createProject(visits));
  expect(findAgent(report, 'GPTBot').is_asked_by_status).toBe(isAskedByStatus);
});

it('counts each payment in the range in which the site asked for it', async () => {
  const id = await createProject([ask(0), pay(20), ask(21), pay(30, { path: '/unasked' })]);
  const split = new Date(START + 15 * MINUTE_MS).toISOString();
  const first = await read(id, `from=2026-11-20T00:00:00Z&to=${split}`);
  expect(first.total).toMatchObject({ asked: 1, walked_away: 0, paid: 1, unasked: { paid: 0 } });
  const second = await read(id, `from=${split}&to=2026-11-21T00:00:00Z`);
  expect(second.total).toMatchObject({ asked: 1, walked_away: 1, paid: 1, unasked: { paid: 1 } });
});

it('counts only the first attempt as the reaction to the newest of several requests to pay', async () => {
  const { total } = await read(await createProject([ask(0), ask(5), pay(10), pay(20)]));
  expect(total).toMatchObject({ asked: 2, walked_away: 0, paid: 2, unasked: { paid: 1 } });
});

it('counts agents as walked away once the time for an attempt is over', async () => {
  const minutes = (NOW - START) / MINUTE_MS;
  const id = await createProject([ask(minutes - 61, { path: '/a' }), ask(minutes - 59, { path: '/b' })]);
  const { total } = await read(id, `from=2026-11-21T00:00:00Z&to=${new Date(NOW).toISOString()}`);
  expect(total).toMatchObject({ asked: 2, walked_away: 1 });
});

it('adds up exact amounts by currency, at list prices', async () => {
  const asset = (network: string, contract: string, amount: string): Record<string, string> => ({
    'payment-required': JSON.stringify({
      x402Version: 2,
      accepts: [{ scheme: 'exact', network, asset: contract, amount }],
    }),
  });
  const visits = [
    ...Array.from({ length: 10 }, (_, index) =>
      ask(index, { path: `/${index}`, response: { 'crawler-price': 'USD 0.1' } }),
    ),
    ask(20, { response: { 'crawler-price': 'EUR 0.2' } }),
    ask(30, { path: '/x402', response: asset('eip155:8453', BASE_USDC, '10001') }),
    ask(31, { path: '/raw', response: asset('eip155:84532', '0xabc', '10001') }),
    ask(32, { path: '/plain', response: {} }),
  ];
  expect((await read(await createProject(visits))).total).toMatchObject({
    unpaid_amounts: [
      { currency: 'USD', amount: '1', visits: 10 },
      { currency: 'eip155:84532/0xabc', amount: '10001', visits: 1 },
      { currency: 'USDC', amount: '0.010001', visits: 1 },
      { currency: 'EUR', amount: '0.2', visits: 1 },
    ],
    unpaid_without_amount: 1,
  });
  const list_prices = [
    { currency: 'EUR', amount: '0.05' },
    { currency: 'USD', amount: '0.3' },
  ];
  expect((await read(await createProject(visits, { list_prices }))).total).toMatchObject({
    unpaid_amounts: [
      { currency: 'USD', amount: '3', visits: 10 },
      { currency: 'EUR', amount: '0.1', visits: 2 },
      { currency: 'eip155:84532/0xabc', amount: '10001', visits: 1 },
      { currency: 'USDC', amount: '0.010001', visits: 1 },
    ],
    unpaid_without_amount: 0,
  });
});

it('counts visits under another identity from the same address and network', async () => {
  const report = await read(
    await createProject([
      ask(0),
      ask(30, { path: '/b' }),
      visit(-1, { address: '203.0.113.5' }),
      visit(10, { address: '203.0.113.5' }),
      visit(40, { address: '203.0.113.9', path: '/c' }),
      visit(90, { address: '203.0.113.5', path: '/d' }),
      visit(91, { address: '203.0.113.5', path: '/e' }),
      visit(10, { address: '203.0.114.5' }),
      visit(15, { ...GPTBOT, path: '/f' }),
      visit(20, { ...CLAUDEBOT, address: '203.0.113.200' }),
      visit(20, { ...GPTBOT, result: 'verification_failed' }),
      ask(0, { ...CLAUDEBOT, address: '2001:db8:1:2::1' }),
      visit(5, { ...CHATGPT, address: '2001:db8:1:ffff::1' }),
      visit(5, { ...CHATGPT, address: '2001:db8:2::1' }),
      visit(0, { status: 402, address: '192.0.2.1' }),
      visit(5, { ...CHATGPT, address: '192.0.2.1' }),
    ]),
  );
  const { returns } = findAgent(report, 'GPTBot');
  expect(returns).toEqual([
    expect.objectContaining({ agent_id: null, address_visits: 2, network_visits: 3 }),
    expect.objectContaining({ agent_token: 'GPTBot', is_spoofed: true, address_visits: 1, network_visits: 1 }),
    expect.objectContaining({ agent_token: 'ClaudeBot', address_visits: 0, network_visits: 1 }),
  ]);
  expect(returns[0]).toMatchObject({ first_at: '2026-11-20T08:10:00.000Z' });
  expect(returns[0]!.visit_ids).toHaveLength(3);
  expect(findAgent(report, 'ClaudeBot').returns).toEqual([
    expect.objectContaining({ agent_token: 'ChatGPT-User', address_visits: 0, network_visits: 1 }),
  ]);
  expect(findAgent(report, null).returns).toEqual([]);
});

it('counts redirects to toll hosts, and those who only claim to be an agent separately', async () => {
  const redirect = (location: string): Request => ({ ...GPTBOT, status: 302, response: { location } });
  const visits = [
    visit(0, redirect('https://tolls.example/a')),
    visit(1, redirect('https://other.example/?to=//tolls.example/')),
    ask(2, { result: 'verification_failed' }),
  ];
  const report = await read(await createProject(visits, { toll_hosts: ['Tolls.example'] }));
  expect(findAgent(report, 'GPTBot').prices).toMatchObject([{ scheme: 'toll', outcome: 'asked', visits: 1 }]);
  expect(findAgent(report, 'GPTBot', true)).toMatchObject({ asked: 1 });
  expect((await read(await createProject(visits))).total).toMatchObject({ asked: 1 });
});

it('filters by agent, type, operator and path', async () => {
  const id = await createProject([ask(0), ask(1, CHATGPT), ask(2, { path: '/b' })]);
  const count = async (filter: string): Promise<number> => (await read(id, `${RANGE}&${filter}`)).total.asked;
  expect(await Promise.all(['agent=GPTBot', 'not_agent=GPTBot', 'operator=OpenAI', 'path=/b'].map(count))).toEqual([
    2, 1, 3, 1,
  ]);
  expect((await app.api('GET', `/projects/${id}/payments?${RANGE}&status=402`)).status).toBe(422);
});

it('validates toll hosts and list prices', async () => {
  const pointer = async (settings: object): Promise<unknown> =>
    (await app.api('POST', '/projects', { name: 'Shop', ...settings })).body.errors?.[0]?.pointer;
  expect(await pointer({ toll_hosts: ['https://a.example'] })).toBe('/toll_hosts/0');
  expect(await pointer({ list_prices: [{ currency: 'USD', amount: '1e3' }] })).toBe('/list_prices/0/amount');
  const prices = ['1', '2'].map((amount) => ({ currency: 'USD', amount }));
  expect(await pointer({ list_prices: prices })).toBe('/list_prices/1/currency');
});
