import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client, CREDENTIALS, CREDENTIALS_ENV, BROWSER } from '../kit/client.js';
import { freePort, Instance, until } from '../kit/instance.js';
import type { WebServer } from '../rules/web-servers.js';
import { ASKING, startProxy, type Asking, type SiteOptions } from './proxies.js';

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const token = CREDENTIALS.accessToken;

let instance: Instance;
/** Site that echoes the headers and body of each request. */
let site: Server;
let upstream: string;
const servers: WebServer[] = [];

beforeAll(async () => {
  instance = await Instance.start({ env: CREDENTIALS_ENV });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const rules = { agent_types: ['AI Data Scraper'], disallow: '/private/', format: 'blocks' };
  const path = `/projects/${await client.projectId()}/rules-versions`;
  await client.api(path, { method: 'POST', body: rules });
  site = createServer((request, response) => {
    void text(request).then((body) => response.end(JSON.stringify({ headers: request.headers, body })));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.dispose()));
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await instance.dispose();
});

async function proxy(kind: Asking, address = instance.url, options: SiteOptions = {}): Promise<WebServer> {
  const server = await startProxy(kind, { address, token }, { upstream, ...options });
  servers.push(server);
  return server;
}

const status = async (server: WebServer, path: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(server.url + path, { headers })).status;

async function answering(code: number, use: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => void response.writeHead(code).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe.each(ASKING)('%s', (kind) => {
  it('refuses agents by the rules of the project, regardless of forged path headers', async () => {
    const server = await proxy(kind);
    const gptbot = { 'user-agent': GPTBOT };
    await until(async () => (await status(server, '/private/', gptbot)) === 403, { what: 'the rules are in use' });
    for (const path of ['/', '/robots.txt']) expect(await status(server, path, gptbot)).toBe(200);
    for (const path of ['/', '/private/', '/robots.txt']) {
      expect(await status(server, path, { 'user-agent': BROWSER })).toBe(200);
    }
    for (const name of ['x-original-uri', 'x-forwarded-uri']) {
      expect(await status(server, '/private/', { ...gptbot, [name]: '/robots.txt' })).toBe(403);
      expect(await status(server, '/', { ...gptbot, [name]: '/private/' })).toBe(200);
    }
  });

  it('replaces forged verdict headers, and forwards other headers and the body', async () => {
    const server = await proxy(kind);
    const ask = async (headers: Record<string, string>, body: string | ReadableStream): Promise<object> => {
      const init = { method: 'POST', headers, body, duplex: 'half' };
      return (await (await fetch(`${server.url}/site/a?b=c`, init as RequestInit)).json()) as object;
    };
    const forged = {
      'agent-traffic-result': 'verified',
      'agent-traffic-agent': 'Googlebot',
      'agent-traffic-type': 'forged',
      'agent-traffic-operator': 'forged',
    };
    const sent = { ...forged, cookie: 'a=b', authorization: 'Basic YTpi', 'content-type': 'text/plain' };
    expect(await ask({ ...sent, 'user-agent': GPTBOT }, 'tea')).toMatchObject({
      body: 'tea',
      headers: {
        'agent-traffic-result': 'not_verifiable',
        'agent-traffic-agent': 'GPTBot',
        'agent-traffic-type': 'AI Data Scraper',
        'agent-traffic-operator': 'OpenAI',
        cookie: 'a=b',
        authorization: 'Basic YTpi',
      },
    });
    // Chunked, without a Content-Length.
    const pieces = new Blob(['black ', 'tea']).stream();
    expect(await ask({ ...sent, 'user-agent': BROWSER }, pieces)).toMatchObject({
      body: 'black tea',
      headers: { 'agent-traffic-result': 'unknown_agent', 'agent-traffic-agent': '-' },
    });
  });

  it.each([401, 429, 503])('allows every request while the instance answers %i', async (code) => {
    await answering(code, async (address) => {
      const server = await proxy(kind, address);
      const answer = await fetch(`${server.url}/site/`, { headers: { 'agent-traffic-result': 'verified' } });
      expect(answer.status).toBe(200);
      expect(((await answer.json()) as { headers: object }).headers).not.toHaveProperty('agent-traffic-result');
    });
  });
});

it('allows requests via nginx while the instance is down, unless configured otherwise', async () => {
  const address = `http://127.0.0.1:${await freePort()}`;
  const open = await proxy('nginx', address);
  expect(await status(open, '/', { 'user-agent': GPTBOT })).toBe(200);
  const closed = await proxy('nginx', address, { change: (lines) => lines.replace(/^ *error_page .*$/m, '') });
  expect(await status(closed, '/', { 'user-agent': BROWSER })).toBe(500);
});

it('allows requests via Caddy while the instance is down if it has a second address', async () => {
  const address = `http://127.0.0.1:${await freePort()}`;
  const closed = await proxy('caddy', address);
  expect(await status(closed, '/', { 'user-agent': BROWSER })).toBe(502);
  await answering(503, async (second) => {
    const change = (lines: string): string =>
      lines.replace(
        `${address} {`,
        `${address} ${second} {\n\tlb_policy first\n\tlb_try_duration 1s\n\tfail_duration 5s`,
      );
    const open = await proxy('caddy', address, { change });
    for (let count = 0; count < 3; count += 1) expect(await status(open, '/', { 'user-agent': GPTBOT })).toBe(200);
  });
});
