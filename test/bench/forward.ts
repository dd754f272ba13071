/** Measures how long proxies take to serve a small response, with and without an authorization request per visit. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { VERIFYING_PROXIES, startProxy } from '../web/proxies.ts';
import { startTraefik } from '../web/traefik.ts';
import { OFFLINE_ENV } from '../kit/instance.ts';
import { stopServers, isQuick, printRows, ROUNDS, serveStandalone, WARM_UP_ROUNDS, type Row } from './compare.ts';
import { startPostgres } from './postgres.ts';

const [TOKEN, KEY] = ['the-token-of-the-benchmark', 'the-key-of-the-benchmark'];
const VISITORS = {
  'a browser':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'an agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'a blocked agent':
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
  await saveRules(address);
  const rows: Row[] = [];
  for (const kind of VERIFYING_PROXIES)
    rows.push(...(await measureProxy(kind, address, (access) => startProxy(kind, access))));
  // Traefik can't serve files, so it needs an upstream.
  const site = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  rows.push(...(await measureProxy('traefik', address, (access) => startTraefik(access, upstream))));
  site.closeAllConnections();
  site.close();
  printRows(`${REQUESTS} requests per measurement`, rows);
} finally {
  stopServers();
  await postgres.stop();
}

async function saveRules(address: string): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const { projects } = (await (await fetch(`${address}/api/projects`, { headers })).json()) as {
    projects: { id: string }[];
  };
  const body = JSON.stringify({ agent_types: ['AI Data Scraper'], format: 'blocks' });
  const path = `${address}/api/projects/${projects[0]!.id}/rules-versions`;
  const { ok, status } = await fetch(path, { method: 'POST', headers, body });
  if (!ok) throw new Error(`Could not save the rules: ${status}`);
}

interface Proxy {
  url: string;
  dispose: () => Promise<void>;
}

async function measureProxy(
  kind: string,
  address: string,
  start: (access: { address: string; token: string } | null) => Promise<Proxy>,
): Promise<Row[]> {
  const authorizingProxy = await start({ address, token: TOKEN });
  const plainProxy = await start(null);
  const found: Row[] = [];
  for (const connections of CONNECTIONS) {
    for (const [visitor, userAgent] of Object.entries(VISITORS)) {
      const rows = Object.keys(SHARES).map((share): Row => ({
        what: `${kind}, ${visitor}, ${connections} at once, ${share}`,
        peer: 'same proxy without authorization requests',
        unit: 'µs',
        ours: [],
        theirs: [],
        goal: null,
      }));
      const status = visitor === 'a blocked agent' ? 403 : 200;
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        const ours = await microseconds(authorizingProxy.url, userAgent, connections, status);
        const theirs = await microseconds(plainProxy.url, userAgent, connections, 200);
        if (round < 0) continue;
        for (const [index, share] of Object.values(SHARES).entries()) {
          rows[index]!.ours.push(quantile(ours, share));
          rows[index]!.theirs.push(quantile(theirs, share));
        }
        process.stderr.write('.');
      }
      found.push(...rows);
    }
  }
  await Promise.all([authorizingProxy.dispose(), plainProxy.dispose()]);
  return found;
}

/**
 * Returns the duration of each request in microseconds.
 *
 * @throws {Error} if a response has an unexpected status
 */
async function microseconds(url: string, userAgent: string, connections: number, status: number): Promise<number[]> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const durations: number[] = [];
  let remaining = REQUESTS;
  const sendRequests = async (): Promise<void> => {
    while (remaining-- > 0) {
      const started = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: '/',
        headers: { 'user-agent': userAgent },
      });
      await body.dump();
      durations.push((performance.now() - started) * 1_000);
      if (statusCode !== status) throw new Error(`Got status ${statusCode} instead of ${status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendRequests));
  await pool.close();
  return durations;
}

/** @param share Quantile from 0 to 1. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)]!;
}
