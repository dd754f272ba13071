import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client, CREDENTIALS, CREDENTIALS_ENV, BROWSER } from '../kit/client.js';
import { freePort, Instance, until } from '../kit/instance.js';
import type { WebServer } from '../rules/web-servers.js';
import { VERIFYING_PROXIES, startProxy, type VerifyingProxy, type ProxyOptions } from './proxies.js';

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const token = CREDENTIALS.accessToken;

let instance: Instance;
/** Site that echoes each request's headers and body. */
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

async function startTestProxy(
  kind: VerifyingProxy,
  address = instance.url,
  options: ProxyOptions = {},
): Promise<WebServer> {
  const server = await startProxy(kind, { address, token }, { upstream, ...options });
  servers.push(server);
  return server;
}

const requestStatus = async (server: WebServer, path: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(server.url + path, { headers })).status;

async function withStubInstance(code: number, callback: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => void response.writeHead(code).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await callback(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe.each(VERIFYING_PROXIES)('%s', (kind) => {
  it("blocks agents according to the project's rules, regardless of forged path headers", async () => {
    const server = await startTestProxy(kind);
    const gptbot = { 'user-agent': GPTBOT };
    await until(async () => (await requestStatus(server, '/private/', gptbot)) === 403, {
      condition: 'the rules take effect',
    });
    for (const path of ['/', '/robots.txt']) expect(await requestStatus(server, path, gptbot)).toBe(200);
    for (const path of ['/', '/private/', '/robots.txt']) {
      expect(await requestStatus(server, path, { 'user-agent': BROWSER })).toBe(200);
    }
    for (const name of ['x-original-uri', 'x-forwarded-uri']) {
      expect(await requestStatus(server, '/private/', { ...gptbot, [name]: '/robots.txt' })).toBe(403);
      expect(await requestStatus(server, '/', { ...gptbot, [name]: '/private/' })).toBe(200);
    }
  });

  it('replaces forged verdict headers, and forwards other headers and the body', async () => {
    const server = await startTestProxy(kind);
    const postToSite = async (headers: Record<string, string>, body: string | ReadableStream): Promise<object> => {
      const init = { method: 'POST', headers, body, duplex: 'half' };
      return (await (await fetch(`${server.url}/site/a?b=c`, init as RequestInit)).json()) as object;
    };
    const forgedHeaders = {
      'agent-traffic-result': 'verified',
      'agent-traffic-agent': 'Googlebot',
      'agent-traffic-type': 'forged',
      'agent-traffic-operator': 'forged',
    };
    const sent = { ...forgedHeaders, cookie: 'a=b', authorization: 'Basic YTpi', 'content-type': 'text/plain' };
    expect(await postToSite({ ...sent, 'user-agent': GPTBOT }, 'tea')).toMatchObject({
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
    // A stream is sent with chunked encoding instead of a Content-Length.
    const chunkedBody = new Blob(['black ', 'tea']).stream();
    expect(await postToSite({ ...sent, 'user-agent': BROWSER }, chunkedBody)).toMatchObject({
      body: 'black tea',
      headers: { 'agent-traffic-result': 'unknown_agent', 'agent-traffic-agent': '-' },
    });
  });

  it.each([401, 403, 404, 421, 503])('allows every request while the instance returns status %i', async (code) => {
    await withStubInstance(code, async (address) => {
      const server = await startTestProxy(kind, address);
      const answer = await fetch(`${server.url}/site/`, { headers: { 'agent-traffic-result': 'verified' } });
      expect(answer.status).toBe(200);
      expect(((await answer.json()) as { headers: object }).headers).not.toHaveProperty('agent-traffic-result');
    });
  });
});

it('allows requests via nginx while the instance is down, unless configured otherwise', async () => {
  const address = `http://127.0.0.1:${await freePort()}`;
  const openProxy = await startTestProxy('nginx', address);
  expect(await requestStatus(openProxy, '/', { 'user-agent': GPTBOT })).toBe(200);
  const closedProxy = await startTestProxy('nginx', address, {
    changeSnippet: (lines) => lines.replace(/^ *error_page 401 .*$/m, ''),
  });
  expect(await requestStatus(closedProxy, '/', { 'user-agent': BROWSER })).toBe(500);
});

it('returns 403 responses of the site unchanged via nginx', async () => {
  const server = await startTestProxy('nginx', instance.url, {
    changeSnippet: (lines) => lines.replace('location = /_agent_traffic {', 'location = /closed { deny all; }\n$&'),
  });
  const answer = await fetch(`${server.url}/closed`, { headers: { 'user-agent': BROWSER } });
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('403 Forbidden')]);
});
