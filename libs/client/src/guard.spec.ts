import { jest } from '@jest/globals';
import { AgentTraffic } from './client.js';
import type { BlockOptions } from './guard.js';
import type { Identification } from './types.js';

let requests: {
  path: string;
  body: { request_path: string; request_headers: Record<string, string> };
  headers: unknown;
}[];
let verification: Identification | Response | Error;

const client = new AgentTraffic({
  url: 'https://traffic.example',
  token: 'agt_1',
  fetch: async (url, init) => {
    const { pathname: path } = new URL(url as string);
    requests.push({ path, body: JSON.parse(init!.body as string), headers: init!.headers });
    if (verification instanceof Error) throw verification;
    return verification instanceof Response ? verification.clone() : Response.json(verification);
  },
});

const createRequest = (userAgent: string, path = '/page', headers: object = {}): Request =>
  new Request(`https://site.example${path}`, { headers: { 'user-agent': userAgent, ...headers } });

const createGuard = (options: Partial<BlockOptions> = {}) => client.block({ types: ['AI Data Scraper'], ...options });

beforeEach(() => {
  requests = [];
  verification = { result: 'verified', agent_token: 'GPTBot', agent_type_name: 'AI Data Scraper' };
});
afterEach(() => jest.restoreAllMocks());

it('blocks agents of the given types', async () => {
  expect(await createGuard().refusal(createRequest('GPTBot/1.2', '/page?a=1', { cookie: 'a=b' }))).toEqual({
    status: 403,
    body: expect.stringContaining("isn't allowed"),
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
  expect(requests.map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/agent-verifications',
      body: {
        request_path: '/page?a=1',
        request_headers: { host: 'site.example', 'user-agent': 'GPTBot/1.2', cookie: '[redacted]' },
      },
    },
  ]);
  expect(await createGuard({ types: ['Scraper'] }).refusal(createRequest('GPTBot/1.2'))).toBeNull();
  expect(await createGuard({ types: 'all', status: 402 }).refusal(createRequest('GPTBot/1.2'))).toMatchObject({
    status: 402,
  });
});

it('lets verified agents pass if the option unless is "verified"', async () => {
  const unlessVerified = createGuard({ unless: 'verified' });
  expect(await unlessVerified.refusal(createRequest('GPTBot/1.2'))).toBeNull();
  verification = { result: 'verification_failed', agent_type_name: 'AI Data Scraper' };
  expect(await unlessVerified.refusal(createRequest('GPTBot/1.2'))).not.toBeNull();
  verification = { result: 'not_verifiable', agent_type_name: 'AI Data Scraper' };
  expect(await unlessVerified.refusal(createRequest('GPTBot/1.2'))).not.toBeNull();
});

it('verifies an unknown User-Agent once, but every signed request', async () => {
  verification = { result: 'unknown_agent' };
  const guardForAll = createGuard({ types: 'all' });
  for (let visit = 0; visit < 3; visit += 1) expect(await guardForAll.refusal(createRequest('Firefox/1'))).toBeNull();
  expect(requests).toHaveLength(1);
  const signed = { signature: 'sig1=:a:', 'signature-input': 'sig1=()' };
  for (let visit = 0; visit < 2; visit += 1) await guardForAll.refusal(createRequest('Firefox/1', '/', signed));
  expect(requests).toHaveLength(3);
});

it('lets requests for robots.txt pass by default', async () => {
  expect(await createGuard().refusal(createRequest('GPTBot/1.2', '/robots.txt'))).toBeNull();
  expect(await createGuard({ paths: () => true }).refusal(createRequest('GPTBot/1.2', '/robots.txt'))).not.toBeNull();
});

describe('while the instance is unavailable', () => {
  let now: number;

  beforeEach(() => {
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    verification = new Error('connection refused');
  });

  /** Simulates a proxy that appends the visitor's address to X-Forwarded-For. */
  const requestFrom = (address: string, forgedPrefix = ''): Request =>
    createRequest('GPTBot/1.2', '/page', { 'x-forwarded-for': `${forgedPrefix}${address}` });

  async function failFor(
    addresses: readonly string[],
    failingGuard = createGuard(),
  ): Promise<ReturnType<typeof createGuard>> {
    for (const address of addresses) expect(await failingGuard.refusal(requestFrom(address))).toBeNull();
    return failingGuard;
  }

  it('lets requests pass unchecked after failures for five different visitors', async () => {
    const failingGuard = await failFor(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6']);
    expect(requests).toHaveLength(5);
    verification = { result: 'verified', agent_type_name: 'AI Data Scraper' };
    expect(await failingGuard.refusal(requestFrom('192.0.2.7'))).toBeNull();
    now += 10_001;
    expect(await failingGuard.refusal(requestFrom('192.0.2.7'))).not.toBeNull();
  });

  it('reopens the breaker after a single failure once the pause is over', async () => {
    const failingGuard = await failFor(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']);
    now += 10_001;
    await failFor(['192.0.2.6', '192.0.2.7'], failingGuard);
    expect(requests).toHaveLength(6);
  });

  it.each([
    ['one address', Array.from({ length: 50 }, () => '192.0.2.1')],
    ['forged addresses', Array.from({ length: 50 }, (_, index) => `10.0.0.${index}, 192.0.2.1`)],
    ['one IPv6 network', Array.from({ length: 50 }, (_, index) => `2001:db8:7:${index.toString(16)}::1`)],
  ])('keeps the breaker closed after any number of failures for %s', async (_, addresses) => {
    const failingGuard = await failFor(addresses);
    expect(requests).toHaveLength(50);
    verification = { result: 'verified', agent_type_name: 'AI Data Scraper' };
    expect(await failingGuard.refusal(requestFrom('192.0.2.2'))).not.toBeNull();
  });

  it.each<[string, (visit: number) => Record<string, string>]>([
    ['ports', (visit) => ({ 'x-forwarded-for': `192.0.2.1:${visit}` })],
    ['ports in Forwarded', (visit) => ({ forwarded: `for="[2001:db8:7::1]:${visit}"` })],
    ['other parameters of Forwarded', (visit) => ({ forwarded: `host=${visit}.example;For=192.0.2.1;by=_${visit}` })],
    ['forged elements of Forwarded', (visit) => ({ forwarded: `for=10.0.0.${visit}, for=192.0.2.1;proto=https` })],
  ])('ignores %s when it distinguishes visitors', async (_, createHeaders) => {
    const failingGuard = createGuard();
    for (let visit = 1; visit <= 50; visit += 1)
      await failingGuard.refusal(createRequest('GPTBot/1.2', '/page', createHeaders(visit)));
    expect(requests).toHaveLength(50);
  });

  it('distinguishes visitors by the last address in Forwarded', async () => {
    const failingGuard = createGuard();
    for (let visit = 1; visit <= 10; visit += 1)
      await failingGuard.refusal(
        createRequest('GPTBot/1.2', '/page', { forwarded: `for=192.0.2.${visit};proto=https` }),
      );
    expect(requests).toHaveLength(5);
  });

  it('resets the failure count after a successful request', async () => {
    const failingGuard = await failFor(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']);
    verification = { result: 'verified', agent_type_name: 'AI Data Scraper' };
    expect(await failingGuard.refusal(requestFrom('192.0.2.9'))).not.toBeNull();
    verification = new Error('connection refused');
    await failFor(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], failingGuard);
    expect(requests).toHaveLength(9);
  });

  it('distinguishes visitors by peer address instead of headers', async () => {
    const failingGuard = createGuard();
    for (let visit = 0; visit < 50; visit += 1) {
      const request_headers = { 'user-agent': `GPTBot/${visit}`, 'x-forwarded-for': `203.0.113.${visit}` };
      expect(await failingGuard.refusal({ request_headers, client_address: '198.51.100.1' })).toBeNull();
    }
    expect(requests).toHaveLength(50);
  });

  it('distinguishes visitors by User-Agent if no address is available', async () => {
    const failingGuard = createGuard();
    for (let visit = 0; visit < 10; visit += 1)
      expect(await failingGuard.refusal(createRequest(`GPTBot/${visit}`))).toBeNull();
    expect(requests).toHaveLength(5);
  });

  it.each([400, 401, 413, 422, 429, 500, 503, 504])(
    'lets a request pass after a %i response without opening the breaker',
    async (status) => {
      verification = new Response('rejected', { status });
      const failingGuard = await failFor(Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`));
      expect(requests).toHaveLength(20);
      verification = { result: 'verified', agent_type_name: 'AI Data Scraper' };
      expect(await failingGuard.refusal(requestFrom('192.0.2.1'))).not.toBeNull();
    },
  );
});

it("truncates verification requests to the instance's limits and sends the timeout", async () => {
  const manyHeaders = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'a']));
  const headers = {
    ...manyHeaders,
    'user-agent': 'GPTBot/1.2',
    via: 'a'.repeat(20_000),
    'x-forwarded-for': '192.0.2.1',
  };
  const request = { request_path: `/${'a'.repeat(9_000)}`, request_headers: headers };
  expect(await createGuard({ timeoutMs: 300 }).refusal(request)).not.toBeNull();
  const [{ body, headers: sentHeaders }] = requests as [(typeof requests)[0]];
  expect(body.request_path).toHaveLength(8_192);
  expect(Object.keys(body.request_headers)).toHaveLength(200);
  expect(body.request_headers).toMatchObject({ 'user-agent': 'GPTBot/1.2', 'x-forwarded-for': '192.0.2.1' });
  expect(body.request_headers['via']).toHaveLength(8_192);
  expect(sentHeaders).toMatchObject({ 'agent-traffic-timeout-ms': '300' });
});

it('lets requests pass if the paths callback throws', async () => {
  const paths = (): boolean => {
    throw new Error('site error');
  };
  expect(await createGuard({ paths }).refusal(createRequest('GPTBot/1.2'))).toBeNull();
});
