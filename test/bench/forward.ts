/**
 * Measures how long proxies take to serve a small response, with and without an authorization request per visit, and how
 * long the authorization request takes by itself.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { VERIFYING_PROXIES, startProxy } from '../web/proxies.ts';
import { startEnvoy } from '../web/envoy.ts';
import { startHaproxy } from '../web/haproxy.ts';
import { startTraefik, type RunningProxy } from '../web/traefik.ts';
import { OFFLINE_ENV } from '../kit/instance.ts';
import {
  stopServers,
  isQuick,
  matchesFilter,
  printRows,
  ROUNDS,
  serveStandalone,
  WARM_UP_ROUNDS,
  type Row,
} from './compare.ts';
import { startPostgres } from './postgres.ts';

const [TOKEN, KEY] = ['the-token-of-the-benchmark', 'the-key-of-the-benchmark'];
const VISITORS = {
  'a browser':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'an agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'a refused agent':
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
};
/** Sequential requests, and enough concurrent requests to keep two cores busy. */
const CONNECTIONS = [1, 16];
const REQUESTS = isQuick ? 200 : 1_000;
const SHARES = { p50: 0.5, p99: 0.99 };

const postgres = await startPostgres();
try {
  const address = await serveStandalone(postgres.folder, await postgres.createDatabase('ours'), {
    PROJECT_ACCESS_TOKEN: TOKEN,
    API_KEY: KEY,
    ...OFFLINE_ENV,
  });
  await savePolicy(address);
  const site = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const rows: Row[] = await measureRequests(address, upstream);
  for (const kind of VERIFYING_PROXIES.filter((name) => matchesFilter(name)))
    rows.push(...(await measureProxy(kind, address, (access) => startProxy(kind, access))));
  // These proxies can't serve files, so they need an upstream.
  const starters = Object.entries({ haproxy: startHaproxy, traefik: startTraefik, envoy: startEnvoy });
  for (const [kind, start] of starters.filter(([name]) => matchesFilter(name)))
    rows.push(...(await measureProxy(kind, address, (access) => start(access, upstream))));
  site.closeAllConnections();
  site.close();
  printRows(`${REQUESTS} requests per measurement`, rows);
} finally {
  stopServers();
  await postgres.stop();
}

/** Saves a policy with a limit that is never reached, and one refused agent. */
async function savePolicy(address: string): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const { projects } = (await (await fetch(`${address}/api/projects`, { headers })).json()) as {
    projects: { id: string }[];
  };
  const rule = (action: object, token: string) => ({
    id: randomUUID(),
    name: token,
    mode: 'live',
    visitors: { agent_tokens: [token] },
    action,
  });
  const rules = [
    rule({ kind: 'refuse' }, 'GPTBot'),
    rule({ kind: 'slow_down', requests_per_minute: 100_000 }, 'Googlebot'),
  ];
  const path = `${address}/api/projects/${projects[0]!.id}/policy`;
  const { ok, status } = await fetch(path, { method: 'PUT', headers, body: JSON.stringify({ rules }) });
  if (!ok) throw new Error(`Could not save the policy: ${status}`);
}

interface Measured extends RunningProxy {
  path?: string;
  headers?: Record<string, string>;
  /** Status of allowed requests. Default: 200. */
  allowed?: number;
}

/** Measures authorization requests without a proxy, next to requests to the site. */
async function measureRequests(address: string, upstream: string): Promise<Row[]> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-original-uri': '/', 'x-forwarded-for': '198.51.100.7' };
  const dispose = async (): Promise<void> => undefined;
  return measure(
    'authorization request',
    'request to the site',
    { url: address, path: '/agent-verifications/forward', headers, allowed: 204, dispose },
    { url: upstream, dispose },
  );
}

async function measureProxy(
  kind: string,
  address: string,
  start: (access: { address: string; token: string } | null) => Promise<RunningProxy>,
): Promise<Row[]> {
  const ours = await start({ address, token: TOKEN });
  return measure(kind, 'same proxy without authorization requests', ours, await start(null));
}

async function measure(name: string, peer: string, ours: Measured, theirs: Measured): Promise<Row[]> {
  const found: Row[] = [];
  for (const connections of CONNECTIONS) {
    for (const [visitor, userAgent] of Object.entries(VISITORS)) {
      const createRow = (value: string, unit: string): Row => ({
        what: `${name}, ${visitor}, ${connections} at once, ${value}`,
        peer,
        unit,
        ours: [],
        theirs: [],
        goal: null,
      });
      const rows = Object.keys(SHARES).map((share) => createRow(share, 'µs'));
      const rate = createRow('rate', 'requests/s');
      const status = visitor === 'a refused agent' ? 403 : (ours.allowed ?? 200);
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        const one = await sendRequests(ours, userAgent, connections, status);
        const other = await sendRequests(theirs, userAgent, connections, 200);
        if (round < 0) continue;
        for (const [index, share] of Object.values(SHARES).entries()) {
          rows[index]!.ours.push(quantile(one.microseconds, share));
          rows[index]!.theirs.push(quantile(other.microseconds, share));
        }
        rate.ours.push(one.perSecond);
        rate.theirs.push(other.perSecond);
        process.stderr.write('.');
      }
      found.push(...rows, rate);
    }
  }
  await Promise.all([ours.dispose(), theirs.dispose()]);
  return found;
}

/**
 * Returns the duration of each request, and the number of requests per second.
 *
 * @throws {Error} if a response has an unexpected status
 */
async function sendRequests(
  { url, path = '/', headers }: Measured,
  userAgent: string,
  connections: number,
  status: number,
): Promise<{ microseconds: number[]; perSecond: number }> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const microseconds: number[] = [];
  let remaining = REQUESTS;
  const send = async (): Promise<void> => {
    while (remaining-- > 0) {
      const sentAt = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path,
        headers: { ...headers, 'user-agent': userAgent },
      });
      await body.dump();
      microseconds.push((performance.now() - sentAt) * 1_000);
      if (statusCode !== status) throw new Error(`Got status ${statusCode} instead of ${status}`);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, send));
  const perSecond = (REQUESTS * 1_000) / (performance.now() - startedAt);
  await pool.close();
  return { microseconds, perSecond };
}

/** @param share Quantile from 0 to 1. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)]!;
}
