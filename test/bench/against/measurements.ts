/** Measurements for comparing two builds. Each one produces several rows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateLog } from '../../log-generator.ts';
import { isQuick } from '../compare.ts';
import { LINES_PER_REQUEST as DRAIN_LINES, postDrains } from '../drains.ts';
import { identificationRequest, measureRequestRate, createVisit, type LoadOptions } from '../load.ts';
import {
  getExitedChildrenCpuTimeMs,
  resetPeakMemory,
  getMemoryMb,
  getOwnCpuTimeMs,
  getCpuTimeMs,
} from '../processes.ts';
import { percentile } from '../reading-operations.ts';
import type { Part, Side, StandaloneSide } from './side.ts';

export interface Measurement<S extends Side> {
  /** Description and unit by row name. `--only` accepts these names. */
  rows: Readonly<Record<string, readonly [what: string, unit: string]>>;
  /** Returns the measured values by row name. */
  measure(side: S): Promise<Readonly<Record<string, number>>>;
}

const pickAmount = (full: number, quick: number): number => (isQuick ? quick : full);
const LINES = pickAmount(30_000, 1_000);
const DAY_MS = 86_400_000;
/** Time in milliseconds for a new process to finish its deferred work. */
const SETTLE_MS = 2_000;

/**
 * Measures the cost of storing visits.
 *
 * @param send Resolves once all visits are accepted.
 */
async function measureCost<S extends Side>(side: S, name: string, visits: number, send: () => Promise<unknown>) {
  const { database, services } = side;
  const parts = Object.entries(side.parts);
  await database.deleteVisits();
  await resetPeakMemory(services);
  const times = (): Promise<number[]> =>
    Promise.all([getCpuTimeMs(services), database.getCpuTimeMs(), ...parts.map(([, id]) => getCpuTimeMs([id]))]);
  const before = await times();
  const loadBefore = getOwnCpuTimeMs();
  const started = performance.now();
  await send();
  const accepted = performance.now() - started;
  const load = getOwnCpuTimeMs() - loadBefore;
  while ((await database.countStored()) < visits) await sleep(50);
  const stored = performance.now() - started;
  const after = await times();
  const perVisit = (time: number): number => (time * 1_000) / visits;
  const [node, postgres, ...others] = after.map((time, index) => perVisit(time - before[index]!));
  return {
    [name]: (visits * 1_000) / stored,
    [`${name}-accepted`]: (visits * 1_000) / accepted,
    [`${name}-node`]: node!,
    [`${name}-postgres`]: postgres!,
    [`${name}-memory`]: await getMemoryMb(services, 'peak'),
    [`${name}-load`]: perVisit(load),
    ...Object.fromEntries(parts.map(([part], index) => [`${name}-${part}`, others[index]!])),
  };
}

const costRows = (name: string, what: string): Measurement<Side>['rows'] => ({
  [`${name}-node`]: [`${what}, received to stored, Node.js CPU time per visit`, 'µs'],
  [`${name}-postgres`]: [`${what}, received to stored, PostgreSQL CPU time per visit`, 'µs'],
  [`${name}-memory`]: [`${what}, peak memory`, 'MB'],
});

function createVisitsMeasurement(perRequest: number, requests: number, connections: number): Measurement<Side> {
  const name = `visits-${perRequest}`;
  const what = `/visits, ${perRequest} per request`;
  return {
    rows: { [name]: [`${what}, ${connections} connections, received to stored`, 'visits/s'], ...costRows(name, what) },
    measure: (side) =>
      measureCost(side, name, requests * perRequest, () =>
        measureRequestRate({ ...side, perRequest, connections, amount: requests }),
      ),
  };
}

const DRAIN_REQUESTS = pickAmount(30, 5);

const drainsMeasurement: Measurement<Side> = {
  rows: {
    drains: [`/drains/cloudflare-logpush, ${DRAIN_LINES} lines per request, received to stored`, 'visits/s'],
    ...costRows('drains', '/drains/cloudflare-logpush'),
  },
  measure: (side) => measureCost(side, 'drains', DRAIN_REQUESTS * DRAIN_LINES, () => postDrains(side, DRAIN_REQUESTS)),
};

const PARTS: readonly (Part | 'load')[] = ['gateway', 'enrichment', 'ingest', 'broker', 'redis', 'load'];

/**
 * Like {@link createVisitsMeasurement}, with additional rows for visits accepted by Kafka (before they're stored) and for CPU time by
 * service.
 */
function createKafkaMeasurement(perRequest: number, requests: number, connections: number): Measurement<Side> {
  const visitsMeasurement = createVisitsMeasurement(perRequest, requests, connections);
  const name = `visits-${perRequest}`;
  return {
    ...visitsMeasurement,
    rows: {
      [`${name}-accepted`]: [`/visits, ${perRequest} per request, acknowledged by Kafka`, 'visits/s'],
      ...visitsMeasurement.rows,
      ...Object.fromEntries(
        PARTS.map((part) => [
          `${name}-${part}`,
          [`/visits, ${perRequest} per request, ${part} CPU time per visit`, 'µs'],
        ]),
      ),
    },
  };
}

/** Seed of the latest log. Each log has a different seed, so that no line is recorded twice. */
let seed = 0;

const importMeasurement: Measurement<StandaloneSide> = {
  rows: {
    import: ['logs import, a log with people and agents', 'lines/s'],
    ...costRows('import', 'logs import'),
    'import-cli': ['logs import, CPU time of the command per line', 'µs'],
    bytes: ['disk usage of an imported visit, including its indexes', 'bytes'],
  },
  async measure(side) {
    const { database } = side;
    seed += 1;
    const log = generateLog({ lines: LINES, seed, start: new Date(Date.now() - DAY_MS) });
    await database.deleteVisits();
    const empty = await database.getVisitBytes();
    const before = await getExitedChildrenCpuTimeMs();
    const cost = await measureCost(side, 'import', log.readable, () => importLog(side, log.text));
    const command = (await getExitedChildrenCpuTimeMs()) - before;
    await database.pool.query('VACUUM');
    const bytes = (await database.getVisitBytes()) - empty;
    return { ...cost, 'import-cli': (command * 1_000) / LINES, bytes: bytes / log.readable };
  },
};

const PLAIN_LINES = pickAmount(200_000, 1_000);

/** Returns a log containing only typical lines: ASCII without escapes. */
const createPlainLog = (): string => {
  const { text } = generateLog({ lines: 20_000 });
  const lines = text.split('\n').filter((line) => /^[ -[\]-~]+$/.test(line));
  return Array.from({ length: PLAIN_LINES }, (_, index) => `${lines[index % lines.length]!}\n`).join('');
};

const dryRunMeasurement: Measurement<StandaloneSide> = {
  rows: { 'dry-run': ['logs import --dry-run, CPU time of the command per plain line, excluding startup', 'µs'] },
  async measure(side) {
    const times: number[] = [];
    for (const text of ['', createPlainLog()]) {
      const before = await getExitedChildrenCpuTimeMs();
      await importLog(side, text, '--dry-run');
      times.push((await getExitedChildrenCpuTimeMs()) - before);
    }
    return { 'dry-run': ((times[1]! - times[0]!) * 1_000) / PLAIN_LINES };
  },
};

/**
 * Imports a log with the CLI from the same build.
 *
 * @throws {Error} with the CLI's output if the import fails
 */
export async function importLog(
  { build, url, token }: Pick<Side, 'build' | 'url' | 'token'>,
  text: string,
  ...options: string[]
): Promise<void> {
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
    if (code !== 0) throw new Error(`logs import exited with ${code}:\n${output}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function createOperationMeasurement(name: string, operation: NonNullable<LoadOptions['operation']>): Measurement<Side> {
  const requests = pickAmount(10_000, 500);
  return {
    rows: {
      [name]: [`${operation.path}, 32 connections`, 'requests/s'],
      [`${name}-node`]: [`${operation.path}, Node.js CPU time per request`, 'µs'],
    },
    async measure(side) {
      const before = await getCpuTimeMs(side.services);
      const rate = await measureRequestRate({ ...side, operation, connections: 32, amount: requests });
      return { [name]: rate, [`${name}-node`]: (((await getCpuTimeMs(side.services)) - before) * 1_000) / requests };
    },
  };
}

const identificationMeasurement = createOperationMeasurement('identifications', {
  path: '/agent-identifications',
  body: identificationRequest,
});
const { request_path, request_headers } = createVisit(0);
const verificationMeasurement = createOperationMeasurement('verifications', {
  path: '/agent-verifications',
  body: { request_path, request_headers },
});

/** Sides that already contain visits from the last 30 days. */
const sidesWithHistory = new WeakSet<Side>();

const readMeasurement: Measurement<StandaloneSide> = {
  rows: {
    timeline: ['timeline page, p95', 'ms'],
    'timeline-processor': ['timeline page, Node.js and PostgreSQL CPU time', 'ms'],
    overview: ['30-day overview, p95', 'ms'],
    'overview-processor': ['30-day overview, Node.js and PostgreSQL CPU time', 'ms'],
  },
  async measure(side) {
    if (!sidesWithHistory.has(side)) {
      await importLog(side, createMonthLog());
      sidesWithHistory.add(side);
    }
    const get = async (path: string): Promise<unknown> => {
      const response = await fetch(`${side.url}/api${path}`, { headers: { authorization: `Bearer ${side.apiKey}` } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    const { projects } = (await get('/projects')) as { projects: { id: string }[] };
    const project = `/projects/${projects[0]!.id}`;
    const from = new Date(Date.now() - 30 * DAY_MS).toISOString();
    const measureRequests = async (name: string, path: string): Promise<Record<string, number>> => {
      const readCpuTimeMs = async (): Promise<number> =>
        (await getCpuTimeMs(side.services)) + (await side.database.getCpuTimeMs());
      const times: number[] = [];
      const before = await readCpuTimeMs();
      for (let count = 0; count < pickAmount(100, 5); count += 1) {
        const started = performance.now();
        await get(path);
        times.push(performance.now() - started);
      }
      const processor = ((await readCpuTimeMs()) - before) / times.length;
      return { [name]: percentile(times, 0.95), [`${name}-processor`]: processor };
    };
    return {
      ...(await measureRequests('timeline', `${project}/visits`)),
      ...(await measureRequests('overview', `${project}/overview?from=${from}`)),
    };
  },
};

/** Returns a log with lines for each of the last 30 days. */
const createMonthLog = (): string =>
  Array.from({ length: 30 }, (_, day) => {
    const start = new Date(Date.now() - (30 - day) * DAY_MS);
    return generateLog({ lines: LINES / 30, seed: 1_000 + day, start }).text;
  }).join('');

const startMeasurement: Measurement<StandaloneSide> = {
  rows: { start: ['time to ready on the second start', 'ms'], 'memory-idle': ['memory after the start', 'MB'] },
  async measure(side) {
    const { milliseconds, instance } = await side.restart();
    await sleep(SETTLE_MS);
    const idle = await getMemoryMb([instance.child.pid!], 'now');
    await instance.stop();
    return { start: milliseconds, 'memory-idle': idle };
  },
};

export const STANDALONE_MEASUREMENTS: readonly Measurement<StandaloneSide>[] = [
  importMeasurement,
  dryRunMeasurement,
  readMeasurement,
  createVisitsMeasurement(50, pickAmount(600, 150), 32),
  createVisitsMeasurement(1, pickAmount(10_000, 500), 32),
  drainsMeasurement,
  identificationMeasurement,
  verificationMeasurement,
  startMeasurement,
];

export const STACK_MEASUREMENTS: readonly Measurement<Side>[] = [
  createKafkaMeasurement(50, pickAmount(600, 50), 32),
  // Use enough connections to keep the gateway busy while requests wait for acknowledgments.
  createKafkaMeasurement(1, pickAmount(10_000, 500), 128),
  identificationMeasurement,
  verificationMeasurement,
];
