import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { withAgentTraffic as cloudflare } from './cloudflare.js';
import { agentTraffic as hono, type HonoContext } from './hono.js';
import { agentTraffic as nextProxy, withAgentTraffic as nextRoute } from './next.js';
import type { Visit } from './types.js';

const CREDENTIALS = { url: 'https://traffic.example', token: 'agt_1' };
const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search' } });
const RESPONSE_BODY = { jsonrpc: '2.0', id: 1, result: { isError: false } };

let reportedVisits: Visit[];
let pendingPromises: Promise<unknown>[];
let shouldBlock: boolean;

const mockFetch = (async (url: string, init: RequestInit) => {
  if (!url.endsWith('/visits')) {
    return Response.json({ result: 'verified', agent_type_name: shouldBlock ? 'Scraper' : 'Archiver' });
  }
  const decompressed = new Blob([init.body as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'));
  reportedVisits.push(...((await new Response(decompressed).json()) as Visit[]));
  return new Response(null, { status: 204 });
}) as unknown as typeof fetch;
const waitUntil = (promise: Promise<unknown>): void => void pendingPromises.push(promise);

beforeEach(() => {
  reportedVisits = [];
  pendingPromises = [];
  shouldBlock = false;
});

async function waitForVisits(): Promise<Visit[]> {
  await Promise.all(pendingPromises);
  return reportedVisits;
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

  it('reports a Worker response with the URL and token from its bindings', async () => {
    const scheduled = async (): Promise<void> => undefined;
    const worker = cloudflare(
      {
        scheduled,
        fetch: (_request: Request, env: { greeting: string }) =>
          new Response(env.greeting, { status: 418, headers: { 'content-type': 'text/plain', 'set-cookie': 'a=b' } }),
      },
      { fetch: mockFetch },
    );
    const env = { greeting: 'short and stout', AGENT_TRAFFIC_URL: CREDENTIALS.url, AGENT_TRAFFIC_TOKEN: 'agt_1' };
    const response = await worker.fetch(request(), env, { waitUntil });
    expect(await response.text()).toBe('short and stout');
    expect(worker.scheduled).toBe(scheduled);
    expect(await waitForVisits()).toEqual([
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

  it('reports and rethrows a Worker error', async () => {
    const worker = cloudflare(
      { fetch: () => Promise.reject(new Error('site error')) },
      { ...CREDENTIALS, fetch: mockFetch },
    );
    await expect(worker.fetch(request(), {}, { waitUntil })).rejects.toThrow('site error');
    expect(await waitForVisits()).toMatchObject([{ response_status_code: 500 }]);
  });

  it('reports an MCP call without consuming the request or response body', async () => {
    const worker = cloudflare(
      { fetch: async (incoming: Request) => Response.json({ ...RESPONSE_BODY, heard: await incoming.text() }) },
      { ...CREDENTIALS, fetch: mockFetch },
    );
    const response = await worker.fetch(request({ method: 'POST', body: CALL, headers: MCP }), {}, { waitUntil });
    expect(await response.json()).toEqual({ ...RESPONSE_BODY, heard: CALL });
    expect(await waitForVisits()).toMatchObject([
      { mcp_request_tool_name: 'search', mcp_response_result_is_error: false, response_status_code: 200 },
    ]);
  });

  it('passes through oversized and interrupted responses', async () => {
    const long = 'x'.repeat(300_000);
    const bodies = [long, new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) })];
    const worker = cloudflare({ fetch: () => new Response(bodies.shift()) }, { ...CREDENTIALS, fetch: mockFetch });
    const post = (): Promise<Response> | Response =>
      worker.fetch(request({ method: 'POST', body: CALL, headers: MCP }), {}, { waitUntil });
    expect(await (await post()).text()).toBe(long);
    await expect((await post()).text()).rejects.toThrow('broken');
    expect(await waitForVisits()).toMatchObject([
      { mcp_request_tool_name: 'search' },
      { mcp_request_tool_name: 'search' },
    ]);
  });

  it.each([
    ['a gzip-compressed', (body: string) => gzipSync(body)],
    ['an already decompressed', (body: string) => body],
  ])('parses %s MCP response', async (_, encodeBody) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const worker = cloudflare(
      { fetch: () => new Response(encodeBody(JSON.stringify(RESPONSE_BODY)), { headers }) },
      { ...CREDENTIALS, fetch: mockFetch },
    );
    const body = gzipSync(CALL);
    await worker.fetch(request({ method: 'POST', body, headers }), {}, { waitUntil });
    expect(await waitForVisits()).toMatchObject([
      { mcp_request_tool_name: 'search', mcp_response_result_is_error: false },
    ]);
  });

  it('blocks agents and reports the 403 response', async () => {
    shouldBlock = true;
    const fetch = jest.fn(() => new Response('page'));
    const worker = cloudflare({ fetch }, { ...CREDENTIALS, fetch: mockFetch, block: { types: ['Scraper'] } });
    expect((await worker.fetch(request(), {}, { waitUntil })).status).toBe(403);
    expect(fetch).not.toHaveBeenCalled();
    expect(await waitForVisits()).toMatchObject([{ response_status_code: 403 }]);
  });

  it('skips static files', async () => {
    const worker = cloudflare({ fetch: () => new Response('') }, { ...CREDENTIALS, fetch: mockFetch });
    await worker.fetch(new Request('https://site.example/a.css'), {}, { waitUntil });
    expect(pendingPromises).toEqual([]);
  });
});

describe('Next.js', () => {
  it('reports a request from the proxy and lets Next.js handle it', async () => {
    const proxy = nextProxy({ ...CREDENTIALS, fetch: mockFetch });
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    expect(await proxy(new Request('https://site.example/a', { headers }), { waitUntil })).toBeUndefined();
    expect(await waitForVisits()).toEqual([
      {
        request_path: '/a',
        request_method: 'GET',
        request_headers: { host: 'site.example', ...headers },
        created: expect.any(String),
      },
    ]);
  });

  it('blocks agents in the proxy', async () => {
    shouldBlock = true;
    const block = { types: ['Scraper'], status: 402 } as const;
    const proxy = nextProxy({ ...CREDENTIALS, fetch: mockFetch, block });
    const response = await proxy(new Request('https://site.example/a'), { waitUntil });
    expect(response!.status).toBe(402);
    expect(await waitForVisits()).toMatchObject([{ request_path: '/a', response_status_code: 402 }]);
  });

  it('reports a route response after sending it', async () => {
    const after = (task: () => Promise<unknown>): void => waitUntil(task());
    const route = nextRoute(
      async (request: Request, { params }: { params: Promise<{ id: string }> }) =>
        Response.json({ id: (await params).id, heard: await request.text() }, { status: 201 }),
      { ...CREDENTIALS, fetch: mockFetch, after },
    );
    const request = new Request('https://site.example/mcp', { method: 'POST', body: CALL, headers: MCP });
    const response = await route(request, { params: Promise.resolve({ id: 'a' }) });
    expect(await response.json()).toEqual({ id: 'a', heard: CALL });
    expect(await waitForVisits()).toMatchObject([{ response_status_code: 201, mcp_request_tool_name: 'search' }]);
  });
});

describe('Hono', () => {
  it('verifies the peer address on runtimes other than Node.js', async () => {
    const bodies: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (_, init) => {
      bodies.push(init?.body);
      return Response.json({ result: 'verified', agent_type_name: 'Scraper' });
    };
    const middleware = hono({
      ...CREDENTIALS,
      fetch,
      block: { types: 'all' },
      ignore: () => true,
      clientAddress: () => '192.0.2.7',
    });
    const context = {
      req: { raw: new Request('https://site.example/a') },
      env: {},
      executionCtx: { waitUntil },
    } as unknown as HonoContext;
    await middleware(context, async () => undefined);
    expect(context.res.status).toBe(403);
    expect(JSON.parse(String(bodies[0]))).toMatchObject({ client_address: '192.0.2.7' });
  });
});
