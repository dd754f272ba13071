/** Runs at half the measured capacity for SOAK_MINUTES. Services must release everything they allocate for a visit. */
import { readdir } from 'node:fs/promises';
import { median, createVisits } from '../bench/load.js';
import { Deployment, SERVICES } from '../kit/deployment.js';
import { runHttpLoad } from '../kit/http-load.js';
import { pause, until } from '../kit/instance.js';
import { INSPECTOR_ENV, measureRetainedMib } from '../kit/retained-memory.js';
import { StreamReader } from '../kit/stream.js';
import { Client, GOOGLEBOT } from '../kit/client.js';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 20);
const PER_REQUEST = 10;
const CONNECTIONS = 32;
const SAMPLES = 40;
/** Seconds of load for measuring the capacity. */
const TRIAL_SECONDS = 10;

/** Memory that a service may retain per visit. This is less than one entry in a list or map that is never cleared. */
const MAX_BYTES_PER_VISIT = 16;
/**
 * Additional memory growth allowed, in MiB, for caches that are still filling up and code that is still being compiled.
 */
const MAX_EXTRA_MIB = 2;
/** Allowed fluctuation in the number of open files, connections, and timers. */
const MAX_FLUCTUATION = 50;

let deployment: Deployment;
/** Requests per second at half capacity. */
let rate: number;

beforeAll(async () => {
  deployment = await Deployment.start({ env: { ...INSPECTOR_ENV, LOG_LEVEL: 'warn' } });
  const started = performance.now();
  const posted = await load(TRIAL_SECONDS);
  await waitUntilAllStored(posted);
  rate = ((posted.accepted / PER_REQUEST) * 500) / (performance.now() - started);
}, 300_000);
afterAll(() => deployment?.dispose());

interface LoadResult {
  /** Number of visits acknowledged with a 204 response. */
  accepted: number;
  /**
   * Number of visits rejected with a 503 response. If a request was cut off by the deadline, its visits may still be
   * stored.
   */
  refused: number;
}

async function load(seconds: number, perSecond?: number): Promise<LoadResult> {
  const { accessToken, url } = deployment.client.target;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
  const result = await runHttpLoad({
    url,
    path: '/visits',
    requests: [{ headers, body: JSON.stringify(createVisits(PER_REQUEST)) }],
    connections: CONNECTIONS,
    durationMs: seconds * 1_000,
    ...(perSecond !== undefined && { rate: perSecond }),
  });
  // Other programs may stall the machine past the request deadline, which causes 503 responses.
  expect([...result.durations.keys()].filter((status) => status !== 503)).toEqual([204]);
  return { accepted: result.count(204) * PER_REQUEST, refused: result.count(503) * PER_REQUEST };
}

const all: LoadResult = { accepted: 0, refused: 0 };

async function waitUntilAllStored({ accepted, refused }: LoadResult): Promise<void> {
  all.accepted += accepted;
  all.refused += refused;
  await until(async () => (await deployment.countTotals()).stored >= all.accepted, {
    condition: `${all.accepted} visits are stored`,
    timeoutMs: 120_000,
    explain: () => deployment.logs(),
  });
  const { stored, counted, pages } = await deployment.countTotals();
  expect(stored).toBeLessThanOrEqual(all.accepted + all.refused);
  expect([counted, pages]).toEqual([stored, stored]);
}

async function generateReads(over: AbortSignal): Promise<void> {
  const { client } = deployment;
  const id = await client.projectId();
  const reader = new Client({ ...client.target, url: deployment.stack.url('console') });
  while (!over.aborted) {
    await client.post('/agent-identifications', { request_headers: { 'user-agent': GOOGLEBOT } });
    await client.post('/robots-txts', { agent_types: ['AI Data Scraper'] });
    await client.api(`/projects/${id}/visits?limit=50`);
    const stream = await StreamReader.open(reader, id);
    await until(() => stream.documents.length > 0 || over.aborted, { condition: 'the stream has a visit' });
    stream.close();
    await pause(100);
  }
}

interface Sample {
  /** Memory in MiB after a garbage collection. */
  memoryMib: number;
  files: number;
  /** Number of timers, sockets, and other resources that keep the event loop alive. */
  resources: number;
}

async function takeSample(name: string): Promise<Sample> {
  const server = deployment.process(name);
  const metrics = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  return {
    memoryMib: await measureRetainedMib(server),
    files: (await readdir(`/proc/${server.pid}/fd`)).length,
    resources: Number(/^nodejs_active_resources_total (\d+)/m.exec(metrics)![1]),
  };
}

const sessions = async (): Promise<number> =>
  (await deployment.database.query(`SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname IS NOT NULL`))
    .rows[0].open;

interface MetricGrowth {
  what: string;
  before: number;
  after: number;
  maxGrowth: number;
}

/** Returns the metrics that grew too much between the second and last quarter. Caches fill during the first quarter. */
async function soak(minutes: number): Promise<MetricGrowth[]> {
  const series = new Map<string, number[]>();
  const recordSample = (what: string, value: number): void =>
    void series.set(what, [...(series.get(what) ?? []), value]);
  const over = new AbortController();
  const used = generateReads(over.signal);
  const loaded = load(minutes * 60, rate).finally(() => over.abort());
  const started = performance.now();
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    const due = started + (sample * minutes * 60_000) / (SAMPLES + 1);
    await pause(Math.max(0, due - performance.now()));
    for (const name of SERVICES) {
      const found = await takeSample(name);
      for (const [kind, value] of Object.entries(found)) recordSample(`${name}: ${kind}`, value);
    }
    recordSample('postgres: connections', await sessions());
  }
  const posted = await loaded;
  const { accepted, refused } = posted;
  await used;
  // At half capacity, the only rejections should come from brief stalls.
  expect(refused).toBeLessThan(accepted / 20);
  await waitUntilAllStored(posted);
  const rises = [...series].map(([what, values]): MetricGrowth => {
    const quarter = (number: number): number =>
      median(values.slice(((number - 1) * SAMPLES) / 4, (number * SAMPLES) / 4));
    // The midpoints of the two quarters are half a run apart, so half of the visits arrive between them.
    const memory = MAX_EXTRA_MIB + ((accepted / 2) * MAX_BYTES_PER_VISIT) / 2 ** 20;
    return {
      what,
      before: quarter(2),
      after: quarter(4),
      maxGrowth: what.endsWith('memory') ? memory : MAX_FLUCTUATION,
    };
  });
  printGrowth(rises, posted, minutes);
  return rises.filter(({ before, after, maxGrowth }) => after - before > maxGrowth);
}

function printGrowth(rises: readonly MetricGrowth[], { accepted, refused }: LoadResult, minutes: number): void {
  const lines = rises.map(
    ({ what, before, after, maxGrowth }) =>
      `| ${what} | ${before.toFixed(1)} | ${after.toFixed(1)} | ${(after - before).toFixed(1)} | ${maxGrowth.toFixed(1)} |`,
  );
  const head = `${accepted} visits in ${minutes} minutes, ${refused} rejected, ${Math.round(rate * PER_REQUEST)} per second`;
  process.stdout.write(`\n${head}\n${lines.join('\n')}\n`);
}

it(
  'retains no memory for stored visits',
  async () => {
    expect(await soak(MINUTES)).toEqual([]);
  },
  MINUTES * 60_000 + 300_000,
);

/** Preloaded code that leaks 100 bytes per visit. */
const LEAK_PROGRAM = `
import { Server } from 'node:http';
const { emit } = Server.prototype;
const kept = [];
Server.prototype.emit = function (name, ...rest) {
  if (name === 'request') kept.push(new Array(${(100 * PER_REQUEST) / 8}).fill(kept.length));
  return emit.call(this, name, ...rest);
};`;

it('detects a gateway that leaks 100 bytes per visit', async () => {
  const gateway = deployment.process('gateway');
  const { env } = gateway.command;
  const options = `${INSPECTOR_ENV.NODE_OPTIONS} --import data:text/javascript,${encodeURIComponent(LEAK_PROGRAM)}`;
  await gateway.stop();
  gateway.configure({ env: { ...env, NODE_OPTIONS: options } });
  await gateway.start();
  expect((await soak(Math.min(MINUTES, 3))).map(({ what }) => what)).toContain('gateway: memory');
}, 500_000);
