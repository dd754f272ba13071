import { jest } from '@jest/globals';
import { AgentTraffic } from './client.js';
import type { BlockOptions } from './guard.js';
import type { Identification } from './types.js';

let asked: {
  path: string;
  body: { request_path: string; request_headers: Record<string, string> };
  headers: unknown;
}[];
let says: Identification | Response | Error;

const client = new AgentTraffic({
  url: 'https://traffic.example',
  token: 'agt_1',
  fetch: async (url, init) => {
    const { pathname: path } = new URL(url as string);
    asked.push({ path, body: JSON.parse(init!.body as string), headers: init!.headers });
    if (says instanceof Error) throw says;
    return says instanceof Response ? says.clone() : Response.json(says);
  },
});

const page = (userAgent: string, path = '/page', headers: object = {}): Request =>
  new Request(`https://site.example${path}`, { headers: { 'user-agent': userAgent, ...headers } });

const guard = (options: Partial<BlockOptions> = {}) => client.block({ types: ['AI Data Scraper'], ...options });

beforeEach(() => {
  asked = [];
  says = { result: 'verified', agent_token: 'GPTBot', agent_type_name: 'AI Data Scraper' };
});
afterEach(() => jest.restoreAllMocks());

it('blocks agents of the given types', async () => {
  expect(await guard().refusal(page('GPTBot/1.2', '/page?a=1', { cookie: 'a=b' }))).toEqual({
    status: 403,
    body: expect.stringContaining('may not'),
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
  expect(asked.map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/agent-verifications',
      body: {
        request_path: '/page?a=1',
        request_headers: { host: 'site.example', 'user-agent': 'GPTBot/1.2', cookie: '[redacted]' },
      },
    },
  ]);
  expect(await guard({ types: ['Scraper'] }).refusal(page('GPTBot/1.2'))).toBeNull();
  expect(await guard({ types: 'all', status: 402 }).refusal(page('GPTBot/1.2'))).toMatchObject({ status: 402 });
});

it('allows verified agents with unless: "verified"', async () => {
  const unlessVerified = guard({ unless: 'verified' });
  expect(await unlessVerified.refusal(page('GPTBot/1.2'))).toBeNull();
  says = { result: 'verification_failed', agent_type_name: 'AI Data Scraper' };
  expect(await unlessVerified.refusal(page('GPTBot/1.2'))).not.toBeNull();
  says = { result: 'not_verifiable', agent_type_name: 'AI Data Scraper' };
  expect(await unlessVerified.refusal(page('GPTBot/1.2'))).not.toBeNull();
});

it('queries once per unknown User-Agent, but for every signed request', async () => {
  says = { result: 'unknown_agent' };
  const everybody = guard({ types: 'all' });
  for (let visit = 0; visit < 3; visit += 1) expect(await everybody.refusal(page('Firefox/1'))).toBeNull();
  expect(asked).toHaveLength(1);
  const signed = { signature: 'sig1=:a:', 'signature-input': 'sig1=()' };
  for (let visit = 0; visit < 2; visit += 1) await everybody.refusal(page('Firefox/1', '/', signed));
  expect(asked).toHaveLength(3);
});

it('allows robots.txt by default', async () => {
  expect(await guard().refusal(page('GPTBot/1.2', '/robots.txt'))).toBeNull();
  expect(await guard({ paths: () => true }).refusal(page('GPTBot/1.2', '/robots.txt'))).not.toBeNull();
});

describe('when the instance does not respond', () => {
  let now: number;

  beforeEach(() => {
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    says = new Error('connection refused');
  });

  /** Creates a request from the site's proxy, which appends the visitor's address. */
  const from = (address: string, forged = ''): Request =>
    page('GPTBot/1.2', '/page', { 'x-forwarded-for': `${forged}${address}` });

  async function fail(addresses: readonly string[], open = guard()): Promise<ReturnType<typeof guard>> {
    for (const address of addresses) expect(await open.refusal(from(address))).toBeNull();
    return open;
  }

  it('allows requests and stops querying after failures for five visitors in a row', async () => {
    const open = await fail(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6']);
    expect(asked).toHaveLength(5);
    says = { result: 'verified', agent_type_name: 'AI Data Scraper' };
    expect(await open.refusal(from('192.0.2.7'))).toBeNull();
    now += 5_001;
    expect(await open.refusal(from('192.0.2.7'))).not.toBeNull();
  });

  it('stops querying again after one failure until a query succeeds', async () => {
    const open = await fail(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']);
    now += 5_001;
    await fail(['192.0.2.6', '192.0.2.7'], open);
    expect(asked).toHaveLength(6);
  });

  it.each([
    ['an address', Array.from({ length: 50 }, () => '192.0.2.1')],
    ['forged addresses', Array.from({ length: 50 }, (_, index) => `10.0.0.${index}, 192.0.2.1`)],
    ['a network of IPv6', Array.from({ length: 50 }, (_, index) => `2001:db8:7:${index.toString(16)}::1`)],
  ])('continues querying after any number of failures for %s', async (_, addresses) => {
    const open = await fail(addresses);
    expect(asked).toHaveLength(50);
    says = { result: 'verified', agent_type_name: 'AI Data Scraper' };
    expect(await open.refusal(from('192.0.2.2'))).not.toBeNull();
  });

  it('continues querying if a request succeeds in between', async () => {
    const open = await fail(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']);
    says = { result: 'verified', agent_type_name: 'AI Data Scraper' };
    expect(await open.refusal(from('192.0.2.9'))).not.toBeNull();
    says = new Error('connection refused');
    await fail(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], open);
    expect(asked).toHaveLength(9);
  });

  it('distinguishes visitors by the connection peer instead of headers', async () => {
    const open = guard();
    for (let visit = 0; visit < 50; visit += 1) {
      const request_headers = { 'user-agent': `GPTBot/${visit}`, 'x-forwarded-for': `203.0.113.${visit}` };
      expect(await open.refusal({ request_headers, client_address: '198.51.100.1' })).toBeNull();
    }
    expect(asked).toHaveLength(50);
  });

  it('distinguishes visitors by User-Agent if there are no addresses', async () => {
    const open = guard();
    for (let visit = 0; visit < 10; visit += 1) expect(await open.refusal(page(`GPTBot/${visit}`))).toBeNull();
    expect(asked).toHaveLength(5);
  });

  it.each([400, 401, 413, 422, 429])(
    'allows a request after a response with %i but continues querying',
    async (status) => {
      says = new Response('refused', { status });
      const open = await fail(Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`));
      expect(asked).toHaveLength(20);
      says = { result: 'verified', agent_type_name: 'AI Data Scraper' };
      expect(await open.refusal(from('192.0.2.1'))).not.toBeNull();
    },
  );
});

it('truncates queries to the limits of the instance and sends the timeout', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'a']));
  const headers = { ...many, 'user-agent': 'GPTBot/1.2', via: 'a'.repeat(20_000), 'x-forwarded-for': '192.0.2.1' };
  const request = { request_path: `/${'a'.repeat(9_000)}`, request_headers: headers };
  expect(await guard({ timeoutMs: 300 }).refusal(request)).not.toBeNull();
  const [{ body, headers: sent }] = asked as [(typeof asked)[0]];
  expect(body.request_path).toHaveLength(8_192);
  expect(Object.keys(body.request_headers)).toHaveLength(200);
  expect(body.request_headers).toMatchObject({ 'user-agent': 'GPTBot/1.2', 'x-forwarded-for': '192.0.2.1' });
  expect(body.request_headers['via']).toHaveLength(8_192);
  expect(sent).toMatchObject({ 'agent-traffic-timeout-ms': '300' });
});

it('fails open if a callback throws', async () => {
  const paths = (): boolean => {
    throw new Error('of the site');
  };
  expect(await guard({ paths }).refusal(page('GPTBot/1.2'))).toBeNull();
});
