import { AgentTraffic } from './client.js';
import { InstanceError } from './instance.js';
import type { AnyRequest } from './requests.js';

let asked: { path: string; body: unknown }[];
let answer: () => Response;

const fetchOfTest = (async (url: string, init: RequestInit) => {
  asked.push({ path: new URL(url).pathname, body: JSON.parse(init.body as string) });
  return answer();
}) as unknown as typeof fetch;
const client = new AgentTraffic({ url: 'https://traffic.example', token: 'agt_1', fetch: fetchOfTest });

beforeEach(() => {
  asked = [];
  answer = () => Response.json({ result: 'unknown_agent' });
});

const headers = { 'user-agent': 'GPTBot/1.2', authorization: 'Bearer abc' };
const clean = { 'user-agent': 'GPTBot/1.2', authorization: '[redacted]' };
const node = { method: 'GET', url: '/cut', originalUrl: '/a/cut?b=1', headers, socket: { remoteAddress: '192.0.2.7' } };

it.each<[string, AnyRequest, object]>([
  ['a plain request', { id: 'a', request_headers: headers }, { id: 'a', request_headers: clean }],
  ['a request of Node.js', node, { request_headers: clean, client_address: '192.0.2.7' }],
  ['a request of Fastify', { raw: node }, { request_headers: clean, client_address: '192.0.2.7' }],
  [
    'a request of the web',
    new Request('https://site.example/a', { headers }),
    { request_headers: { host: 'site.example', ...clean } },
  ],
  [
    'a request in a worker of Cloudflare',
    Object.assign(new Request('https://site.example/a', { headers: { 'cf-connecting-ip': '192.0.2.8' } }), { cf: {} }),
    { request_headers: { host: 'site.example', 'cf-connecting-ip': '192.0.2.8' }, client_address: '192.0.2.8' },
  ],
])('identifies %s without sending its credentials', async (_, request, body) => {
  expect(await client.identify(request)).toEqual({ result: 'unknown_agent' });
  expect(asked).toEqual([{ path: '/agent-identifications', body }]);
});

it('identifies several requests at once and verifies one with its path', async () => {
  await client.identify([{ id: '1', request_headers: {} }, { raw: node }]);
  await client.verify(node);
  expect(asked.map(({ path }) => path)).toEqual(['/agent-identifications', '/agent-verifications']);
  expect(asked[0]!.body).toHaveLength(2);
  expect(asked[1]!.body).toMatchObject({ request_path: '/a/cut?b=1', request_headers: clean });
});

it('caches rules and tokens', async () => {
  answer = () => new Response('User-agent: GPTBot\nDisallow: /\n');
  const types = ['AI Data Scraper'] as const;
  const text = await client.robotsTxt({ agent_types: types, disallow: '/private/' });
  expect(await client.robotsTxt({ agent_types: types, disallow: '/private/' })).toBe(text);
  answer = () => Response.json(['GPTBot']);
  expect(await client.tokens({ agent_types: types })).toEqual(['GPTBot']);
  expect(asked).toEqual([
    { path: '/robots-txts', body: { agent_types: types, disallow: '/private/' } },
    { path: '/user-agent-token-lists', body: { agent_types: types } },
  ]);
});

it('includes the status and body of an unexpected response in the error', async () => {
  answer = () => new Response('{"title":"Unknown token"}', { status: 401 });
  const asking = client.identify({ request_headers: {} });
  await expect(asking).rejects.toThrow('/agent-identifications was answered with 401: {"title":"Unknown token"}');
  await expect(asking).rejects.toBeInstanceOf(InstanceError);
});

describe('without an address or a token', () => {
  it.each(['', 'traffic.example:3000'])('(%j) reports a problem once and sends no visits', async (url) => {
    const problems: string[] = [];
    const off = new AgentTraffic({ url, token: 'agt_1', onProblem: (problem) => problems.push(problem) });
    off.record({ request_path: '/', request_method: 'GET', request_headers: {} });
    await off.flush();
    expect(off.reports('/', 'GET')).toBe(false);
    expect(off.counts).toEqual({ sent: 0, rejected: 0, dropped: 0, queued: 0 });
    expect(problems).toEqual([expect.stringContaining('AGENT_TRAFFIC_URL')]);
    await expect(off.identify({ request_headers: {} })).rejects.toThrow('url or token is missing');
  });
});

it('reports a problem for a visit that cannot be serialized', () => {
  const problems: string[] = [];
  const told = new AgentTraffic({
    url: 'https://traffic.example',
    token: 'agt_1',
    onProblem: (problem) => problems.push(problem),
  });
  told.record({ request_path: '/', request_method: 'GET', request_headers: {}, response_status_code: 1n as never });
  expect(problems).toEqual([expect.stringContaining('a visit was not reported')]);
});
