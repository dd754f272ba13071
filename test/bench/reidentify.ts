/**
 * Stored visits that are identified again once a third of them have an agent: visits a second against storing them, and how
 * long requests with new visits of the same project wait for their answers meanwhile, against the same requests alone.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Reidentification } from '#libs/contracts';
import { httpLoad, type HttpLoadResult } from '../kit/http-load.ts';
import { START_ARGS } from '../kit/start-command.ts';
import { endServers, isQuick, printRows, ROUNDS, serve, STORED, WARM_UPS, type Row } from './compare.ts';
import { requestsPerSecond, visit } from './load.ts';
import { startPostgres } from './postgres.ts';

const TOKEN = 'the-token-of-the-benchmark';
const API_KEY = 'the-api-key-of-the-benchmark';
const AGENT = {
  token: 'BenchBot',
  type: 'Scraper',
  operator: null,
  url: null,
  robots_token: null,
  verification: {},
  user_agent_patterns: ['BenchBot/'],
  sample_user_agents: ['BenchBot/1.0'],
};
const PER_REQUEST = 50;
const BODY = Array.from({ length: PER_REQUEST }, (_, number) => {
  const { request_headers: headers, ...rest } = visit(number);
  return { ...rest, request_headers: { ...headers, ...(number % 3 === 0 && { 'user-agent': 'BenchBot/1.0' }) } };
});
const CHANGED = (STORED / PER_REQUEST) * BODY.filter((_, number) => number % 3 === 0).length;
/** Requests a second while answers are timed, with ten visits each, and for how long. */
const LIVE_RATE = 40;
const LIVE_MS = isQuick ? 1_000 : 10_000;
/** Every process has the changed catalog by then. */
const CATALOG_MS = 3_000;
const POLL_MS = 50;

const row = (what: string, peer: string, unit: string): Row => ({ what, peer, unit, ours: [], theirs: [], goal: null });
const STORING = 'received to stored, 50 visits a request';
const ALONE = 'the same requests alone';
const rows = {
  previewed: { ...row('previewed', STORING, 'visits/s'), goal: 0.5 },
  applied: { ...row('applied, a third of them changed', STORING, 'visits/s'), goal: 0.5 },
  median: { ...row('answers meanwhile, median', ALONE, 'ms'), limit: 1.2 },
  p99: { ...row('answers meanwhile, p99', ALONE, 'ms'), limit: 1.2 },
};

/** A re-identification, and how long its parts take in milliseconds, from the request on. */
class Job {
  private readonly jobs: string;
  private readonly range: { from: string; to: string };
  private id = '';

  constructor(jobs: string, range: { from: string; to: string }) {
    this.jobs = jobs;
    this.range = range;
  }

  async preview(): Promise<number> {
    const started = performance.now();
    this.id = (await api<Reidentification>(this.jobs, 'POST', this.range)).id;
    return this.untilOver('previewed', started);
  }

  async apply(): Promise<number> {
    const started = performance.now();
    await api(`${this.jobs}/${this.id}`, 'PATCH', { action: 'apply' });
    return this.untilOver('applied', started);
  }

  async state(): Promise<string> {
    return (await api<Reidentification>(`${this.jobs}/${this.id}`)).state;
  }

  private async untilOver(state: 'previewed' | 'applied', started: number): Promise<number> {
    for (;;) {
      const found = await api<Reidentification>(`${this.jobs}/${this.id}`);
      if (found.error !== null) throw new Error(found.error);
      if (found.state === state) {
        const { changed, looked_at: seen } = (found.result ?? found.preview)!;
        if (seen !== STORED || changed !== CHANGED) throw new Error(`${changed} of ${seen} visits changed`);
        return performance.now() - started;
      }
      await sleep(POLL_MS);
    }
  }
}

const postgres = await startPostgres();
try {
  const databaseUrl = await postgres.createDatabase('ours');
  const url = await serve(START_ARGS, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(postgres.folder, 'data'),
    PORT: '0',
    PROJECT_ACCESS_TOKEN: TOKEN,
    API_KEY,
    DNS_SERVERS: 'off',
    IP_LISTS_REFRESH_HOURS: '0',
    LOG_LEVEL: 'warn',
  });
  await measure(url, databaseUrl);
  printRows(`${STORED} visits`, Object.values(rows));
} finally {
  endServers();
  await postgres.stop();
}

async function measure(url: string, databaseUrl: string): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => undefined);
  const [project] = (await api<{ projects: { id: string }[] }>(`${url}/api/projects`)).projects;
  const jobs = `${url}/api/projects/${project!.id}/reidentifications`;
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    await pool.query('TRUNCATE visits, unknown_visits');
    const from = new Date().toISOString();
    const operation = { path: '/visits', body: BODY };
    const stored = await requestsPerSecond({
      url,
      token: TOKEN,
      operation,
      connections: 32,
      amount: STORED / PER_REQUEST,
    });
    const range = { from, to: new Date().toISOString() };

    await api(`${url}/api/agents`, 'POST', AGENT);
    await sleep(CATALOG_MS);
    const named = new Job(jobs, range);
    const previewed = await named.preview();
    const applied = await named.apply();

    await api(`${url}/api/agents/${AGENT.token}`, 'DELETE');
    await sleep(CATALOG_MS);
    const unnamed = new Job(jobs, range);
    await unnamed.preview();
    const alone = await live(url);
    const applying = unnamed.apply();
    const beside = await live(url);
    if ((await unnamed.state()) !== 'applying' && !isQuick)
      throw new Error('it was over before the answers were timed');
    await applying;

    if (round < 0) continue;
    const storedRate = stored * PER_REQUEST;
    add(rows.previewed, (STORED * 1_000) / previewed, storedRate);
    add(rows.applied, (STORED * 1_000) / applied, storedRate);
    add(rows.median, beside.quantile(204, 0.5), alone.quantile(204, 0.5));
    add(rows.p99, beside.quantile(204, 0.99), alone.quantile(204, 0.99));
    process.stderr.write('.');
  }
  await pool.end();
}

function add(to: Row, ours: number, theirs: number): void {
  to.ours.push(ours);
  to.theirs.push(theirs);
}

async function live(url: string): Promise<HttpLoadResult> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const requests = [{ headers, body: JSON.stringify(BODY.slice(0, 10)) }];
  const result = await httpLoad({ url, path: '/visits', requests, connections: 8, duration: LIVE_MS, rate: LIVE_RATE });
  if ([...result.durations.keys()].some((status) => status !== 204)) throw new Error('new visits were refused');
  return result;
}

async function api<T>(url: string, method = 'GET', body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}
