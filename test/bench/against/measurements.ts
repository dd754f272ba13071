/** Measurements to compare two builds by. Each one produces several rows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateLog } from '../../log-generator.ts';
import { isQuick } from '../compare.ts';
import { LINES as DRAIN_LINES, postDrains } from '../drains.ts';
import { identification, requestsPerSecond, visit, type LoadOptions } from '../load.ts';
import { endedChildrenTime, forgetPeak, memory, ownTime, processorTime } from '../processes.ts';
import { percentile } from '../reading-operations.ts';
import type { Part, Side, StandaloneSide } from './side.ts';

export interface Measurement<S extends Side> {
  /** Description and unit by row name. `--only` accepts these names. */
  rows: Readonly<Record<string, readonly [what: string, unit: string]>>;
  /** Returns the values by row name. */
  measure(side: S): Promise<Readonly<Record<string, number>>>;
}

const amount = (whole: number, quick: number): number => (isQuick ? quick : whole);
const LINES = amount(30_000, 1_000);
const DAY_MS = 86_400_000;
/** Time for a started process to finish its deferred work. */
const SETTLED_MS = 2_000;

/** Measures the cost of storing visits. @param send resolves when all of them are accepted. */
async function costOf<S extends Side>(side: S, name: string, visits: number, send: () => Promise<unknown>) {
  const { database, services } = side;
  const parts = Object.entries(side.parts);
  await database.empty();
  await forgetPeak(services);
  const times = (): Promise<number[]> =>
    Promise.all([processorTime(services), database.processorTime(), ...parts.map(([, id]) => processorTime([id]))]);
  const before = await times();
  const loadBefore = ownTime();
  const started = performance.now();
  await send();
  const accepted = performance.now() - started;
  const load = ownTime() - loadBefore;
  while ((await database.stored()) < visits) await sleep(50);
  const stored = performance.now() - started;
  const after = await times();
  const ofVisit = (time: number): number => (time * 1_000) / visits;
  const [node, postgres, ...others] = after.map((time, index) => ofVisit(time - before[index]!));
  return {
    [name]: (visits * 1_000) / stored,
    [`${name}-accepted`]: (visits * 1_000) / accepted,
    [`${name}-node`]: node!,
    [`${name}-postgres`]: postgres!,
    [`${name}-memory`]: await memory(services, 'peak'),
    [`${name}-load`]: ofVisit(load),
    ...Object.fromEntries(parts.map(([part], index) => [`${name}-${part}`, others[index]!])),
  };
}

const costRows = (name: string, what: string): Measurement<Side>['rows'] => ({
  [`${name}-node`]: [`${what}, received to stored, Node's processor time for a visit`, 'µs'],
  [`${name}-postgres`]: [`${what}, received to stored, PostgreSQL's processor time for a visit`, 'µs'],
  [`${name}-memory`]: [`${what}, memory at most`, 'MB'],
});

function sending(perRequest: number, requests: number, connections: number): Measurement<Side> {
  const name = `visits-${perRequest}`;
  const what = `/visits, ${perRequest} a request`;
  return {
    rows: { [name]: [`${what}, ${connections} connections, received to stored`, 'visits/s'], ...costRows(name, what) },
    measure: (side) =>
      costOf(side, name, requests * perRequest, () =>
        requestsPerSecond({ ...side, perRequest, connections, amount: requests }),
      ),
  };
}

const DRAIN_REQUESTS = amount(30, 5);

const draining: Measurement<Side> = {
  rows: {
    drains: [`/drains/cloudflare-logpush, ${DRAIN_LINES} lines a request, received to stored`, 'visits/s'],
    ...costRows('drains', '/drains/cloudflare-logpush'),
  },
  measure: (side) => costOf(side, 'drains', DRAIN_REQUESTS * DRAIN_LINES, () => postDrains(side, DRAIN_REQUESTS)),
};

const PARTS: readonly (Part | 'load')[] = ['gateway', 'enrichment', 'ingest', 'broker', 'redis', 'load'];

/** Like {@link sending}, with more rows: visits accepted by Kafka (before they are stored), and CPU time by service. */
function sendingToKafka(perRequest: number, requests: number, connections: number): Measurement<Side> {
  const sent = sending(perRequest, requests, connections);
  const name = `visits-${perRequest}`;
  return {
    ...sent,
    rows: {
      [`${name}-accepted`]: [`/visits, ${perRequest} a request, acknowledged by Kafka`, 'visits/s'],
      ...sent.rows,
      ...Object.fromEntries(
        PARTS.map((part) => [
          `${name}-${part}`,
          [`/visits, ${perRequest} a request, processor time of the ${part} for a visit`, 'µs'],
        ]),
      ),
    },
  };
}

/** Seed of the latest log. Each log has its own, so that no line is recorded twice. */
let seed = 0;

const importing: Measurement<StandaloneSide> = {
  rows: {
    import: ['logs import, a log of people and agents', 'lines/s'],
    ...costRows('import', 'logs import'),
    'import-cli': ["logs import, the command's processor time for a line", 'µs'],
    bytes: ['a visit on disk, with its indexes, from a log', 'bytes'],
  },
  async measure(side) {
    const { database } = side;
    seed += 1;
    const log = generateLog({ lines: LINES, seed, start: new Date(Date.now() - DAY_MS) });
    await database.empty();
    const empty = await database.visitBytes();
    const before = await endedChildrenTime();
    const cost = await costOf(side, 'import', log.readable, () => importLog(side, log.text));
    const command = (await endedChildrenTime()) - before;
    await database.pool.query('VACUUM');
    const bytes = (await database.visitBytes()) - empty;
    return { ...cost, 'import-cli': (command * 1_000) / LINES, bytes: bytes / log.readable };
  },
};

const PLAIN_LINES = amount(200_000, 1_000);

/** Returns a log of typical lines: ASCII, without escapes. */
const plainLog = (): string => {
  const { text } = generateLog({ lines: 20_000 });
  const lines = text.split('\n').filter((line) => /^[ -[\]-~]+$/.test(line));
  return Array.from({ length: PLAIN_LINES }, (_, index) => `${lines[index % lines.length]!}\n`).join('');
};

const dryRunning: Measurement<StandaloneSide> = {
  rows: { 'dry-run': ["logs import --dry-run, the command's processor time for a plain line, its start aside", 'µs'] },
  async measure(side) {
    const times: number[] = [];
    for (const text of ['', plainLog()]) {
      const before = await endedChildrenTime();
      await importLog(side, text, '--dry-run');
      times.push((await endedChildrenTime()) - before);
    }
    return { 'dry-run': ((times[1]! - times[0]!) * 1_000) / PLAIN_LINES };
  },
};

/** Imports a log with the CLI of the same build. @throws Error with the CLI's output. */
async function importLog({ build, url, token }: StandaloneSide, text: string, ...options: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
  try {
    const file = join(folder, 'access.log');
    await writeFile(file, text);
    const args = [join(build.root, 'apps/cli/bin/agent-traffic.mjs'), 'logs', 'import', ...options, file];
    const env = { PATH: process.env['PATH'], AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_TOKEN: token };
    const child = spawn(join(build.root, 'node_modules/.bin/node'), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`logs import ended with ${code}:\n${output}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function asking(name: string, operation: NonNullable<LoadOptions['operation']>): Measurement<Side> {
  const requests = amount(10_000, 500);
  return {
    rows: {
      [name]: [`${operation.path}, 32 connections`, 'requests/s'],
      [`${name}-node`]: [`${operation.path}, Node's processor time for a request`, 'µs'],
    },
    async measure(side) {
      const before = await processorTime(side.services);
      const rate = await requestsPerSecond({ ...side, operation, connections: 32, amount: requests });
      return { [name]: rate, [`${name}-node`]: (((await processorTime(side.services)) - before) * 1_000) / requests };
    },
  };
}

const identifying = asking('identifications', { path: '/agent-identifications', body: identification });
const { request_path, request_headers } = visit(0);
const verifying = asking('verifications', { path: '/agent-verifications', body: { request_path, request_headers } });

/** Sides that already have visits of the last 30 days. */
const withHistory = new WeakSet<Side>();

const reading: Measurement<StandaloneSide> = {
  rows: {
    timeline: ['a page of the timeline, p95', 'ms'],
    'timeline-processor': ["a page of the timeline, Node's and PostgreSQL's processor time", 'ms'],
    overview: ['the overview of 30 days, p95', 'ms'],
    'overview-processor': ["the overview of 30 days, Node's and PostgreSQL's processor time", 'ms'],
  },
  async measure(side) {
    if (!withHistory.has(side)) {
      await importLog(side, month());
      withHistory.add(side);
    }
    const get = async (path: string): Promise<unknown> => {
      const answer = await fetch(`${side.url}/api${path}`, { headers: { authorization: `Bearer ${side.apiKey}` } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const { projects } = (await get('/projects')) as { projects: { id: string }[] };
    const project = `/projects/${projects[0]!.id}`;
    const from = new Date(Date.now() - 30 * DAY_MS).toISOString();
    const ask = async (name: string, path: string): Promise<Record<string, number>> => {
      const spent = async (): Promise<number> =>
        (await processorTime(side.services)) + (await side.database.processorTime());
      const times: number[] = [];
      const before = await spent();
      for (let count = 0; count < amount(100, 5); count += 1) {
        const started = performance.now();
        await get(path);
        times.push(performance.now() - started);
      }
      const processor = ((await spent()) - before) / times.length;
      return { [name]: percentile(times, 0.95), [`${name}-processor`]: processor };
    };
    return {
      ...(await ask('timeline', `${project}/visits`)),
      ...(await ask('overview', `${project}/overview?from=${from}`)),
    };
  },
};

/** Returns a log with lines on each of the last 30 days. */
const month = (): string =>
  Array.from({ length: 30 }, (_, day) => {
    const start = new Date(Date.now() - (30 - day) * DAY_MS);
    return generateLog({ lines: LINES / 30, seed: 1_000 + day, start }).text;
  }).join('');

const starting: Measurement<StandaloneSide> = {
  rows: { start: ['from start to ready, the second time', 'ms'], 'memory-idle': ['memory, after the start', 'MB'] },
  async measure(side) {
    const { milliseconds, instance } = await side.startAgain();
    await sleep(SETTLED_MS);
    const idle = await memory([instance.child.pid!], 'now');
    await instance.stop();
    return { start: milliseconds, 'memory-idle': idle };
  },
};

export const OF_STANDALONE: readonly Measurement<StandaloneSide>[] = [
  importing,
  dryRunning,
  reading,
  sending(50, amount(600, 150), 32),
  sending(1, amount(10_000, 500), 32),
  draining,
  identifying,
  verifying,
  starting,
];

export const OF_STACK: readonly Measurement<Side>[] = [
  sendingToKafka(50, amount(600, 50), 32),
  // With enough connections, the gateway stays busy while requests wait for acknowledgments.
  sendingToKafka(1, amount(10_000, 500), 128),
  identifying,
  verifying,
];
