import { jest } from '@jest/globals';
import { AgentTraffic } from './client.js';
import type { BlockOptions } from './guard.js';
import type { Identification } from './types.js';

let asked: { path: string; body: { request_path: string; request_headers: object } }[];
let says: Identification | Error;

const client = new AgentTraffic({
  url: 'https://traffic.example',
  token: 'agt_1',
  fetch: async (url, init) => {
    asked.push({ path: new URL(url as string).pathname, body: JSON.parse(init!.body as string) });
    if (says instanceof Error) throw says;
    return Response.json(says);
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

it('refuses agents of these types', async () => {
  expect(await guard().refusal(page('GPTBot/1.2', '/page?a=1', { cookie: 'a=b' }))).toEqual({
    status: 403,
    body: expect.stringContaining('may not'),
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
  expect(asked).toEqual([
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

it('lets those pass that prove who they are, if that is wanted', async () => {
  const unlessVerified = guard({ unless: 'verified' });
  expect(await unlessVerified.refusal(page('GPTBot/1.2'))).toBeNull();
  says = { result: 'verification_failed', agent_type_name: 'AI Data Scraper' };
  expect(await unlessVerified.refusal(page('GPTBot/1.2'))).not.toBeNull();
  says = { result: 'not_verifiable', agent_type_name: 'AI Data Scraper' };
  expect(await unlessVerified.refusal(page('GPTBot/1.2'))).not.toBeNull();
});

it('asks once about the user agent of people, but about every signature', async () => {
  says = { result: 'unknown_agent' };
  const everybody = guard({ types: 'all' });
  for (let visit = 0; visit < 3; visit += 1) expect(await everybody.refusal(page('Firefox/1'))).toBeNull();
  expect(asked).toHaveLength(1);
  const signed = { signature: 'sig1=:a:', 'signature-input': 'sig1=()' };
  for (let visit = 0; visit < 2; visit += 1) await everybody.refusal(page('Firefox/1', '/', signed));
  expect(asked).toHaveLength(3);
});

it('lets everybody read robots.txt, unless told otherwise', async () => {
  expect(await guard().refusal(page('GPTBot/1.2', '/robots.txt'))).toBeNull();
  expect(await guard({ paths: () => true }).refusal(page('GPTBot/1.2', '/robots.txt'))).not.toBeNull();
});

it('fails open, and does not wait again for an instance that is away', async () => {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  says = new Error('connection refused');
  const open = guard();
  for (let visit = 0; visit < 5; visit += 1) expect(await open.refusal(page('GPTBot/1.2'))).toBeNull();
  expect(asked).toHaveLength(1);
  says = { result: 'verified', agent_type_name: 'AI Data Scraper' };
  now += 5_001;
  expect(await open.refusal(page('GPTBot/1.2'))).not.toBeNull();
});

it('fails open on its own faults, too', async () => {
  const paths = (): boolean => {
    throw new Error('of the site');
  };
  expect(await guard({ paths }).refusal(page('GPTBot/1.2'))).toBeNull();
});
