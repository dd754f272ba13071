/**
 * Re-identification benchmark. A third of the stored visits match a newly added agent.
 *
 * - `rates`: visits per second with no other load, compared with storing visits.
 * - `answers`: response times for new visits during re-identification, compared with the preceding pause. New visits
 * arrive at a constant rate, and the job is alternately paused and resumed. The result is the median over all turns.
 * Each pause is also compared with the previous one, to show random variation.
 *
 * `fsync` is off during `answers`. Otherwise, disk stalls on shared machines would dominate both p99 values.
 *
 *   npm run bench -- --reidentify [rates|answers]   each takes less than a minute
 *   npm run bench -- --reidentify answers --disk    with fsync
 */
import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reidentification } from '#libs/contracts';
import { runHttpLoad } from '../kit/http-load.ts';
import { OFFLINE_ENV } from '../kit/instance.ts';
import { stopServers, isQuick, matchesFilter, printRows, ROUNDS, serveStandalone, type Row } from './compare.ts';
import { measureRequestRate, createVisit } from './load.ts';
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
  const { request_headers: headers, ...rest } = createVisit(number);
  return { ...rest, request_headers: { ...headers, ...(number % 3 === 0 && { 'user-agent': 'BenchBot/1.0' }) } };
});
const CHANGED_PER_REQUEST = BODY.filter((_, number) => number % 3 === 0).length;
/** Visits stored per round of `rates`. */
const VISITS = isQuick ? 5_000 : 20_000;
/** Visits to re-identify during `answers`. */
const EARLIER_VISITS = isQuick ? 10_000 : 30_000;
/** Requests per second during `answers`. */
const LIVE_RATE = 160;
/** Visits per request during `answers`. */
const LIVE_VISITS = 5;
const TURNS = isQuick ? 2 : 5;
const TURN_MS = isQuick ? 500 : 2_500;
/** Time to wait after pausing, in milliseconds, until the step that was running has finished. */
const PAUSED_MS = 300;
/** Time to wait after resuming, in milliseconds, until the next step has started. */
const RESUMED_MS = 1_300;
/** Time in milliseconds within which a standalone process loads a changed catalog. */
const CATALOG_MS = 500;
const POLL_MS = 20;

const row = (what: string, peer: string, unit: string): Row => ({ what, peer, unit, ours: [], theirs: [], goal: null });
const STORING_PEER = 'received to stored, 50 visits per request';
const PAUSED_PEER = 'same requests while paused';
const rows = {
  previewed: { ...row('previewed', STORING_PEER, 'visits/s'), goal: 0.5 },
  applied: { ...row('applied, one third changed', STORING_PEER, 'visits/s'), goal: 0.5 },
  meanwhile: row(`applied during ${LIVE_RATE * LIVE_VISITS} new visits per second`, STORING_PEER, 'visits/s'),
  median: { ...row('responses during re-identification, median', PAUSED_PEER, 'ms'), limit: 1.2 },
  p99: { ...row('responses during re-identification, p99', PAUSED_PEER, 'ms'), limit: 1.2 },
  allP99: { ...row('responses during re-identification, p99 of all turns', PAUSED_PEER, 'ms'), limit: 1.2 },
  chanceMedian: row('responses in the next pause, median', PAUSED_PEER, 'ms'),
  chanceP99: row('responses in the next pause, p99', PAUSED_PEER, 'ms'),
};

/** Stored visits, their time range, and the rate in visits per second. */
interface StoredRange {
  from: string;
  to: string;
  visits: number;
  rate: number;
}

class Job {
  private readonly jobs: string;
  private readonly stored: StoredRange;
  private id = '';

  constructor(jobs: string, stored: StoredRange) {
    this.jobs = jobs;
    this.stored = stored;
  }

  /** @returns visits per second */
  async preview(): Promise<number> {
    const { from, to } = this.stored;
    this.id = (await api<Reidentification>(this.jobs, 'POST', { from, to })).id;
    return this.waitUntil('previewed');
  }

  async change(action: 'apply' | 'pause' | 'resume'): Promise<void> {
    await api(`${this.jobs}/${this.id}`, 'PATCH', { action });
  }

  async progress(): Promise<number> {
    return getProcessedCount((await this.read()).result);
  }

  /** @returns visits per second, measured from the first processed visits because the job is queued before that */
  async waitUntil(state: 'previewed' | 'applied'): Promise<number> {
    let first: { visits: number; at: number } | null = null;
    for (;;) {
      const currentJob = await this.read();
      const report = state === 'applied' ? currentJob.result : currentJob.preview;
      if (getProcessedCount(report) > 0) first ??= { visits: getProcessedCount(report), at: performance.now() };
      if (currentJob.state === state) {
        const { visits } = this.stored;
        if (getProcessedCount(report) !== visits || report?.changed !== (visits / PER_REQUEST) * CHANGED_PER_REQUEST) {
          throw new Error(`${report?.changed} of ${getProcessedCount(report)} visits changed`);
        }
        return ((visits - first!.visits) * 1_000) / (performance.now() - first!.at);
      }
      await sleep(POLL_MS);
    }
  }

  private async read(): Promise<Reidentification> {
    const currentJob = await api<Reidentification>(`${this.jobs}/${this.id}`);
    if (currentJob.error !== null) throw new Error(currentJob.error);
    return currentJob;
  }
}

const getProcessedCount = (report: Reidentification['result']): number => report?.looked_at ?? 0;

const postgres = await startPostgres();
const databaseUrl = await postgres.createDatabase('ours');
const pool = connectTo(databaseUrl);
try {
  const url = await serveStandalone(postgres.folder, databaseUrl, {
    PROJECT_ACCESS_TOKEN: TOKEN,
    API_KEY,
    ...OFFLINE_ENV,
  });
  const [project] = (await api<{ projects: { id: string }[] }>(`${url}/api/projects`)).projects;
  const jobs = `${url}/api/projects/${project!.id}/reidentifications`;
  // The first round is a warm-up.
  for (let round = -1; round < (matchesFilter('rates') ? ROUNDS : 0); round += 1) {
    const rates = await measureRates(url, jobs);
    if (round < 0) continue;
    addValues(rows.previewed, rates.previewed, rates.stored);
    addValues(rows.applied, rates.applied, rates.stored);
    process.stderr.write('.');
  }
  if (matchesFilter('answers')) await measureAnswers(url, jobs);
  const nonEmptyRows = Object.values(rows).filter(({ ours }) => ours.length > 0);
  printRows(`${VISITS} visits per round, ${TURNS} turns of ${TURN_MS} ms`, nonEmptyRows);
} finally {
  stopServers();
  await pool.end();
  await postgres.stop();
}

/** Measures rates in visits per second. */
async function measureRates(url: string, jobs: string) {
  const stored = await storeVisits(url, VISITS);
  await addAgent(url);
  const job = new Job(jobs, stored);
  const previewed = await job.preview();
  await job.change('apply');
  const applied = await job.waitUntil('applied');
  await removeAgent(url);
  return { stored: stored.rate, previewed, applied };
}

/** Measures response times while alternately pausing and applying the job. */
async function measureAnswers(url: string, jobs: string): Promise<void> {
  if (!argv.includes('--disk')) {
    await pool.query('ALTER SYSTEM SET fsync = off');
    await pool.query('SELECT pg_reload_conf()');
  }
  const stored = await storeVisits(url, EARLIER_VISITS);
  await addAgent(url);
  const job = new Job(jobs, stored);
  await job.preview();
  await job.change('apply');
  const runTurn = async (action: 'pause' | 'resume', delay: number): Promise<number[]> => {
    await Promise.all([job.change(action), postNewVisits(url, delay)]);
    return postNewVisits(url, TURN_MS);
  };
  const pauses = [await runTurn('pause', PAUSED_MS)];
  const turns: number[][] = [];
  for (let number = 0; number < TURNS; number += 1) {
    const before = await job.progress();
    const began = performance.now();
    turns.push(await runTurn('resume', RESUMED_MS));
    const after = await job.progress();
    const seconds = (performance.now() - began - RESUMED_MS / 2) / 1_000;
    if (after === before || after === EARLIER_VISITS)
      throw new Error('The job made no progress or finished while response times were measured');
    addValues(rows.meanwhile, (after - before) / seconds, stored.rate);
    pauses.push(await runTurn('pause', PAUSED_MS));
    process.stderr.write('.');
  }
  for (const [number, answers] of turns.entries()) {
    const [pause, next] = [pauses[number]!, pauses[number + 1]!];
    addValues(rows.median, percentile(answers, 0.5), percentile(pause, 0.5));
    addValues(rows.p99, percentile(answers, 0.99), percentile(pause, 0.99));
    addValues(rows.chanceMedian, percentile(next, 0.5), percentile(pause, 0.5));
    addValues(rows.chanceP99, percentile(next, 0.99), percentile(pause, 0.99));
  }
  addValues(rows.allP99, percentile(turns.flat(), 0.99), percentile(pauses.flat(), 0.99));
  await removeAgent(url);
}

/** Stores visits with no other load. */
async function storeVisits(url: string, visits: number): Promise<StoredRange> {
  await pool.query('TRUNCATE visits, unknown_visits');
  const from = new Date().toISOString();
  const requests = await measureRequestRate({
    url,
    token: TOKEN,
    operation: { path: '/visits', body: BODY },
    connections: 32,
    amount: visits / PER_REQUEST,
  });
  return { from, to: new Date().toISOString(), visits, rate: requests * PER_REQUEST };
}

async function addAgent(url: string): Promise<void> {
  await api(`${url}/api/agents`, 'POST', AGENT);
  await sleep(CATALOG_MS);
}

async function removeAgent(url: string): Promise<void> {
  await api(`${url}/api/agents/${AGENT.token}`, 'DELETE');
  await sleep(CATALOG_MS);
}

/**
 * Posts new visits.
 *
 * @returns the response times in milliseconds
 */
async function postNewVisits(url: string, duration: number): Promise<number[]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const requests = [{ headers, body: JSON.stringify(BODY.slice(0, LIVE_VISITS)) }];
  const result = await runHttpLoad({
    url,
    path: '/visits',
    requests,
    connections: 8,
    durationMs: duration,
    rate: LIVE_RATE,
  });
  if ([...result.durations.keys()].some((status) => status !== 204)) throw new Error('New visits were rejected');
  return result.durations.get(204)!;
}

function addValues(to: Row, ours: number, theirs: number): void {
  to.ours.push(ours);
  to.theirs.push(theirs);
}

async function api<T>(url: string, method = 'GET', body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}
