/** Measures how long proxies take to serve a small response if they ask about each request, and if they don't. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { ASKING, startProxy } from '../web/proxies.ts';
import { startTraefik } from '../web/traefik.ts';
import { ALONE } from '../kit/instance.ts';
import { endServers, isQuick, printRows, ROUNDS, serveStandalone, WARM_UPS, type Row } from './compare.ts';
import { startPostgres } from './postgres.ts';

const [TOKEN, KEY] = ['the-token-of-the-benchmark', 'the-key-of-the-benchmark'];
const VISITORS = {
  'a browser':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'an agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'a refused agent':
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
};
/** Sequential requests, and enough concurrent ones to keep two cores busy. */
const CONNECTIONS = [1, 16];
const REQUESTS = isQuick ? 200 : 1_000;
const SHARES = { p50: 0.5, p99: 0.99 };

const postgres = await startPostgres();
try {
  const address = await serveStandalone(postgres.folder, await postgres.createDatabase('ours'), {
    PROJECT_ACCESS_TOKEN: TOKEN,
    API_KEY: KEY,
    ...ALONE,
  });
  await saveRules(address);
  const rows: Row[] = [];
  for (const kind of ASKING) rows.push(...(await rowsOf(kind, address, (access) => startProxy(kind, access))));
  // Traefik serves no files, so it needs an upstream.
  const site = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  rows.push(...(await rowsOf('traefik', address, (access) => startTraefik(access, upstream))));
  site.closeAllConnections();
  site.close();
  printRows(`${REQUESTS} requests each`, rows);
} finally {
  endServers();
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
  if (!ok) throw new Error(`The rules were not saved: ${status}`);
}

interface Proxy {
  url: string;
  dispose: () => Promise<void>;
}

async function rowsOf(
  kind: string,
  address: string,
  start: (access: { address: string; token: string } | null) => Promise<Proxy>,
): Promise<Row[]> {
  const asking = await start({ address, token: TOKEN });
  const plain = await start(null);
  const found: Row[] = [];
  for (const connections of CONNECTIONS) {
    for (const [visitor, userAgent] of Object.entries(VISITORS)) {
      const rows = Object.keys(SHARES).map((share): Row => ({
        what: `${kind}, ${visitor}, ${connections} at a time, ${share}`,
        peer: 'the same without asking',
        unit: 'µs',
        ours: [],
        theirs: [],
        goal: null,
      }));
      const status = visitor === 'a refused agent' ? 403 : 200;
      for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
        const ours = await microseconds(asking.url, userAgent, connections, status);
        const theirs = await microseconds(plain.url, userAgent, connections, 200);
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
  await Promise.all([asking.dispose(), plain.dispose()]);
  return found;
}

/** Returns the duration of each request in microseconds. @throws Error for any other status. */
async function microseconds(url: string, userAgent: string, connections: number, status: number): Promise<number[]> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const taken: number[] = [];
  let left = REQUESTS;
  const ask = async (): Promise<void> => {
    while (left-- > 0) {
      const started = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: '/',
        headers: { 'user-agent': userAgent },
      });
      await body.dump();
      taken.push((performance.now() - started) * 1_000);
      if (statusCode !== status) throw new Error(`${statusCode} instead of ${status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  await pool.close();
  return taken;
}

/** @param share between 0 and 1. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)]!;
}
