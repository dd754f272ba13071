import { VERDICT_HEADERS } from '#libs/contracts';
import { App, type TestResponse, type Json } from '../kit/app.js';
import { BROWSER, GOOGLEBOT } from '../kit/client.js';
import { until } from '../kit/instance.js';

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
/** Address in a range that Google publishes for Googlebot. */
const GOOGLE_ADDRESS = '66.249.66.1';
const PRIVATE_PATH_RULES = { agent_types: ['AI Data Scraper', 'Scraper'], disallow: '/private/', format: 'blocks' };

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app?.dispose());

interface Project {
  id: string;
  token: string;
}

async function createProject(): Promise<Project> {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  return { id, token: (await app.api('POST', `/projects/${id}/tokens`, {})).body.token };
}

/** Sends the subrequest that nginx's `auth_request` would send. */
const sendSubrequest = (
  { token }: Project,
  userAgent: string,
  headers: Record<string, string> = {},
  query = '',
): Promise<TestResponse> =>
  app.send('GET', `/agent-verifications/forward${query}`, undefined, {
    authorization: `Bearer ${token}`,
    'user-agent': userAgent,
    'x-forwarded-for': '198.51.100.7',
    'x-original-uri': '/private/a',
    ...headers,
  });

async function saveRules({ id, token }: Project, rules: Json, status: number, userAgent = GPTBOT): Promise<void> {
  expect((await app.api('POST', `/projects/${id}/rules-versions`, rules)).status).toBe(201);
  await until(async () => (await sendSubrequest({ id, token }, userAgent)).status === status, {
    condition: 'the rules take effect',
  });
}

const getVerdictHeaders = ({ headers }: TestResponse): unknown[] =>
  Object.keys(VERDICT_HEADERS).map((name) => headers[name.toLowerCase()]);

it('identifies visitors and allows every request if no rules are saved', async () => {
  const shop = await createProject();
  const verified = await sendSubrequest(shop, GOOGLEBOT, { 'x-forwarded-for': `1.1.1.1, ${GOOGLE_ADDRESS}` });
  expect([verified.status, verified.text]).toEqual([204, '']);
  expect(getVerdictHeaders(verified)).toEqual(['verified', 'Googlebot', 'Search Engine Crawler', 'Google']);
  const spoofed = await sendSubrequest(shop, GPTBOT);
  expect([spoofed.status, ...getVerdictHeaders(spoofed)]).toEqual([
    204,
    'not_verifiable',
    'GPTBot',
    'AI Data Scraper',
    'OpenAI',
  ]);
  const person = await sendSubrequest(shop, BROWSER);
  expect([person.status, ...getVerdictHeaders(person)]).toEqual([204, 'unknown_agent', '-', '-', '-']);
});

it('trusts only the address header configured for the project', async () => {
  const shop = await createProject();
  const forgedHeaders = {
    'x-real-ip': '192.0.2.1',
    forwarded: `for=${GOOGLE_ADDRESS}`,
    'cf-connecting-ip': GOOGLE_ADDRESS,
  };
  const getResult = async (address: string) =>
    getVerdictHeaders(await sendSubrequest(shop, GOOGLEBOT, { ...forgedHeaders, 'x-forwarded-for': address }))[0];
  expect([await getResult('198.51.100.7'), await getResult(GOOGLE_ADDRESS)]).toEqual(['not_verifiable', 'verified']);
  await app.api('PATCH', `/projects/${shop.id}`, { trusted_proxies: { header: 'cf-connecting-ip' } });
  await until(async () => (await getResult('198.51.100.7')) === 'verified', { condition: 'the header is trusted' });
});

it("applies the project's newest rules as soon as they are saved", async () => {
  const [shop, other] = [await createProject(), await createProject()];
  expect((await sendSubrequest(shop, GPTBOT)).status).toBe(204);
  await saveRules(shop, PRIVATE_PATH_RULES, 403);
  const blocked = await sendSubrequest(shop, GPTBOT);
  expect(blocked.body).toMatchObject({ type: '/docs/problems#agent-refused', status: 403 });
  expect(getVerdictHeaders(blocked)).toEqual(['not_verifiable', 'GPTBot', 'AI Data Scraper', 'OpenAI']);
  const statuses = async (...asked: Promise<TestResponse>[]) => (await Promise.all(asked)).map(({ status }) => status);
  expect(
    await statuses(
      sendSubrequest(shop, GPTBOT, { 'x-original-uri': '/' }),
      sendSubrequest(shop, GPTBOT, { 'x-original-uri': '/robots.txt' }),
      sendSubrequest(shop, GOOGLEBOT),
      sendSubrequest(shop, BROWSER),
      sendSubrequest(other, GPTBOT),
    ),
  ).toEqual([204, 204, 204, 204, 204]);
  // Caddy and Traefik set X-Forwarded-Uri and nginx sets X-Original-URI. Visitors can forge the other header.
  const forwardedUriHeaders = { 'x-original-uri': '', 'x-forwarded-uri': '/private/a' };
  expect(
    await statuses(
      sendSubrequest(shop, GPTBOT, forwardedUriHeaders),
      sendSubrequest(shop, GPTBOT, { ...forwardedUriHeaders, 'x-original-uri': '/robots.txt' }),
      sendSubrequest(shop, GPTBOT, { 'x-forwarded-uri': '/robots.txt' }),
    ),
  ).toEqual([403, 403, 403]);

  await saveRules(shop, { ...PRIVATE_PATH_RULES, excluded_agent_tokens: ['gptbot'] }, 204);
  await saveRules(shop, { agent_types: ['AI Data Scraper'], format: 'nginx-map' }, 403);
  expect((await sendSubrequest(shop, GPTBOT, { 'x-original-uri': '/' })).status).toBe(403);
});

it('blocks agents by behavior, regardless of their type', async () => {
  const shop = await createProject();
  await saveRules(shop, { agent_types: [], agent_behaviors: ['training'], format: 'text' }, 403);
  expect((await sendSubrequest(shop, GOOGLEBOT)).status).toBe(403);
  expect((await sendSubrequest(shop, 'Twitterbot/1.0')).status).toBe(204);
  const excluded = {
    agent_types: [],
    agent_behaviors: ['training'],
    excluded_agent_tokens: ['Googlebot'],
    format: 'text',
  };
  await saveRules(shop, excluded, 204, GOOGLEBOT);
  expect((await sendSubrequest(shop, GPTBOT)).status).toBe(403);
});

it('blocks single agents, by their token or robots.txt token', async () => {
  const shop = await createProject();
  await saveRules(shop, { agent_types: [], agent_tokens: ['gptbot', 'exabot'], format: 'blocks' }, 403, GPTBOT);
  expect((await sendSubrequest(shop, 'Mozilla/5.0 (compatible; Exabot/3.0)')).status).toBe(403);
  expect((await sendSubrequest(shop, GOOGLEBOT)).status).toBe(204);
});

it('matches excluded agents by their robots.txt token', async () => {
  const shop = await createProject();
  const exabot = 'Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)';
  const { headers } = await sendSubrequest(shop, exabot);
  expect(headers['agent-traffic-agent']).toBe('Exabot (Exalead)');
  const rules = { agent_types: [headers['agent-traffic-type']], format: 'blocks' };
  await saveRules(shop, rules, 403, exabot);
  await saveRules(shop, { ...rules, excluded_agent_tokens: ['exabot'] }, 204, exabot);
});

it('blocks agents by verification result if the proxy requests it', async () => {
  const shop = await createProject();
  const { body: spoofed } = await app.api('POST', '/test-visits', { url: 'https://other.example/' });
  const cases: [Record<string, string>, string, number][] = [
    [spoofed.headers, '?refuse=verification_failed', 403],
    [spoofed.headers, '?refuse=not_verifiable', 204],
    [{ 'user-agent': 'curl/8.5.0' }, '?refuse=verification_failed', 204],
    [{ 'user-agent': 'curl/8.5.0' }, '?refuse=verification_failed&refuse=not_verifiable', 403],
    [{}, '?refuse=verification_failed&refuse=not_verifiable', 204],
    [{}, '?refuse=unknown_agent', 422],
    [{}, '?other=1', 204],
  ];
  for (const [headers, query, status] of cases) {
    const response = await sendSubrequest(shop, BROWSER, { host: 'shop.example', ...headers }, query);
    expect([headers, query, response.status]).toEqual([headers, query, status]);
  }
  for (const path of ['/robots.txt', '/.well-known/security.txt']) {
    const exempt = { ...spoofed.headers, 'x-original-uri': path };
    expect((await sendSubrequest(shop, BROWSER, exempt, '?refuse=verification_failed')).status).toBe(204);
  }
});

it('verifies a signature against the host that the visitor requested', async () => {
  const shop = await createProject();
  const { body: visit } = await app.api('POST', '/test-visits', { url: 'https://shop.example/private/a' });
  const getResult = async (headers: Record<string, string>) =>
    (await sendSubrequest(shop, '', { ...visit.headers, ...headers })).headers['agent-traffic-result'];
  expect(await getResult({ 'x-forwarded-host': 'shop.example', host: 'agent_traffic' })).toBe('verified');
  expect(await getResult({ host: 'shop.example' })).toBe('verified');
  expect(await getResult({ 'x-forwarded-host': 'other.example', host: 'shop.example' })).toBe('verification_failed');
});

it('percent-encodes non-ASCII operator names in response headers', async () => {
  const { headers } = await sendSubrequest(
    await createProject(),
    'Mozilla/5.0 (compatible; coccocbot-web/1.0; +http://help.coccoc.com/)',
  );
  expect(headers['agent-traffic-operator']).toBe('C%E1%BB%91c C%E1%BB%91c');
});

it('lists requests without a required header as rejected, but not requests from blocked agents', async () => {
  const shop = await createProject();
  await saveRules(shop, PRIVATE_PATH_RULES, 403);
  const missing = await sendSubrequest(shop, GPTBOT, { 'x-original-uri': '' });
  expect([missing.status, missing.body.detail]).toEqual([422, expect.stringContaining('X-Original-URI')]);
  const rejectedRequests = await until(
    async () => {
      const { body } = await app.api('GET', `/projects/${shop.id}/refused-requests`);
      return body.refused_requests.length > 0 && body.refused_requests;
    },
    { condition: 'the request is listed' },
  );
  expect(rejectedRequests.map(({ status, path }: Json) => [status, path])).toEqual([
    [422, '/agent-verifications/forward'],
  ]);
});

it('requires a token, rejects POST requests and records no visits', async () => {
  const shop = await createProject();
  expect((await sendSubrequest({ ...shop, token: 'agt_unknown' }, GPTBOT)).status).toBe(401);
  expect((await app.post('/agent-verifications/forward', {})).status).toBe(405);
  await sendSubrequest(shop, GPTBOT);
  expect((await app.api('GET', `/projects/${shop.id}/visits`)).body.visits).toEqual([]);
});

/** Headers that a visitor sends and the proxy passes on. */
const HOSTILE_HEADERS: [string, Record<string, string>][] = [
  ['invalid UTF-8', { 'x-original-uri': '/\u00ff\u00fe\u0080' }],
  ['percent signs without hex digits', { 'x-original-uri': `/${'%'.repeat(6_000)}` }],
  ['thousands of parent folders', { 'x-original-uri': `/${'/..'.repeat(3_000)}/private/` }],
  ['an encoded line break', { 'x-original-uri': '/%0d%0aSet-Cookie:%20a=b' }],
  ['a truncated URL', { 'x-original-uri': 'http://[::1' }],
  ['backslashes', { 'x-original-uri': '\\\\private\\a' }],
  [
    'a javascript: URL and an invalid host',
    { 'x-forwarded-uri': 'javascript:alert(1)', 'x-forwarded-host': 'a b@c/\\d' },
  ],
  ['a long method and an empty host list', { 'x-forwarded-host': ',,,', 'x-original-method': 'G"E,T'.repeat(500) }],
  ['a Content-Encoding without a body', { 'content-encoding': 'compress', 'content-type': 'text/plain' }],
  ['a truncated signature', { 'signature-input': 'sig1=((((', signature: 'sig1=:::' }],
  ['forged response headers', { 'agent-traffic-agent': 'forged', 'agent-traffic-result': 'verified' }],
  ['many cookies', { cookie: 'a=b; '.repeat(800) }],
];

it.each(HOSTILE_HEADERS)('identifies the agent despite hostile headers: %s', async (_, headers) => {
  const response = await sendSubrequest({ id: '', token: app.accessToken }, GPTBOT, headers);
  expect([response.status, ...getVerdictHeaders(response).slice(1)]).toEqual([
    204,
    'GPTBot',
    'AI Data Scraper',
    'OpenAI',
  ]);
  expect(response.headers).not.toHaveProperty('set-cookie');
});
