/**
 * Re-identification benchmark. A third of the stored visits match a newly added agent.
 *
 * - `rates`: visits per second with no other load, compared with storing visits.
 * - `answers`: response times of new visits while re-identification runs, compared with the pause before.
 *   New visits arrive at a constant rate, and the job is alternately paused and resumed. The median of the turns counts.
 *   Each pause is also compared with the previous one, to show the variation due to chance.
 *
 * `fsync` is off during `answers`: disk stalls on shared machines would otherwise dominate both p99 values.
 *
 *   npm run bench -- --reidentify [rates|answers]   each takes less than a minute
 *   npm run bench -- --reidentify answers --disk    with fsync
 */
import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reidentification } from '#libs/contracts';
import { httpLoad } from '../kit/http-load.ts';
import { ALONE } from '../kit/instance.ts';
import { endServers, isQuick, isWanted, printRows, ROUNDS, serveStandalone, type Row } from './compare.ts';
import { requestsPerSecond, visit } from './load.ts';
import { connectTo, startPostgres } from './postgres.ts';
import { percentile } from './reading-operations.ts';

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
const CHANGED_PER_REQUEST = BODY.filter((_, number) => number % 3 === 0).length;
/** Visits stored per round of `rates`, and visits to re-identify during `answers`. */
const VISITS = isQuick ? 5_000 : 20_000;
const EARLIER_VISITS = isQuick ? 10_000 : 30_000;
/** Requests per second during `answers`, and visits per request. */
const LIVE_RATE = 160;
const LIVE_VISITS = 5;
const TURNS = isQuick ? 2 : 5;
const TURN_MS = isQuick ? 500 : 2_500;
/** Delay until a running step has finished after a pause, and until a waiting step has started after a resume. */
const PAUSED_MS = 300;
const RESUMED_MS = 1_300;
/** Long enough for a standalone process to load the changed catalog. */
const CATALOG_MS = 500;
const POLL_MS = 20;

const row = (what: string, peer: string, unit: string): Row => ({ what, peer, unit, ours: [], theirs: [], goal: null });
const STORING = 'received to stored, 50 visits a request';
const PAUSED = 'the same requests while it is paused';
const rows = {
  previewed: { ...row('previewed', STORING, 'visits/s'), goal: 0.5 },
  applied: { ...row('applied, a third of them changed', STORING, 'visits/s'), goal: 0.5 },
  meanwhile: row(`applied beside ${LIVE_RATE * LIVE_VISITS} new visits a second`, STORING, 'visits/s'),
  median: { ...row('answers meanwhile, median', PAUSED, 'ms'), limit: 1.2 },
  p99: { ...row('answers meanwhile, p99', PAUSED, 'ms'), limit: 1.2 },
  allP99: { ...row('answers meanwhile, p99 of all turns', PAUSED, 'ms'), limit: 1.2 },
  chanceMedian: row('answers in the next pause, median', PAUSED, 'ms'),
  chanceP99: row('answers in the next pause, p99', PAUSED, 'ms'),
};

/** Stored visits with their time range, and the rate in visits per second. */
interface Stored {
  from: string;
  to: string;
  visits: number;
  rate: number;
}

class Job {
  private readonly jobs: string;
  private readonly stored: Stored;
  private id = '';

  constructor(jobs: string, stored: Stored) {
    this.jobs = jobs;
    this.stored = stored;
  }

  /** @returns visits per second. */
  async preview(): Promise<number> {
    const { from, to } = this.stored;
    this.id = (await api<Reidentification>(this.jobs, 'POST', { from, to })).id;
    return this.untilOver('previewed');
  }

  async change(action: 'apply' | 'pause' | 'resume'): Promise<void> {
    await api(`${this.jobs}/${this.id}`, 'PATCH', { action });
  }

  async progress(): Promise<number> {
    return lookedAt((await this.read()).result);
  }

  /** @returns visits per second, measured from the first processed visits because the job is queued before that. */
  async untilOver(state: 'previewed' | 'applied'): Promise<number> {
    let first: { visits: number; at: number } | null = null;
    for (;;) {
      const found = await this.read();
      const report = state === 'applied' ? found.result : found.preview;
      if (lookedAt(report) > 0) first ??= { visits: lookedAt(report), at: performance.now() };
      if (found.state === state) {
        const { visits } = this.stored;
        if (lookedAt(report) !== visits || report?.changed !== (visits / PER_REQUEST) * CHANGED_PER_REQUEST) {
          throw new Error(`${report?.changed} of ${lookedAt(report)} visits changed`);
        }
        return ((visits - first!.visits) * 1_000) / (performance.now() - first!.at);
      }
      await sleep(POLL_MS);
    }
  }

  private async read(): Promise<Reidentification> {
    const found = await api<Reidentification>(`${this.jobs}/${this.id}`);
    if (found.error !== null) throw new Error(found.error);
    return found;
  }
}

const lookedAt = (report: Reidentification['result']): number => report?.looked_at ?? 0;

const postgres = await startPostgres();
const databaseUrl = await postgres.createDatabase('ours');
const pool = connectTo(databaseUrl);
try {
  const url = await serveStandalone(postgres.folder, databaseUrl, {
    PROJECT_ACCESS_TOKEN: TOKEN,
    API_KEY,
    ...ALONE,
  });
  const [project] = (await api<{ projects: { id: string }[] }>(`${url}/api/projects`)).projects;
  const jobs = `${url}/api/projects/${project!.id}/reidentifications`;
  // The first round is a warm-up.
  for (let round = -1; round < (isWanted('rates') ? ROUNDS : 0); round += 1) {
    const rates = await measureRates(url, jobs);
    if (round < 0) continue;
    add(rows.previewed, rates.previewed, rates.stored);
    add(rows.applied, rates.applied, rates.stored);
    process.stderr.write('.');
  }
  if (isWanted('answers')) await measureAnswers(url, jobs);
  const shown = Object.values(rows).filter(({ ours }) => ours.length > 0);
  printRows(`${VISITS} visits a round, ${TURNS} turns of ${TURN_MS} ms`, shown);
} finally {
  endServers();
  await pool.end();
  await postgres.stop();
}

/** Rates in visits per second. */
async function measureRates(url: string, jobs: string) {
  const stored = await store(url, VISITS);
  await nameAgent(url);
  const job = new Job(jobs, stored);
  const previewed = await job.preview();
  await job.change('apply');
  const applied = await job.untilOver('applied');
  await forgetAgent(url);
  return { stored: stored.rate, previewed, applied };
}

/** Measures response times, alternating between pausing and applying the job. */
async function measureAnswers(url: string, jobs: string): Promise<void> {
  if (!argv.includes('--disk')) {
    await pool.query('ALTER SYSTEM SET fsync = off');
    await pool.query('SELECT pg_reload_conf()');
  }
  const stored = await store(url, EARLIER_VISITS);
  await nameAgent(url);
  const job = new Job(jobs, stored);
  await job.preview();
  await job.change('apply');
  const turn = async (action: 'pause' | 'resume', delay: number): Promise<number[]> => {
    await Promise.all([job.change(action), live(url, delay)]);
    return live(url, TURN_MS);
  };
  const pauses = [await turn('pause', PAUSED_MS)];
  const turns: number[][] = [];
  for (let number = 0; number < TURNS; number += 1) {
    const before = await job.progress();
    const began = performance.now();
    turns.push(await turn('resume', RESUMED_MS));
    const after = await job.progress();
    const seconds = (performance.now() - began - RESUMED_MS / 2) / 1_000;
    if (after === before || after === EARLIER_VISITS) throw new Error('it was not applied while answers were timed');
    add(rows.meanwhile, (after - before) / seconds, stored.rate);
    pauses.push(await turn('pause', PAUSED_MS));
    process.stderr.write('.');
  }
  for (const [number, answers] of turns.entries()) {
    const [pause, next] = [pauses[number]!, pauses[number + 1]!];
    add(rows.median, percentile(answers, 0.5), percentile(pause, 0.5));
    add(rows.p99, percentile(answers, 0.99), percentile(pause, 0.99));
    add(rows.chanceMedian, percentile(next, 0.5), percentile(pause, 0.5));
    add(rows.chanceP99, percentile(next, 0.99), percentile(pause, 0.99));
  }
  add(rows.allP99, percentile(turns.flat(), 0.99), percentile(pauses.flat(), 0.99));
  await forgetAgent(url);
}

/** Stores visits with no other load. */
async function store(url: string, visits: number): Promise<Stored> {
  await pool.query('TRUNCATE visits, unknown_visits');
  const from = new Date().toISOString();
  const requests = await requestsPerSecond({
    url,
    token: TOKEN,
    operation: { path: '/visits', body: BODY },
    connections: 32,
    amount: visits / PER_REQUEST,
  });
  return { from, to: new Date().toISOString(), visits, rate: requests * PER_REQUEST };
}

async function nameAgent(url: string): Promise<void> {
  await api(`${url}/api/agents`, 'POST', AGENT);
  await sleep(CATALOG_MS);
}

async function forgetAgent(url: string): Promise<void> {
  await api(`${url}/api/agents/${AGENT.token}`, 'DELETE');
  await sleep(CATALOG_MS);
}

/** Posts new visits. @returns response times in milliseconds. */
async function live(url: string, duration: number): Promise<number[]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const requests = [{ headers, body: JSON.stringify(BODY.slice(0, LIVE_VISITS)) }];
  const result = await httpLoad({ url, path: '/visits', requests, connections: 8, duration, rate: LIVE_RATE });
  if ([...result.durations.keys()].some((status) => status !== 204)) throw new Error('new visits were refused');
  return result.durations.get(204)!;
}

function add(to: Row, ours: number, theirs: number): void {
  to.ours.push(ours);
  to.theirs.push(theirs);
}

async function api<T>(url: string, method = 'GET', body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}
