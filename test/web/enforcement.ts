/** Tests that real proxies enforce a project's policy. */
import { randomUUID } from 'node:crypto';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import type { PolicyRule } from '#libs/contracts';
import { BROWSER, Client, CREDENTIALS, CREDENTIALS_ENV, GOOGLEBOT } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { startEnvoy } from './envoy.js';
import { startHaproxy } from './haproxy.js';
import { startProxy } from './proxies.js';
import { startTraefik, type RunningProxy } from './traefik.js';

type Access = Parameters<typeof startTraefik>[0];

const STARTERS = {
  nginx: (access: Access, upstream: string): Promise<RunningProxy> => startProxy('nginx', access, { upstream }),
  caddy: (access: Access, upstream: string): Promise<RunningProxy> => startProxy('caddy', access, { upstream }),
  haproxy: startHaproxy,
  traefik: startTraefik,
  envoy: startEnvoy,
};

interface EnforcementOptions {
  /** Number of requests from people per proxy. */
  people: number;
}

/** Header that the project trusts for the client address, so that requests can come from many addresses. */
const ADDRESS_HEADER = 'cf-connecting-ip';
const ADDRESSES = 100;
const LIMIT = 60;
/** Long enough for the requests from people on a slow machine. */
const PEOPLE_TIMEOUT_MS = 1_200_000;
/** Addresses in a range that Google publishes for Googlebot. */
const toVerifiedAddress = (index: number): string => `66.249.66.${1 + (index % ADDRESSES)}`;
const toOtherAddress = (index: number): string => `198.51.100.${1 + (index % ADDRESSES)}`;
const ROBOT = { 'user-agent': GOOGLEBOT };
const PERSON = { 'user-agent': BROWSER, accept: 'text/html', 'accept-encoding': 'gzip', 'accept-language': 'en' };

const at = (action: PolicyRule['action'], path?: string): PolicyRule => ({
  id: randomUUID(),
  name: 'Rule',
  mode: 'live',
  action,
  ...(path !== undefined && { requests: { paths: [path] } }),
});
const createRules = () => ({
  charge: at({ kind: 'charge', price: 'EUR 0,01 für eine Seite', url: 'https://shop.example/prices' }, '/site/charge'),
  moved: at({ kind: 'redirect', status: 301, location: '/{path}.md' }, '/site/moved'),
  refuse: at({ kind: 'refuse' }, '/site/refuse'),
  slow: at({ kind: 'slow_down', requests_per_minute: 1 }, '/site/slow'),
});

export function testEnforcement(kinds: readonly (keyof typeof STARTERS)[], { people }: EnforcementOptions): void {
  let instance: Instance;
  let client: Client;
  let site: Server;
  const proxies = new Map<string, RunningProxy>();
  const getUrl = (kind: string): string => proxies.get(kind)!.url;

  beforeAll(async () => {
    instance = await Instance.start({ env: CREDENTIALS_ENV });
    client = new Client({ url: instance.url, ...CREDENTIALS });
    await client.api(`/projects/${await client.projectId()}`, {
      method: 'PATCH',
      body: { trusted_proxies: { header: ADDRESS_HEADER } },
    });
    site = createServer((request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify(request.headers)));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const access = { address: instance.url, token: CREDENTIALS.accessToken };
    for (const kind of kinds) proxies.set(kind, await STARTERS[kind](access, upstream));
  });
  afterAll(async () => {
    await Promise.all([...proxies.values()].map((proxy) => proxy.dispose()));
    site.closeAllConnections();
    site.close();
    await instance.dispose();
  });

  const request = (kind: string, path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(`${getUrl(kind)}/site/${path}`, { headers, method, redirect: 'manual' });

  /** Sends a request that `fetch` would reject or change. Returns the status. */
  const sendRaw = (kind: string, target: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = get(getUrl(kind), { path: target, headers: { ...ROBOT, ...headers }, agent: false });
      sent.on('error', reject).on('response', (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
    });

  /** Saves a policy and waits until the proxy applies it. */
  async function savePolicy(kind: string, rules: PolicyRule[]): Promise<void> {
    const probe = at({ kind: 'redirect', status: 301, location: `/${randomUUID()}` }, '/site/probe');
    const body = { rules: [probe, ...rules] };
    await client.api(`/projects/${await client.projectId()}/policy`, { method: 'PUT', body });
    await until(
      async () => {
        const { headers } = await request(kind, 'probe', ROBOT);
        return headers.get('agent-traffic-decision')?.includes(probe.id) === true;
      },
      { condition: 'the policy takes effect' },
    );
  }

  /** Returns the number of requests with each status. */
  async function countStatuses(
    kind: string,
    count: number,
    createHeaders: (index: number) => Record<string, string>,
  ): Promise<Record<number, number>> {
    const pool = new Pool(getUrl(kind), { connections: 8 });
    const counts: Record<number, number> = {};
    let next = 0;
    const sendRequests = async (): Promise<void> => {
      while (next < count) {
        const index = next++;
        const { statusCode, body } = await pool.request({
          method: 'GET',
          path: `/site/page/${index}`,
          headers: createHeaders(index),
        });
        await body.dump();
        counts[statusCode] = (counts[statusCode] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, sendRequests));
    await pool.close();
    return counts;
  }

  describe.each(kinds)('%s', (kind) => {
    it('passes responses and their headers on to the visitor', async () => {
      const rules = createRules();
      await savePolicy(kind, Object.values(rules));
      const charged = await request(kind, 'charge', ROBOT);
      expect([charged.status, charged.headers.get('link')]).toEqual([
        402,
        '<https://shop.example/prices>; rel="payment"',
      ]);
      expect(await charged.text()).toContain('EUR 0,01 für eine Seite');
      expect(charged.headers.get('agent-traffic-decision')).toBe(`charged;live;${rules.charge.id}`);
      expect(charged.headers.get('cache-control')).toBe('no-store');
      const moved = await request(kind, 'moved/a?b=c', ROBOT, 'POST');
      expect([moved.status, moved.headers.get('location')]).toEqual([301, '/site/moved/a.md?b=c']);
      const refused = await request(kind, 'refuse', ROBOT);
      expect([refused.status, await refused.text()]).toEqual([
        403,
        'The rules of this site do not let this agent fetch this page.\n'.slice(0, kind === 'nginx' ? -1 : undefined),
      ]);
      const allowed = await request(kind, 'slow', { ...ROBOT, 'agent-traffic-decision': 'forged' });
      expect([allowed.status, await allowed.json()]).toMatchObject([
        200,
        { 'agent-traffic-agent': 'Googlebot', 'agent-traffic-decision': `allowed;live;${rules.slow.id}` },
      ]);
      const slowed = await request(kind, 'slow', ROBOT);
      expect([slowed.status, Number(slowed.headers.get('retry-after')) > 0]).toEqual([429, true]);
      for (const path of ['charge', 'moved/a', 'refuse', 'slow']) {
        const { status } = await request(kind, path, PERSON);
        expect([path, status]).toEqual([path, 200]);
      }
    });

    it('refuses requests that the instance cannot parse', async () => {
      await savePolicy(kind, [at({ kind: 'refuse' })]);
      const sizes = [7_000, 12_000, 14_000, 15_000, 16_000, 20_000];
      const headers = sizes.map((size) => ({ 'x-junk': 'a'.repeat(size / 2), 'x-more': 'a'.repeat(size / 2) }));
      const requests: [string, Record<string, string>][] = [
        ...headers.map((each) => ['/site/', each] as [string, Record<string, string>]),
        [`/site/${'a'.repeat(7_000)}`, headers[0]!],
        ['/site/', { expect: 'tea' }],
      ];
      const statuses = await Promise.all(requests.map(([target, each]) => sendRaw(kind, target, each)));
      expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    });

    it('applies rules for a host regardless of its spelling', async () => {
      await savePolicy(kind, [{ ...at({ kind: 'refuse' }), requests: { hosts: ['shop.example'] } }]);
      expect(await sendRaw(kind, '/site/', { host: 'other.example' })).toBe(200);
      for (const host of ['shop.example', 'shop.example:443', 'SHOP.example.']) {
        expect([host, await sendRaw(kind, '/site/', { host })]).toEqual([host, 403]);
      }
      const status = await sendRaw(kind, 'http://shop.example/site/', { host: 'other.example' });
      // HAProxy rejects the request, because its host is ambiguous.
      expect(status).toBe(kind === 'haproxy' ? 400 : 403);
    });

    it('limits an agent across its addresses, without an effect of impostors', async () => {
      await savePolicy(kind, [at({ kind: 'slow_down', requests_per_minute: LIMIT })]);
      const send = (toAddress: (index: number) => string) =>
        countStatuses(kind, 2 * ADDRESSES, (index) => ({ ...ROBOT, [ADDRESS_HEADER]: toAddress(index) }));
      const expected = { 200: LIMIT, 429: 2 * ADDRESSES - LIMIT };
      expect(await send(toOtherAddress)).toEqual(expected);
      expect(await send(toVerifiedAddress)).toEqual(expected);
    });

    it(
      'never acts on people',
      async () => {
        await savePolicy(kind, [at({ kind: 'refuse' })]);
        const createHeaders = (index: number) => ({ ...PERSON, [ADDRESS_HEADER]: toOtherAddress(index) });
        expect(await countStatuses(kind, people, createHeaders)).toEqual({ 200: people });
      },
      PEOPLE_TIMEOUT_MS,
    );
  });

  it(
    'lets all requests through while the instance is down',
    async () => {
      for (const kind of kinds) await savePolicy(kind, [at({ kind: 'refuse' })]);
      await instance.kill();
      for (const kind of kinds) {
        const headers = { ...ROBOT, 'agent-traffic-result': 'verified', 'agent-traffic-decision': 'forged' };
        expect([kind, await countStatuses(kind, 50, () => headers)]).toEqual([kind, { 200: 50 }]);
        expect([kind, await countStatuses(kind, people, () => PERSON)]).toEqual([kind, { 200: people }]);
        const seen = Object.keys((await (await request(kind, '', headers)).json()) as object);
        expect([kind, seen.filter((name) => name.startsWith('agent-traffic-'))]).toEqual([kind, []]);
      }
    },
    PEOPLE_TIMEOUT_MS,
  );
}
