import { VERDICT_HEADERS } from '#libs/contracts';
import { App, type Answer, type Json } from '../kit/app.js';
import { BROWSER, GOOGLEBOT } from '../kit/client.js';
import { until } from '../kit/instance.js';

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
/** Address in one of Googlebot's published ranges. */
const OF_GOOGLE = '66.249.66.1';
const PRIVATE = { agent_types: ['AI Data Scraper', 'Scraper'], disallow: '/private/', format: 'blocks' };

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app?.dispose());

interface Project {
  id: string;
  token: string;
}

async function project(): Promise<Project> {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  return { id, token: (await app.api('POST', `/projects/${id}/tokens`, {})).body.token };
}

/** Sends the subrequest of nginx's `auth_request`. */
const ask = (
  { token }: Project,
  userAgent: string,
  headers: Record<string, string> = {},
  query = '',
): Promise<Answer> =>
  app.send('GET', `/agent-verifications/forward${query}`, undefined, {
    authorization: `Bearer ${token}`,
    'user-agent': userAgent,
    'x-forwarded-for': '198.51.100.7',
    'x-original-uri': '/private/a',
    ...headers,
  });

async function saveRules({ id, token }: Project, rules: Json, status: number, userAgent = GPTBOT): Promise<void> {
  expect((await app.api('POST', `/projects/${id}/rules-versions`, rules)).status).toBe(201);
  await until(async () => (await ask({ id, token }, userAgent)).status === status, { what: 'the rules are in use' });
}

const verdictOf = ({ headers }: Answer): unknown[] =>
  Object.keys(VERDICT_HEADERS).map((name) => headers[name.toLowerCase()]);

it('allows every request before rules are saved, and identifies the visitor', async () => {
  const shop = await project();
  const verified = await ask(shop, GOOGLEBOT, { 'x-forwarded-for': `1.1.1.1, ${OF_GOOGLE}` });
  expect([verified.status, verified.text]).toEqual([204, '']);
  expect(verdictOf(verified)).toEqual(['verified', 'Googlebot', 'Search Engine Crawler', 'Google']);
  const spoofed = await ask(shop, GPTBOT);
  expect([spoofed.status, ...verdictOf(spoofed)]).toEqual([
    204,
    'not_verifiable',
    'GPTBot',
    'AI Data Scraper',
    'OpenAI',
  ]);
  const person = await ask(shop, BROWSER);
  expect([person.status, ...verdictOf(person)]).toEqual([204, 'unknown_agent', '-', '-', '-']);
});

it('trusts only the address header that the proxy sets', async () => {
  const shop = await project();
  const invented = { 'x-real-ip': '192.0.2.1', forwarded: `for=${OF_GOOGLE}`, 'cf-connecting-ip': OF_GOOGLE };
  const result = async (address: string) =>
    verdictOf(await ask(shop, GOOGLEBOT, { ...invented, 'x-forwarded-for': address }))[0];
  expect([await result('198.51.100.7'), await result(OF_GOOGLE)]).toEqual(['not_verifiable', 'verified']);
  await app.api('PATCH', `/projects/${shop.id}`, { trusted_proxies: { header: 'cf-connecting-ip' } });
  await until(async () => (await result('198.51.100.7')) === 'verified', { what: 'the header is believed' });
});

it("applies the project's newest rules as soon as they are saved", async () => {
  const [shop, other] = [await project(), await project()];
  expect((await ask(shop, GPTBOT)).status).toBe(204);
  await saveRules(shop, PRIVATE, 403);
  const refused = await ask(shop, GPTBOT);
  expect(refused.body).toMatchObject({ type: '/docs/problems#agent-refused', status: 403 });
  expect(verdictOf(refused)).toEqual(['not_verifiable', 'GPTBot', 'AI Data Scraper', 'OpenAI']);
  const statuses = async (...asked: Promise<Answer>[]) => (await Promise.all(asked)).map(({ status }) => status);
  expect(
    await statuses(
      ask(shop, GPTBOT, { 'x-original-uri': '/' }),
      ask(shop, GPTBOT, { 'x-original-uri': '/robots.txt' }),
      ask(shop, GOOGLEBOT),
      ask(shop, BROWSER),
      ask(other, GPTBOT),
    ),
  ).toEqual([204, 204, 204, 204, 204]);
  // A visitor may forge the header that the proxy doesn't set. Caddy and Traefik set X-Forwarded-Uri.
  const forwarded = { 'x-original-uri': '', 'x-forwarded-uri': '/private/a' };
  expect(
    await statuses(
      ask(shop, GPTBOT, forwarded),
      ask(shop, GPTBOT, { ...forwarded, 'x-original-uri': '/robots.txt' }),
      ask(shop, GPTBOT, { 'x-forwarded-uri': '/robots.txt' }),
    ),
  ).toEqual([403, 403, 403]);

  await saveRules(shop, { ...PRIVATE, excluded_agent_tokens: ['gptbot'] }, 204);
  await saveRules(shop, { agent_types: ['AI Data Scraper'], format: 'nginx-map' }, 403);
  expect((await ask(shop, GPTBOT, { 'x-original-uri': '/' })).status).toBe(403);
});

it('refuses agents by behavior, regardless of their type', async () => {
  const shop = await project();
  await saveRules(shop, { agent_types: [], agent_behaviors: ['training'], format: 'text' }, 403);
  expect((await ask(shop, GOOGLEBOT)).status).toBe(403);
  expect((await ask(shop, 'Twitterbot/1.0')).status).toBe(204);
  const excluded = {
    agent_types: [],
    agent_behaviors: ['training'],
    excluded_agent_tokens: ['Googlebot'],
    format: 'text',
  };
  await saveRules(shop, excluded, 204, GOOGLEBOT);
  expect((await ask(shop, GPTBOT)).status).toBe(403);
});

it('matches excluded agents by their robots.txt token', async () => {
  const shop = await project();
  const exabot = 'Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)';
  const { headers } = await ask(shop, exabot);
  expect(headers['agent-traffic-agent']).toBe('Exabot (Exalead)');
  const rules = { agent_types: [headers['agent-traffic-type']], format: 'blocks' };
  await saveRules(shop, rules, 403, exabot);
  await saveRules(shop, { ...rules, excluded_agent_tokens: ['exabot'] }, 204, exabot);
});

it('refuses agents by verification result if the proxy requests it', async () => {
  const shop = await project();
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
    const answer = await ask(shop, BROWSER, { host: 'shop.example', ...headers }, query);
    expect([headers, query, answer.status]).toEqual([headers, query, status]);
  }
  const robots = { ...spoofed.headers, 'x-original-uri': '/robots.txt' };
  expect((await ask(shop, BROWSER, robots, '?refuse=verification_failed')).status).toBe(204);
});

it('verifies a signature against the host the visitor requested', async () => {
  const shop = await project();
  const { body: visit } = await app.api('POST', '/test-visits', { url: 'https://shop.example/private/a' });
  const result = async (headers: Record<string, string>) =>
    (await ask(shop, '', { ...visit.headers, ...headers })).headers['agent-traffic-result'];
  expect(await result({ 'x-forwarded-host': 'shop.example', host: 'agent_traffic' })).toBe('verified');
  expect(await result({ host: 'shop.example' })).toBe('verified');
  expect(await result({ 'x-forwarded-host': 'other.example', host: 'shop.example' })).toBe('verification_failed');
});

it('percent-encodes non-ASCII operator names in response headers', async () => {
  const { headers } = await ask(
    await project(),
    'Mozilla/5.0 (compatible; coccocbot-web/1.0; +http://help.coccoc.com/)',
  );
  expect(headers['agent-traffic-operator']).toBe('C%E1%BB%91c C%E1%BB%91c');
});

it('reports a missing header to the proxy and the project, but lists no refused agents', async () => {
  const shop = await project();
  await saveRules(shop, PRIVATE, 403);
  const missing = await ask(shop, GPTBOT, { 'x-original-uri': '' });
  expect([missing.status, missing.body.detail]).toEqual([422, expect.stringContaining('X-Original-URI')]);
  const listed = await until(
    async () => {
      const { body } = await app.api('GET', `/projects/${shop.id}/refused-requests`);
      return body.refused_requests.length > 0 && body.refused_requests;
    },
    { what: 'the request is listed' },
  );
  expect(listed.map(({ status, path }: Json) => [status, path])).toEqual([[422, '/agent-verifications/forward']]);
});

it('requires a token, rejects POST and records no visits', async () => {
  const shop = await project();
  expect((await ask({ ...shop, token: 'agt_unknown' }, GPTBOT)).status).toBe(401);
  expect((await app.post('/agent-verifications/forward', {})).status).toBe(405);
  await ask(shop, GPTBOT);
  expect((await app.api('GET', `/projects/${shop.id}/visits`)).body.visits).toEqual([]);
});

/** Headers from the visitor, which the proxy passes on. */
const HOSTILE: [string, Record<string, string>][] = [
  ['bytes that are not UTF-8', { 'x-original-uri': '/\u00ff\u00fe\u0080' }],
  ['escapes of nothing', { 'x-original-uri': `/${'%'.repeat(6_000)}` }],
  ['many folders up', { 'x-original-uri': `/${'/..'.repeat(3_000)}/private/` }],
  ['an escaped line end', { 'x-original-uri': '/%0d%0aSet-Cookie:%20a=b' }],
  ['half an address', { 'x-original-uri': 'http://[::1' }],
  ['backslashes', { 'x-original-uri': '\\\\private\\a' }],
  ['another scheme, and no host', { 'x-forwarded-uri': 'javascript:alert(1)', 'x-forwarded-host': 'a b@c/\\d' }],
  ['a long method', { 'x-forwarded-host': ',,,', 'x-original-method': 'G"E,T'.repeat(500) }],
  ['the encoding of its body', { 'content-encoding': 'compress', 'content-type': 'text/plain' }],
  ['half a signature', { 'signature-input': 'sig1=((((', signature: 'sig1=:::' }],
  ['the headers of the answer', { 'agent-traffic-agent': 'forged', 'agent-traffic-result': 'verified' }],
  ['many cookies', { cookie: 'a=b; '.repeat(800) }],
];

it.each(HOSTILE)('identifies the agent despite hostile headers: %s', async (_, headers) => {
  const answer = await ask({ id: '', token: app.accessToken }, GPTBOT, headers);
  expect([answer.status, ...verdictOf(answer).slice(1)]).toEqual([204, 'GPTBot', 'AI Data Scraper', 'OpenAI']);
  expect(answer.headers).not.toHaveProperty('set-cookie');
});
