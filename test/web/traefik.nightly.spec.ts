import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BROWSER, Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { startTraefik, type RunningProxy } from './traefik.js';

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';

let instance: Instance;
let site: Server;
let upstream: string;
let traefik: RunningProxy;

beforeAll(async () => {
  instance = await Instance.start({ env: CREDENTIALS_ENV });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const rules = { agent_types: ['AI Data Scraper'], disallow: '/private/', format: 'blocks' };
  await client.api(`/projects/${await client.projectId()}/rules-versions`, { method: 'POST', body: rules });
  site = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const access = { address: instance.url, token: CREDENTIALS.accessToken };
  upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  traefik = await startTraefik(access, upstream);
});
afterAll(async () => {
  await traefik.dispose();
  site.closeAllConnections();
  site.close();
  await instance.dispose();
});

const requestStatus = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(traefik.url + path, { headers })).status;

it("blocks agents according to the project's rules, regardless of forged path headers", async () => {
  const gptbot = { 'user-agent': GPTBOT };
  await until(async () => (await requestStatus('/private/', gptbot)) === 403, { condition: 'the rules take effect' });
  for (const path of ['/', '/robots.txt']) expect(await requestStatus(path, gptbot)).toBe(200);
  for (const path of ['/', '/private/']) expect(await requestStatus(path, { 'user-agent': BROWSER })).toBe(200);
  for (const name of ['x-original-uri', 'x-forwarded-uri']) {
    expect(await requestStatus('/private/', { ...gptbot, [name]: '/robots.txt' })).toBe(403);
    expect(await requestStatus('/', { ...gptbot, [name]: '/private/' })).toBe(200);
  }
});

it('replaces forged verdict headers', async () => {
  const forgedHeaders = {
    'user-agent': GPTBOT,
    'agent-traffic-result': 'verified',
    'agent-traffic-agent': 'Googlebot',
    'agent-traffic-type': 'forged',
    'agent-traffic-operator': 'forged',
    'x-forwarded-for': '66.249.66.1',
    cookie: 'a=b',
    authorization: 'Basic YTpi',
  };
  expect(
    await (await fetch(`${traefik.url}/`, { method: 'POST', headers: forgedHeaders, body: 'tea' })).json(),
  ).toMatchObject({
    'agent-traffic-result': 'not_verifiable',
    'agent-traffic-agent': 'GPTBot',
    'agent-traffic-type': 'AI Data Scraper',
    'agent-traffic-operator': 'OpenAI',
    cookie: 'a=b',
    authorization: 'Basic YTpi',
  });
});

it.each([401, 404, 421, 503])(
  'allows every request through Traefik while the instance returns status %i',
  async (code) => {
    const stub = createServer((_request, response) => void response.writeHead(code).end());
    await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
    const proxy = await startTraefik({ address, token: 'agt_test' }, upstream);
    try {
      expect((await fetch(`${proxy.url}/`)).status).toBe(200);
    } finally {
      await proxy.dispose();
      stub.closeAllConnections();
      stub.close();
    }
  },
);

it('allows every request through Traefik while the instance is down', async () => {
  await instance.kill();
  expect(await requestStatus('/private/', { 'user-agent': GPTBOT })).toBe(200);
});
