import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { withAgentTraffic as cloudflare } from './cloudflare.js';
import { agentTraffic as nextProxy, withAgentTraffic as nextRoute } from './next.js';
import type { Visit } from './types.js';

const CREDENTIALS = { url: 'https://traffic.example', token: 'agt_1' };
const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search' } });
const ANSWER = { jsonrpc: '2.0', id: 1, result: { isError: false } };

/** Visits that the instance received, and promises passed to `waitUntil`. */
let sent: Visit[];
let waited: Promise<unknown>[];
let refuses: boolean;

const fetchOfTest = (async (url: string, init: RequestInit) => {
  if (!url.endsWith('/visits')) {
    return Response.json({ result: 'verified', agent_type_name: refuses ? 'Scraper' : 'Archiver' });
  }
  const unpacked = new Blob([init.body as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'));
  sent.push(...((await new Response(unpacked).json()) as Visit[]));
  return new Response(null, { status: 204 });
}) as unknown as typeof fetch;
const waitUntil = (promise: Promise<unknown>): void => void waited.push(promise);

beforeEach(() => {
  sent = [];
  waited = [];
  refuses = false;
});

async function sentVisits(): Promise<Visit[]> {
  await Promise.all(waited);
  return sent;
}

describe('Cloudflare', () => {
  const request = (init: RequestInit = {}): Request =>
    Object.assign(
      new Request('https://site.example/a?b=1', {
        ...init,
        headers: { ...init.headers, 'cf-connecting-ip': '192.0.2.7' },
      }),
      { cf: {} },
    );

  it('reports the response of a worker, with URL and token from its bindings', async () => {
    const scheduled = async (): Promise<void> => undefined;
    const worker = cloudflare(
      {
        scheduled,
        fetch: (_request: Request, env: { greeting: string }) =>
          new Response(env.greeting, { status: 418, headers: { 'content-type': 'text/plain', 'set-cookie': 'a=b' } }),
      },
      { fetch: fetchOfTest },
    );
    const env = { greeting: 'short and stout', AGENT_TRAFFIC_URL: CREDENTIALS.url, AGENT_TRAFFIC_TOKEN: 'agt_1' };
    const response = await worker.fetch(request(), env, { waitUntil });
    expect(await response.text()).toBe('short and stout');
    expect(worker.scheduled).toBe(scheduled);
    expect(await sentVisits()).toEqual([
      {
        request_path: '/a?b=1',
        request_method: 'GET',
        request_headers: { host: 'site.example', 'cf-connecting-ip': '192.0.2.7' },
        client_address: '192.0.2.7',
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        response_status_code: 418,
        response_headers: { 'content-type': 'text/plain', 'set-cookie': '[redacted]' },
        response_duration_in_milliseconds: expect.any(Number),
      },
    ]);
  });

  it('reports an error of a worker and rethrows it', async () => {
    const worker = cloudflare(
      { fetch: () => Promise.reject(new Error('of the site')) },
      { ...CREDENTIALS, fetch: fetchOfTest },
    );
    await expect(worker.fetch(request(), {}, { waitUntil })).rejects.toThrow('of the site');
    expect(await sentVisits()).toMatchObject([{ response_status_code: 500 }]);
  });

  it('reports an MCP call and leaves both bodies readable', async () => {
    const worker = cloudflare(
      { fetch: async (given: Request) => Response.json({ ...ANSWER, heard: await given.text() }) },
      { ...CREDENTIALS, fetch: fetchOfTest },
    );
    const response = await worker.fetch(request({ method: 'POST', body: CALL, headers: MCP }), {}, { waitUntil });
    expect(await response.json()).toEqual({ ...ANSWER, heard: CALL });
    expect(await sentVisits()).toMatchObject([
      { mcp_request_tool_name: 'search', mcp_response_result_is_error: false, response_status_code: 200 },
    ]);
  });

  it('passes through responses that are too long or break off', async () => {
    const long = 'x'.repeat(300_000);
    const bodies = [long, new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) })];
    const worker = cloudflare({ fetch: () => new Response(bodies.shift()) }, { ...CREDENTIALS, fetch: fetchOfTest });
    const post = (): Promise<Response> | Response =>
      worker.fetch(request({ method: 'POST', body: CALL, headers: MCP }), {}, { waitUntil });
    expect(await (await post()).text()).toBe(long);
    await expect((await post()).text()).rejects.toThrow('broken');
    expect(await sentVisits()).toMatchObject([
      { mcp_request_tool_name: 'search' },
      { mcp_request_tool_name: 'search' },
    ]);
  });

  it.each([
    ['packed', (body: string) => gzipSync(body)],
    ['that the runtime has unpacked', (body: string) => body],
  ])('reads a response %s', async (_, packed) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const worker = cloudflare(
      { fetch: () => new Response(packed(JSON.stringify(ANSWER)), { headers }) },
      { ...CREDENTIALS, fetch: fetchOfTest },
    );
    const body = gzipSync(CALL);
    await worker.fetch(request({ method: 'POST', body, headers }), {}, { waitUntil });
    expect(await sentVisits()).toMatchObject([
      { mcp_request_tool_name: 'search', mcp_response_result_is_error: false },
    ]);
  });

  it('blocks agents and reports the response', async () => {
    refuses = true;
    const fetch = jest.fn(() => new Response('page'));
    const worker = cloudflare({ fetch }, { ...CREDENTIALS, fetch: fetchOfTest, block: { types: ['Scraper'] } });
    expect((await worker.fetch(request(), {}, { waitUntil })).status).toBe(403);
    expect(fetch).not.toHaveBeenCalled();
    expect(await sentVisits()).toMatchObject([{ response_status_code: 403 }]);
  });

  it('skips static files', async () => {
    const worker = cloudflare({ fetch: () => new Response('') }, { ...CREDENTIALS, fetch: fetchOfTest });
    await worker.fetch(new Request('https://site.example/a.css'), {}, { waitUntil });
    expect(waited).toEqual([]);
  });
});

describe('Next.js', () => {
  it('reports the request in a proxy and lets it continue', async () => {
    const proxy = nextProxy({ ...CREDENTIALS, fetch: fetchOfTest });
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    expect(await proxy(new Request('https://site.example/a', { headers }), { waitUntil })).toBeUndefined();
    expect(await sentVisits()).toEqual([
      {
        request_path: '/a',
        request_method: 'GET',
        request_headers: { host: 'site.example', ...headers },
        created: expect.any(String),
      },
    ]);
  });

  it('blocks agents in a proxy', async () => {
    refuses = true;
    const block = { types: ['Scraper'], status: 402 } as const;
    const proxy = nextProxy({ ...CREDENTIALS, fetch: fetchOfTest, block });
    const response = await proxy(new Request('https://site.example/a'), { waitUntil });
    expect(response!.status).toBe(402);
    expect(await sentVisits()).toMatchObject([{ request_path: '/a', response_status_code: 402 }]);
  });

  it('reports the response of a route after it is sent', async () => {
    const after = (task: () => Promise<unknown>): void => waitUntil(task());
    const route = nextRoute(
      async (request: Request, { params }: { params: Promise<{ id: string }> }) =>
        Response.json({ id: (await params).id, heard: await request.text() }, { status: 201 }),
      { ...CREDENTIALS, fetch: fetchOfTest, after },
    );
    const request = new Request('https://site.example/mcp', { method: 'POST', body: CALL, headers: MCP });
    const response = await route(request, { params: Promise.resolve({ id: 'a' }) });
    expect(await response.json()).toEqual({ id: 'a', heard: CALL });
    expect(await sentVisits()).toMatchObject([{ response_status_code: 201, mcp_request_tool_name: 'search' }]);
  });
});
