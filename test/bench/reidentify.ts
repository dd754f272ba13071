/**
 * Stored visits that are identified again once a third of them have an agent: visits a second against storing them, while
 * nothing else is done; and how long requests with new visits of the same project wait for their answers meanwhile. For
 * that, answers are timed by turns: while the re-identification is paused, while it is applied, and while it is paused
 * again. The machine halts for up to a second now and then, which meets a turn: so the median of the turns counts. Those of
 * the one pause are compared with those of the other, too: what these differ by is chance. How fast it is meanwhile is
 * a row of its own.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Reidentification } from '#libs/contracts';
import { httpLoad } from '../kit/http-load.ts';
import { START_ARGS } from '../kit/start-command.ts';
import { endServers, isQuick, printRows, ROUNDS, serve, STORED, type Row } from './compare.ts';
import { median, requestsPerSecond, visit } from './load.ts';
import { startPostgres } from './postgres.ts';
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
const CHANGED = (STORED / PER_REQUEST) * BODY.filter((_, number) => number % 3 === 0).length;
/** Each of them stores and identifies everything, so one is enough. */
const WARM_UPS = 1;
/** Requests a second while answers are timed, with ten visits each: for how long at a time, and how often, alone and meanwhile. */
const LIVE_RATE = 80;
const LIVE_MS = isQuick ? 500 : 3_000;
const TURNS = isQuick ? 2 : 4;
/** Every process has the changed catalog by then. */
const CATALOG_MS = 3_000;
const POLL_MS = 50;
const PAUSE_MS = 500;

const row = (what: string, peer: string, unit: string): Row => ({ what, peer, unit, ours: [], theirs: [], goal: null });
const STORING = 'received to stored, 50 visits a request';
const ALONE = 'the same requests alone';
const rows = {
  previewed: { ...row('previewed', STORING, 'visits/s'), goal: 0.5 },
  applied: { ...row('applied, a third of them changed', STORING, 'visits/s'), goal: 0.5 },
  meanwhile: row('applied beside 800 new visits a second', STORING, 'visits/s'),
  median: { ...row('answers meanwhile, median', ALONE, 'ms'), limit: 1.2 },
  p99: { ...row('answers meanwhile, p99', ALONE, 'ms'), limit: 1.2 },
  allP99: { ...row('answers meanwhile, p99, all rounds', ALONE, 'ms'), limit: 1.2 },
  againMedian: row('answers alone again, median', ALONE, 'ms'),
  againP99: row('answers alone again, p99', ALONE, 'ms'),
  againAllP99: row('answers alone again, p99, all rounds', ALONE, 'ms'),
};

const KINDS = ['beside', 'alone', 'again'] as const;
/** Milliseconds of the answers of each turn while the re-identification is applied, and while it is paused. */
type Answers = Record<(typeof KINDS)[number], number[][]>;
const noAnswers = (): Answers => ({ beside: [], alone: [], again: [] });
const ofTurns = (turns: readonly number[][], share: number): number =>
  median(turns.map((answers) => percentile(answers, share)));

/** A re-identification. Its parts say how many milliseconds they took, from the request on. */
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
    await this.untilOver('previewed');
    return performance.now() - started;
  }

  async apply(): Promise<number> {
    const started = performance.now();
    await this.change('apply');
    await this.untilOver('applied');
    return performance.now() - started;
  }

  async change(action: 'apply' | 'pause' | 'resume'): Promise<void> {
    await api(`${this.jobs}/${this.id}`, 'PATCH', { action });
  }

  /** Visits that were looked at to apply it, of those that there are. */
  async progress(): Promise<number> {
    return (await api<Reidentification>(`${this.jobs}/${this.id}`)).result?.looked_at ?? 0;
  }

  async untilOver(state: 'previewed' | 'applied'): Promise<void> {
    for (;;) {
      const found = await api<Reidentification>(`${this.jobs}/${this.id}`);
      if (found.error !== null) throw new Error(found.error);
      if (found.state === state) {
        const { changed, looked_at: seen } = (found.result ?? found.preview)!;
        if (seen !== STORED || changed !== CHANGED) throw new Error(`${changed} of ${seen} visits changed`);
        return;
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
  const all = noAnswers();
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
    const { answers, rate } = await byTurns(url, unnamed);

    if (round < 0) continue;
    const storedRate = stored * PER_REQUEST;
    add(rows.previewed, (STORED * 1_000) / previewed, storedRate);
    add(rows.applied, (STORED * 1_000) / applied, storedRate);
    add(rows.meanwhile, rate, storedRate);
    const { beside, alone, again } = answers;
    add(rows.median, ofTurns(beside, 0.5), ofTurns(alone, 0.5));
    add(rows.p99, ofTurns(beside, 0.99), ofTurns(alone, 0.99));
    add(rows.againMedian, ofTurns(again, 0.5), ofTurns(alone, 0.5));
    add(rows.againP99, ofTurns(again, 0.99), ofTurns(alone, 0.99));
    for (const kind of KINDS) all[kind].push(...answers[kind]);
    process.stderr.write('.');
  }
  add(rows.allP99, ofTurns(all.beside, 0.99), ofTurns(all.alone, 0.99));
  add(rows.againAllP99, ofTurns(all.again, 0.99), ofTurns(all.alone, 0.99));
  await pool.end();
}

function add(to: Row, ours: number, theirs: number): void {
  to.ours.push(ours);
  to.theirs.push(theirs);
}

/** Times answers by turns while a re-identification is paused and while it is applied, and then lets it end. */
async function byTurns(url: string, job: Job) {
  const answers = noAnswers();
  let milliseconds = 0;
  let visits = 0;
  await job.change('apply');
  for (let turn = 0; turn < TURNS; turn += 1) {
    // Either pause comes first as often.
    const [first, last] = turn % 2 === 0 ? (['alone', 'again'] as const) : (['again', 'alone'] as const);
    await pause(job);
    answers[first].push(await live(url));
    const before = await job.progress();
    await job.change('resume');
    while ((await job.progress()) === before) await sleep(POLL_MS);
    const began = performance.now();
    const seen = await job.progress();
    answers.beside.push(await live(url));
    visits += (await job.progress()) - seen;
    milliseconds += performance.now() - began;
    if (visits === 0 || (await job.progress()) === STORED)
      throw new Error('it was not applied while answers were timed');
    await pause(job);
    answers[last].push(await live(url));
    await job.change('resume');
  }
  await job.untilOver('applied');
  return { answers, rate: (visits * 1_000) / milliseconds };
}

async function pause(job: Job): Promise<void> {
  await job.change('pause');
  // A step that is under way ends.
  await sleep(PAUSE_MS);
}

/** Posts new visits. @returns milliseconds of each answer. */
async function live(url: string): Promise<number[]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const requests = [{ headers, body: JSON.stringify(BODY.slice(0, 10)) }];
  const result = await httpLoad({ url, path: '/visits', requests, connections: 8, duration: LIVE_MS, rate: LIVE_RATE });
  if ([...result.durations.keys()].some((status) => status !== 204)) throw new Error('new visits were refused');
  return result.durations.get(204)!;
}

async function api<T>(url: string, method = 'GET', body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}
