/** An instance that has grown in one way, and what is measured of it. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { httpLoad } from '../kit/http-load.ts';
import { Instance } from '../kit/instance.ts';
import { makeManyVisits } from '../kit/many-visits.ts';
import { SideDatabase } from './against/side.ts';
import { isQuick, SECONDS } from './compare.ts';
import { median, visit } from './load.ts';
import type { BenchPostgres } from './postgres.ts';
import { forgetPeak, memory, processorTime } from './processes.ts';
import { RANGED_AGENT, ranges, setRanges } from './growth-setup.ts';
import { percentile } from './reading-operations.ts';
import type { Writers } from './writer-processes.ts';

/** The sizes of what does not grow. Agents are those of the release, and one that comes from ranges. */
export const BASE = { visits: isQuick ? 5_000 : 1_000_000, ranges: isQuick ? 10 : 1_000, agents: 2_007 };

const DAYS = 30;
const DAY_MS = 86_400_000;
const TOKEN = 'the-token-of-the-benchmark';
const API_KEY = 'the-api-key-of-the-benchmark';
const SECRET_KEY = randomBytes(32).toString('hex');
const VISITS_OF_REQUEST = 50;
const CONNECTIONS = 32;
/** At least, so that visits are of many agents. */
const REQUESTS = 64;
/** Of each page in a round. */
const READ_REQUESTS = isQuick ? 5 : 40;
const STARTS = isQuick ? 1 : 5;

/** A database that instances get a copy of. */
export class BaseDatabase {
  private readonly postgres: BenchPostgres;
  private readonly say: (line: string) => void;
  private made: Promise<string> | undefined;
  private count = 0;

  constructor(postgres: BenchPostgres, say: (line: string) => void) {
    this.postgres = postgres;
    this.say = say;
  }

  async copy(): Promise<GrownInstance> {
    this.made ??= this.make();
    return GrownInstance.start(await this.postgres.createDatabase(this.nextName(), await this.made));
  }

  /** An instance that has so many visits instead of the base's. */
  async filled(visits: number): Promise<GrownInstance> {
    return this.fill(this.nextName(), visits);
  }

  private async make(): Promise<string> {
    const name = this.nextName();
    const instance = await this.fill(name, BASE.visits);
    await instance.dispose();
    return name;
  }

  private async fill(name: string, visits: number): Promise<GrownInstance> {
    const instance = await GrownInstance.start(await this.postgres.createDatabase(name));
    await setRanges(instance, BASE.ranges);
    const pool = new Pool({ connectionString: instance.databaseUrl, max: 2 });
    const { projectId } = instance;
    let days = 0;
    const onDay = (): void => {
      days += 1;
      if (days % 10 === 0) this.say(`    ${days} of ${DAYS} days of ${visits.toLocaleString('en')} visits`);
    };
    await makeManyVisits(pool, { projectId, visits, days: DAYS, until: Date.now(), onDay });
    await pool.end();
    return instance;
  }

  private nextName(): string {
    this.count += 1;
    return `bench_${this.count}`;
  }
}

export class GrownInstance {
  readonly databaseUrl: string;
  /** The project that has the visits. */
  readonly projectId: string;
  /** Access tokens of all projects, which visits are posted with in turn. */
  readonly tokens: string[] = [TOKEN];

  private readonly instance: Instance;
  private readonly database: SideDatabase;
  private requests: readonly { headers: Record<string, string>; body: string }[] = [];
  private writers: { processes: Writers; count: number } | null = null;
  private readonly starts: number[] = [];

  private constructor(databaseUrl: string, instance: Instance, database: SideDatabase, projectId: string) {
    this.databaseUrl = databaseUrl;
    this.instance = instance;
    this.database = database;
    this.projectId = projectId;
  }

  static async start(databaseUrl: string): Promise<GrownInstance> {
    const instance = await Instance.start({
      env: { DATABASE_URL: databaseUrl, PROJECT_ACCESS_TOKEN: TOKEN, API_KEY, SECRET_KEY, LOG_LEVEL: 'error' },
    });
    const { projects } = await ask<{ projects: { id: string }[] }>(`${instance.url}/api/projects`);
    const database = await SideDatabase.connect(databaseUrl);
    const started = new GrownInstance(databaseUrl, instance, database, projects[0]!.id);
    await started.learn();
    return started;
  }

  /** These store visits instead of the instance itself. */
  storedBy(processes: Writers, count: number): this {
    this.writers = { processes, count };
    return this;
  }

  /** Makes the requests anew: of all projects, a sixth of the visits of agents of the whole catalog, and a sixth by addresses. */
  async learn(): Promise<void> {
    const agents = await this.get<
      { token: string; sample_user_agents?: string[]; verification: { ip_ranges?: string[] } }[]
    >('/api/agents/export?origin=all');
    const userAgents = agents.flatMap((agent) => agent.sample_user_agents?.[0] ?? []);
    const blocks = agents.find(({ token }) => token === RANGED_AGENT.token)?.verification.ip_ranges ?? ranges(1);
    const some = <T>(values: readonly T[], number: number): T => values[(number * 7_919) % values.length]!;
    const posted = (number: number) => {
      const made = visit(number);
      const headers = made.request_headers;
      if (number % 6 === 0) headers['user-agent'] = some(userAgents, number % (REQUESTS * VISITS_OF_REQUEST));
      if (number % 6 === 3) {
        headers['user-agent'] = RANGED_AGENT.userAgent;
        headers['x-forwarded-for'] = some(blocks, number)
          .replace(/\.0\/24$/, '.7')
          .replace(/::\/32$/, '::7');
      }
      return made;
    };
    this.requests = Array.from({ length: Math.max(REQUESTS, this.tokens.length) }, (_, request) => ({
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${this.tokens[request % this.tokens.length]}`,
      },
      body: JSON.stringify(
        Array.from({ length: VISITS_OF_REQUEST }, (__, index) => posted(request * VISITS_OF_REQUEST + index)),
      ),
    }));
    await this.checkRanges(posted(3));
  }

  async measure(): Promise<Record<string, number>> {
    // What the one before left to write is not this one's.
    await this.database.pool.query('CHECKPOINT');
    if (this.writers !== null) return this.measureWriters(this.writers);
    return { ...(await this.read()), ...(await this.write()) };
  }

  /** What can be measured once only. */
  async end(): Promise<Record<string, number>> {
    if (this.writers !== null) return {};
    const peak = await memory([this.instance.child.pid!], 'peak');
    await this.instance.stop();
    let instance = this.instance;
    for (let count = 0; count < STARTS; count += 1) {
      const started = performance.now();
      instance = await instance.restart();
      this.starts.push((performance.now() - started) / 1_000);
      await instance.stop();
    }
    return { memory: peak, start: median(this.starts) };
  }

  async dispose(): Promise<void> {
    this.writers?.processes.stop();
    await this.database.pool.end();
    await this.instance.dispose();
  }

  get<T>(path: string): Promise<T> {
    return ask(this.instance.url + path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return ask(this.instance.url + path, body);
  }

  private async write(): Promise<Record<string, number>> {
    const { url, child } = this.instance;
    const times = (): Promise<number[]> => Promise.all([processorTime([child.pid!]), this.database.processorTime()]);
    await forgetPeak([child.pid!]);
    const before = await times();
    const result = await httpLoad({
      url,
      path: '/visits',
      requests: this.requests,
      connections: CONNECTIONS,
      duration: SECONDS * 1_000,
    });
    const stored = result.count(204) * VISITS_OF_REQUEST;
    const other = [...result.durations.keys()].filter((status) => status !== 204);
    if (other.length > 0) throw new Error(`Visits were answered with ${other.join(', ')}`);
    const [node, postgres] = (await times()).map((time, index) => ((time - before[index]!) * 1_000) / stored);
    return { visits: result.perSecond(204) * VISITS_OF_REQUEST, node: node!, postgres: postgres! };
  }

  /** @param isOver ends it before all requests are sent. */
  private async read(isOver = (): boolean => false, count = READ_REQUESTS): Promise<Record<string, number>> {
    const project = `/api/projects/${this.projectId}`;
    const paths = {
      timeline: `${project}/visits`,
      overview: `${project}/overview?from=${new Date(Date.now() - DAYS * DAY_MS).toISOString()}`,
    };
    const times: Record<string, number[]> = { timeline: [], overview: [] };
    for (let request = 0; request < count && !isOver(); request += 1) {
      for (const [name, path] of Object.entries(paths)) {
        const started = performance.now();
        await this.get(path);
        times[name]!.push(performance.now() - started);
      }
    }
    return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, percentile(values, 0.95)]));
  }

  private async measureWriters({ processes, count }: { processes: Writers; count: number }) {
    let isOver = false;
    const before = await this.database.processorTime();
    const storing = processes.store(count, SECONDS * 1_000).finally(() => (isOver = true));
    const read = await this.read(() => isOver, Infinity);
    const stored = await storing;
    const postgres = (((await this.database.processorTime()) - before) * 1_000) / stored;
    return { visits: stored / SECONDS, postgres, ...read };
  }

  /** @throws when a visit that should be proven by its address is not. */
  private async checkRanges({ request_headers }: { request_headers: Record<string, string> }): Promise<void> {
    const isKnown = await this.get<{ agents: unknown[] }>(`/api/agents?search=${RANGED_AGENT.token}`);
    if (isKnown.agents.length === 0) return;
    for (let tries = 0; tries < 100; tries += 1) {
      const { identification } = await this.post<{ identification: { result: string } }>('/api/identifications', {
        request_headers,
      });
      if (identification.result === 'verified') return;
      await sleep(100);
    }
    throw new Error(`${request_headers['x-forwarded-for']} is not known as an address of ${RANGED_AGENT.token}`);
  }
}

/** With a body it posts. */
async function ask<T>(url: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
  return (await answer.json()) as T;
}
