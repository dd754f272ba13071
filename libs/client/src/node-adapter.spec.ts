import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  connect,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { AdapterOptions } from './adapter-options.js';
import { AgentTraffic } from './client.js';
import { withAgentTraffic } from './node.js';
import type { Visit } from './types.js';

const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search' } });
const RESPONSE_BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { isError: true } });

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

let servers: Server[];
let problems: string[];
let client: AgentTraffic;
let reportedVisit: Promise<Visit>;

beforeEach(() => {
  servers = [];
  problems = [];
  client = new AgentTraffic({
    url: 'https://traffic.example',
    token: 'agt_1',
    onProblem: (problem) => problems.push(problem),
    fetch: async () => Response.json({ result: 'verified', agent_type_name: 'Scraper' }),
  });
  reportedVisit = new Promise((resolve) => {
    client.record = (visit) => resolve(visit as Visit);
  });
});
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: Listener, options: AdapterOptions = {}): Promise<string> {
  const server = createServer(withAgentTraffic(listener, { client, ...options }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const callTool = (url: string): Promise<Response> => fetch(`${url}/mcp`, { method: 'POST', headers: MCP, body: CALL });

it.each<[string, (response: ServerResponse) => unknown]>([
  ['setHeader', (response) => response.setHeader('Content-Type', 'text/html').end('a')],
  ['a writeHead object', (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('a')],
  [
    'a writeHead status message and object',
    (response) => response.writeHead(200, 'OK', { 'Content-Type': 'text/html' }).end('a'),
  ],
  ['a flat writeHead array', (response) => response.writeHead(200, ['Content-Type', 'text/html']).end('a')],
  [
    'a nested writeHead array',
    (response) => response.writeHead(200, [['Content-Type', 'text/html']] as never).end('a'),
  ],
])('reports response headers set with %s', async (_, respond) => {
  const url = await serve((__, response) => respond(response));
  expect((await fetch(url)).headers.get('content-type')).toBe('text/html');
  expect((await reportedVisit).response_headers).toMatchObject({ 'content-type': 'text/html' });
});

it('reports HTTP/2 visits', async () => {
  const server = createHttp2Server(
    withAgentTraffic(
      (_: Http2ServerRequest, response: Http2ServerResponse) =>
        response.writeHead(201, { 'content-type': 'text/html' }).end('a'),
      { client },
    ),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await text(session.request({ ':path': '/a?b=1' }))).toBe('a');
  expect(await reportedVisit).toMatchObject({
    request_path: '/a?b=1',
    client_address: '127.0.0.1',
    response_status_code: 201,
    response_headers: { 'content-type': 'text/html' },
  });
  expect(await reportedVisit).not.toHaveProperty('response_aborted');
  session.close();
  server.close();
});

it('parses a compressed MCP response without changing it', async () => {
  const url = await serve(async (request, response) => {
    expect(await text(request)).toBe(CALL);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(RESPONSE_BODY));
  });
  expect(await (await callTool(url)).text()).toBe(RESPONSE_BODY);
  expect(await reportedVisit).toMatchObject({ mcp_request_tool_name: 'search', mcp_response_result_is_error: true });
});

it.each([
  ['is too long', 'x'.repeat(300_000), {}],
  ['is too long when decompressed', gzipSync(' '.repeat(300_000)), { 'content-encoding': 'gzip' }],
  ['does not match its encoding', RESPONSE_BODY, { 'content-encoding': 'gzip' }],
  ['has an unsupported encoding', RESPONSE_BODY, { 'content-encoding': 'compress' }],
])('reports the tool name even if the response %s', async (_, body, headers) => {
  const url = await serve(async (request, response) => {
    await text(request);
    response.writeHead(200, headers).end(body);
  });
  await callTool(url)
    .then((response) => response.text())
    .catch(() => undefined);
  const visit = await reportedVisit;
  expect(visit.mcp_request_tool_name).toBe('search');
  expect(visit.mcp_response_result_is_error).toBeUndefined();
});

it('parses a gzip-compressed call without an MCP Accept header and a chunked response', async () => {
  const events = `event: message\rdata: ${RESPONSE_BODY}\r\r`;
  const url = await serve(async (request, response) => {
    await buffer(request);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'br' });
    const compressed = brotliCompressSync(events);
    for (const byte of compressed) response.write(Buffer.of(byte));
    response.end();
  });
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  await (await fetch(url, { method: 'POST', headers, body: gzipSync(CALL) })).text();
  expect(await reportedVisit).toMatchObject({ mcp_request_tool_name: 'search', mcp_response_result_is_error: true });
});

it.each([
  ['bytes', Buffer.from(CALL)],
  ['text', CALL],
])('parses a request body that a framework exposes as %s', async (_, body) => {
  const url = await serve((request, response) => {
    Object.assign(request, { body }).resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(RESPONSE_BODY);
  });
  await callTool(url);
  expect(await reportedVisit).toMatchObject({ mcp_request_tool_name: 'search', mcp_response_result_is_error: true });
});

it('omits MCP fields for other JSON-RPC calls', async () => {
  const url = await serve(async (request, response) => {
    await buffer(request);
    response.end(RESPONSE_BODY);
  });
  const headers = { 'content-type': 'application/json' };
  await fetch(url, {
    method: 'POST',
    headers,
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":{"name":"x"}}',
  });
  expect(Object.keys(await reportedVisit).filter((field) => field.startsWith('mcp'))).toEqual([]);
});

it('blocks agents and reports the 402 response', async () => {
  const url = await serve((_, response) => response.end('page'), { block: { types: ['Scraper'], status: 402 } });
  const response = await fetch(url);
  expect([response.status, await response.text()]).toEqual([402, 'Payment required for this agent.\n']);
  expect(await reportedVisit).toMatchObject({ response_status_code: 402 });
});

it('lets agents of other types pass', async () => {
  const url = await serve((_, response) => response.end('page'), { block: { types: ['Archiver'] } });
  expect(await (await fetch(url)).text()).toBe('page');
});

it('serves the site even if reporting fails', async () => {
  client.reports = () => {
    throw new Error('reporting failed');
  };
  const url = await serve((_, response) => response.end('page'));
  expect(await (await fetch(url)).text()).toBe('page');
  expect(problems).toEqual([expect.stringContaining('reporting failed')]);
});
