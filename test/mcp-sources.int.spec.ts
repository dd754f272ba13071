import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as sendRequest, Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { customFormat, LogParser, toVisit } from '#libs/access-log';
import type { ToolsReport } from '#libs/contracts';
import { AgentTraffic } from '../libs/client/src/index.node.js';
import { withAgentTraffic } from '../libs/client/src/node.js';
import { App } from './kit/app.js';
import './kit/dispose-all.js';
import { until } from './kit/instance.js';
import { SeededRandom } from '../libs/demo/src/seeded-random.js';

const CALLS = 10_000;
const CONCURRENT_CALLS = 16;
const TOOLS = ['search', 'get_weather', 'Köln wählen', ' padded ', 'create_order'];
const AGENTS = [
  'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
  'Claude-User/1.0',
  'shop-helper/1.0',
];
const VERSIONS = ['2026-07-28', '2025-11-25'];
const ADDRESS = '127.0.0.1';

interface Call {
  body: { jsonrpc: '2.0'; id: number; method: string; params: Record<string, unknown> };
  headers: Record<string, string>;
  status: number;
}

const encodeName = (name: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;

function generateCalls(): Call[] {
  const random = new SeededRandom(41);
  const pick = <T>(items: readonly T[]): T => items[random.nextBelow(items.length)]!;
  return Array.from({ length: CALLS }, (_, id) => {
    const name = pick(TOOLS);
    const [method, params, header] = pick<[string, Record<string, unknown>, string | null]>([
      ['tools/call', { name }, name],
      ['tools/call', { name }, name],
      ['resources/read', { uri: `file:///${name.trim()}.md` }, `file:///${name.trim()}.md`],
      ['prompts/get', { name: 'summarize' }, 'summarize'],
      ['tools/list', {}, null],
    ]);
    return {
      body: { jsonrpc: '2.0', id, method, params },
      headers: {
        host: 'shop.example',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'user-agent': pick(AGENTS),
        'mcp-protocol-version': pick(VERSIONS),
        'mcp-method': method,
        ...(header !== null && { 'mcp-name': encodeName(header) }),
      },
      status: random.chance(0.05) ? pick([404, 500, 503]) : 200,
    };
  });
}

const calls = generateCalls();
const startedAt = Date.now() - 60_000;
const toTime = (index: number): number => startedAt + index;

let app: App;
beforeAll(async () => {
  app = await App.start();
});

interface Project {
  id: string;
  token: string;
}
async function createProject(): Promise<Project> {
  const { id } = (await app.api('POST', '/projects', { name: 'MCP server' })).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  return { id, token };
}

/** Sends the calls to an MCP server that reports them with the JavaScript client. */
async function sendToServer({ token }: Project): Promise<void> {
  const client = new AgentTraffic({
    url: 'http://traffic.example',
    token,
    fetch: async (url, options) => {
      const { method, headers, body } = new Request(url, options);
      const { statusCode: status, payload } = await app.nest.inject({
        method: method as 'POST',
        url: new URL(String(url)).pathname,
        headers: Object.fromEntries(headers),
        payload: Buffer.from(await new Response(body).arrayBuffer()),
      });
      return new Response(status === 204 ? null : payload, { status });
    },
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id } = JSON.parse(await text(request));
    const { status } = calls[id]!;
    response.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'text/plain' });
    response.end(status === 200 ? JSON.stringify({ jsonrpc: '2.0', id, result: { isError: false } }) : 'Unavailable');
  };
  const server = createServer(withAgentTraffic(answer, { client }));
  server.listen(0, ADDRESS);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT_CALLS });
  const send = async ({ body, headers }: Call): Promise<void> => {
    const request = sendRequest({ host: ADDRESS, port, path: '/mcp', method: 'POST', headers, agent });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await text(response);
  };
  for (let start = 0; start < calls.length; start += CONCURRENT_CALLS) {
    await Promise.all(calls.slice(start, start + CONCURRENT_CALLS).map(send));
  }
  await client.shutdown();
  agent.destroy();
  server.close();
  expect(client.counts).toMatchObject({ sent: CALLS, dropped: 0 });
}

/** Imports an nginx log in the format that the docs recommend. */
async function importNginxLog({ token }: Project): Promise<void> {
  const docs = await readFile(join(import.meta.dirname, '../docs/connect/web-servers.md'), 'utf8');
  const directive = /log_format agent_traffic [^;]*;/.exec(docs)![0];
  const parser = new LogParser(customFormat(directive));
  const visits = calls.map(({ headers, status }, index) => {
    const values: Record<string, string> = {
      host: headers['host']!,
      remote_addr: ADDRESS,
      time_iso8601: new Date(toTime(index)).toISOString().replace(/\.\d+Z/, '+00:00'),
      request: 'POST /mcp HTTP/1.1',
      status: String(status),
      body_bytes_sent: '10',
      request_time: '0.004',
    };
    const format = directive.replace(/^log_format \w+ /, '').replaceAll(/'\s*'|^'|';$/g, '');
    const line = format.replaceAll(
      /\$(\w+)/g,
      (_, name: string) => values[name] ?? headers[name.replace(/^http_/, '').replaceAll('_', '-')] ?? '-',
    );
    const parsed = parser.read(line);
    if (!('line' in parsed)) throw new Error(JSON.stringify(parsed));
    return toVisit(parsed.line);
  });
  for (let start = 0; start < CALLS; start += 2_500) {
    const response = await app.post('/visits', visits.slice(start, start + 2_500), {
      authorization: `Bearer ${token}`,
    });
    expect(response.status).toBe(204);
  }
}

async function sendToDrain({ token }: Project, source: string, lines: readonly object[]): Promise<void> {
  const response = await app.nest.inject({
    method: 'POST',
    url: `/drains/${source}`,
    headers: { authorization: `Bearer ${token}` },
    payload: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  expect(response.json()).toMatchObject({ visits: CALLS, unreadable: 0 });
}

const sendCaddyLog = (project: Project): Promise<void> =>
  sendToDrain(
    project,
    'json',
    calls.map(({ headers, status }, index) => ({
      ts: toTime(index) / 1_000,
      request: {
        remote_ip: ADDRESS,
        method: 'POST',
        host: headers['host'],
        uri: '/mcp',
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
            [value],
          ]),
        ),
      },
      status,
      duration: 0.004,
    })),
  );

const sendLogpush = (project: Project): Promise<void> =>
  sendToDrain(
    project,
    'cloudflare-logpush',
    calls.map(({ headers, status }, index) => ({
      EdgeStartTimestamp: toTime(index) * 1e6,
      EdgeEndTimestamp: (toTime(index) + 4) * 1e6,
      ClientIP: ADDRESS,
      ClientRequestMethod: 'POST',
      ClientRequestHost: headers['host'],
      ClientRequestURI: '/mcp',
      ClientRequestUserAgent: headers['user-agent'],
      EdgeResponseStatus: status,
      RayID: `ray-${index}`,
      RequestHeaders: Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))),
    })),
  );

const countRequests = ({ versions }: ToolsReport): number => versions.reduce((sum, item) => sum + item.requests, 0);
const countCalls = ({ series }: ToolsReport): number => series.reduce((sum, item) => sum + item.calls, 0);

/** Returns the parts of the report that don't depend on bodies and durations. */
async function readReport({ id }: Project, expectedCalls: number) {
  const range = `from=${new Date(startedAt - 3_600_000).toISOString()}&to=${new Date(Date.now() + 3_600_000).toISOString()}`;
  const report = await until<ToolsReport | undefined>(
    async () => {
      const { body } = await app.api('GET', `/projects/${id}/tools?${range}`);
      return countCalls(body) >= expectedCalls && countRequests(body) >= calls.length ? body : undefined;
    },
    { condition: 'all calls are counted', timeoutMs: 60_000 },
  );
  const { tools, errors, callers, requests, versions } = report!;
  return {
    calls: countCalls(report!),
    tools: tools.map(({ tool, calls: count, errors: failed, callers: agents }) => ({ tool, count, failed, agents })),
    errors,
    callers,
    requests,
    versions,
  };
}

it('counts the same calls, tools and callers for the client, an nginx log, a Caddy log and Logpush', async () => {
  const sources = { client: sendToServer, nginx: importNginxLog, caddy: sendCaddyLog, logpush: sendLogpush };
  const toolCalls = calls.filter(({ body }) => body.method === 'tools/call');
  const reports: Record<string, Awaited<ReturnType<typeof readReport>>> = {};
  for (const [name, send] of Object.entries(sources)) {
    const project = await createProject();
    await send(project);
    reports[name] = await readReport(project, toolCalls.length);
  }
  const { client } = reports;
  const requestCounts = client!.requests.reduce((sum, { requests }) => sum + requests, 0);
  expect(requestCounts).toBe(CALLS - toolCalls.length);
  expect(client!.requests).toContainEqual(
    expect.objectContaining({ method: 'resources/read', name: 'file:///Köln wählen.md' }),
  );
  for (const version of VERSIONS) {
    const sent = calls.filter(({ headers }) => headers['mcp-protocol-version'] === version).length;
    const counted = client!.versions.filter((row) => row.version === version);
    expect(counted.reduce((sum, { requests }) => sum + requests, 0)).toBe(sent);
  }
  expect(client!.calls).toBe(toolCalls.length);
  expect(Object.fromEntries(client!.tools.map(({ tool, count }) => [tool, count]))).toEqual(
    Object.fromEntries(
      TOOLS.map((tool) => [tool, toolCalls.filter(({ body }) => body.params['name'] === tool).length]),
    ),
  );
  expect(client!.tools.reduce((sum, { failed }) => sum + failed, 0)).toBe(
    toolCalls.filter(({ status }) => status !== 200).length,
  );
  expect(new Set(client!.callers.map(({ agent_token: token }) => token))).toEqual(
    new Set(['ChatGPT-User', 'Claude-User', null]),
  );
  for (const name of ['nginx', 'caddy', 'logpush']) expect({ name, ...reports[name] }).toEqual({ name, ...client });
}, 180_000);
