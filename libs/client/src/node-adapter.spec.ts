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
const ANSWER = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { isError: true } });

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

let servers: Server[];
let problems: string[];
let client: AgentTraffic;
let reported: Promise<Visit>;

beforeEach(() => {
  servers = [];
  problems = [];
  client = new AgentTraffic({
    url: 'https://traffic.example',
    token: 'agt_1',
    onProblem: (problem) => problems.push(problem),
    fetch: async () => Response.json({ result: 'verified', agent_type_name: 'Scraper' }),
  });
  reported = new Promise((resolve) => {
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
  ['an object', (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('a')],
  ['an object behind a message', (response) => response.writeHead(200, 'OK', { 'Content-Type': 'text/html' }).end('a')],
  ['names and values in turn', (response) => response.writeHead(200, ['Content-Type', 'text/html']).end('a')],
  ['pairs', (response) => response.writeHead(200, [['Content-Type', 'text/html']] as never).end('a')],
])('reports headers set with %s', async (_, answer) => {
  const url = await serve((__, response) => answer(response));
  expect((await fetch(url)).headers.get('content-type')).toBe('text/html');
  expect((await reported).response_headers).toMatchObject({ 'content-type': 'text/html' });
});

it('reports visits over HTTP/2', async () => {
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
  expect(await reported).toMatchObject({
    request_path: '/a?b=1',
    client_address: '127.0.0.1',
    response_status_code: 201,
    response_headers: { 'content-type': 'text/html' },
  });
  expect(await reported).not.toHaveProperty('response_aborted');
  session.close();
  server.close();
});

it('parses a compressed MCP response and sends it unchanged', async () => {
  const url = await serve(async (request, response) => {
    expect(await text(request)).toBe(CALL);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(ANSWER));
  });
  expect(await (await callTool(url)).text()).toBe(ANSWER);
  expect(await reported).toMatchObject({ mcp_request_tool_name: 'search', mcp_response_result_is_error: true });
});

it.each([
  ['is too long', 'x'.repeat(300_000), {}],
  ['unpacks to too much', gzipSync(' '.repeat(300_000)), { 'content-encoding': 'gzip' }],
  ['is not of its encoding', ANSWER, { 'content-encoding': 'gzip' }],
  ['has an encoding that is not known', ANSWER, { 'content-encoding': 'compress' }],
])('reports the tool even if the response %s', async (_, body, headers) => {
  const url = await serve(async (request, response) => {
    await text(request);
    response.writeHead(200, headers).end(body);
  });
  await callTool(url)
    .then((response) => response.text())
    .catch(() => undefined);
  const visit = await reported;
  expect(visit.mcp_request_tool_name).toBe('search');
  expect(visit.mcp_response_result_is_error).toBeUndefined();
});

it('parses a gzip request with any Accept header and a chunked response', async () => {
  const events = `event: message\rdata: ${ANSWER}\r\r`;
  const url = await serve(async (request, response) => {
    await buffer(request);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'br' });
    const packed = brotliCompressSync(events);
    for (const byte of packed) response.write(Buffer.of(byte));
    response.end();
  });
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  await (await fetch(url, { method: 'POST', headers, body: gzipSync(CALL) })).text();
  expect(await reported).toMatchObject({ mcp_request_tool_name: 'search', mcp_response_result_is_error: true });
});

it.each([
  ['bytes', Buffer.from(CALL)],
  ['text', CALL],
])('parses a call that a framework has stored as %s', async (_, body) => {
  const url = await serve((request, response) => {
    Object.assign(request, { body }).resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
  });
  await callTool(url);
  expect(await reported).toMatchObject({ mcp_request_tool_name: 'search', mcp_response_result_is_error: true });
});

it('adds no MCP fields for other JSON-RPC calls', async () => {
  const url = await serve(async (request, response) => {
    await buffer(request);
    response.end(ANSWER);
  });
  const headers = { 'content-type': 'application/json' };
  await fetch(url, {
    method: 'POST',
    headers,
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":{"name":"x"}}',
  });
  expect(Object.keys(await reported).filter((field) => field.startsWith('mcp'))).toEqual([]);
});

it('blocks agents and reports the response', async () => {
  const url = await serve((_, response) => response.end('page'), { block: { types: ['Scraper'], status: 402 } });
  const response = await fetch(url);
  expect([response.status, await response.text()]).toEqual([402, 'Payment required for this agent.\n']);
  expect(await reported).toMatchObject({ response_status_code: 402 });
});

it('allows agents of other types', async () => {
  const url = await serve((_, response) => response.end('page'), { block: { types: ['Archiver'] } });
  expect(await (await fetch(url)).text()).toBe('page');
});

it('serves the site when reporting fails', async () => {
  client.reports = () => {
    throw new Error('ours');
  };
  const url = await serve((_, response) => response.end('page'));
  expect(await (await fetch(url)).text()).toBe('page');
  expect(problems).toEqual([expect.stringContaining('ours')]);
});
