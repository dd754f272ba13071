import { AgentTraffic } from './client.js';
import { InstanceError } from './instance.js';
import type { AnyRequest } from './requests.js';

let requests: { path: string; body: unknown }[];
let createResponse: () => Response;

const mockFetch = (async (url: string, init: RequestInit) => {
  requests.push({ path: new URL(url).pathname, body: JSON.parse(init.body as string) });
  return createResponse();
}) as unknown as typeof fetch;
const client = new AgentTraffic({ url: 'https://traffic.example', token: 'agt_1', fetch: mockFetch });

beforeEach(() => {
  requests = [];
  createResponse = () => Response.json({ result: 'unknown_agent' });
});

const headers = { 'user-agent': 'GPTBot/1.2', authorization: 'Bearer abc' };
const redacted = { 'user-agent': 'GPTBot/1.2', authorization: '[redacted]' };
const nodeRequest = {
  method: 'GET',
  url: '/cut',
  originalUrl: '/a/cut?b=1',
  headers,
  socket: { remoteAddress: '192.0.2.7' },
};

it.each<[string, AnyRequest, object]>([
  ['a plain request', { id: 'a', request_headers: headers }, { id: 'a', request_headers: redacted }],
  ['a Node.js request', nodeRequest, { request_headers: redacted, client_address: '192.0.2.7' }],
  ['a Fastify request', { raw: nodeRequest }, { request_headers: redacted, client_address: '192.0.2.7' }],
  [
    'a Fetch API request',
    new Request('https://site.example/a', { headers }),
    { request_headers: { host: 'site.example', ...redacted } },
  ],
  [
    'a Cloudflare Workers request',
    Object.assign(new Request('https://site.example/a', { headers: { 'cf-connecting-ip': '192.0.2.8' } }), { cf: {} }),
    { request_headers: { host: 'site.example', 'cf-connecting-ip': '192.0.2.8' }, client_address: '192.0.2.8' },
  ],
])('identifies %s without sending its credentials', async (_, request, body) => {
  expect(await client.identify(request)).toEqual({ result: 'unknown_agent' });
  expect(requests).toEqual([{ path: '/agent-identifications', body }]);
});

it('identifies requests in one batch and includes the path in verifications', async () => {
  await client.identify([{ id: '1', request_headers: {} }, { raw: nodeRequest }]);
  await client.verify(nodeRequest);
  expect(requests.map(({ path }) => path)).toEqual(['/agent-identifications', '/agent-verifications']);
  expect(requests[0]!.body).toHaveLength(2);
  expect(requests[1]!.body).toMatchObject({ request_path: '/a/cut?b=1', request_headers: redacted });
});

it('caches robots.txt rules and token lists', async () => {
  createResponse = () => new Response('User-agent: GPTBot\nDisallow: /\n');
  const types = ['AI Data Scraper'] as const;
  const text = await client.robotsTxt({ agent_types: types, disallow: '/private/' });
  expect(await client.robotsTxt({ agent_types: types, disallow: '/private/' })).toBe(text);
  createResponse = () => Response.json(['GPTBot']);
  expect(await client.tokens({ agent_types: types })).toEqual(['GPTBot']);
  expect(requests).toEqual([
    { path: '/robots-txts', body: { agent_types: types, disallow: '/private/' } },
    { path: '/user-agent-token-lists', body: { agent_types: types } },
  ]);
});

it('includes the status and body from an error response in the error message', async () => {
  createResponse = () => new Response('{"title":"Unknown token"}', { status: 401 });
  const identification = client.identify({ request_headers: {} });
  await expect(identification).rejects.toThrow('POST /agent-identifications returned 401: {"title":"Unknown token"}');
  await expect(identification).rejects.toBeInstanceOf(InstanceError);
});

describe('AgentTraffic without a valid URL', () => {
  it.each(['', 'traffic.example:3000'])('reports the problem once and sends no visits (%j)', async (url) => {
    const problems: string[] = [];
    const unconfigured = new AgentTraffic({ url, token: 'agt_1', onProblem: (problem) => problems.push(problem) });
    unconfigured.record({ request_path: '/', request_method: 'GET', request_headers: {} });
    await unconfigured.flush();
    expect(unconfigured.reports('/', 'GET')).toBe(false);
    expect(unconfigured.counts).toEqual({ sent: 0, rejected: 0, dropped: 0, queued: 0 });
    expect(problems).toEqual([expect.stringContaining('AGENT_TRAFFIC_URL')]);
    await expect(unconfigured.identify({ request_headers: {} })).rejects.toThrow('url or token is missing or invalid');
  });
});

it('calls onProblem if a visit cannot be serialized', () => {
  const problems: string[] = [];
  const reportingClient = new AgentTraffic({
    url: 'https://traffic.example',
    token: 'agt_1',
    onProblem: (problem) => problems.push(problem),
  });
  reportingClient.record({
    request_path: '/',
    request_method: 'GET',
    request_headers: {},
    response_status_code: 1n as never,
  });
  expect(problems).toEqual([expect.stringContaining('failed to report a visit')]);
});
