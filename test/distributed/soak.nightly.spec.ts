/** Runs at half of the measured capacity for SOAK_MINUTES. Services must release everything that a visit allocates. */
import { readdir } from 'node:fs/promises';
import { median, visits } from '../bench/load.js';
import { Deployment, SERVICES } from '../kit/deployment.js';
import { httpLoad } from '../kit/http-load.js';
import { pause, until } from '../kit/instance.js';
import { INSPECTED, retainedMemory } from '../kit/retained-memory.js';
import { StreamReader } from '../kit/stream.js';
import { Client, GOOGLEBOT } from '../kit/client.js';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 20);
const PER_REQUEST = 10;
const CONNECTIONS = 32;
const SAMPLES = 40;
/** Seconds of load used to measure the capacity. */
const TRIAL_SECONDS = 10;

/** Memory that a service may retain per visit: less than one entry of a list or map that is never cleared. */
const MAX_BYTES_PER_VISIT = 16;
/** Other memory growth allowed, in MiB, such as caches still filling and code still being compiled. */
const MAX_MEBIBYTES = 2;
/** Allowed fluctuation of open connections and timers. */
const MAX_MORE = 50;

let deployment: Deployment;
/** Requests per second at half of the capacity. */
let rate: number;

beforeAll(async () => {
  deployment = await Deployment.start({ env: { ...INSPECTED, LOG_LEVEL: 'warn' } });
  const started = performance.now();
  const posted = await load(TRIAL_SECONDS);
  await everythingStored(posted);
  rate = ((posted.accepted / PER_REQUEST) * 500) / (performance.now() - started);
}, 300_000);
afterAll(() => deployment?.dispose());

interface Posted {
  /** Number of visits acknowledged with 204. */
  accepted: number;
  /** Number of visits refused with 503. Those cut off by the deadline may still be stored. */
  refused: number;
}

async function load(seconds: number, perSecond?: number): Promise<Posted> {
  const { accessToken, url } = deployment.client.target;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
  const result = await httpLoad({
    url,
    path: '/visits',
    requests: [{ headers, body: JSON.stringify(visits(PER_REQUEST)) }],
    connections: CONNECTIONS,
    duration: seconds * 1_000,
    ...(perSecond !== undefined && { rate: perSecond }),
  });
  // Other programs may stall the machine past the request deadline, which causes 503s.
  expect([...result.durations.keys()].filter((status) => status !== 503)).toEqual([204]);
  return { accepted: result.count(204) * PER_REQUEST, refused: result.count(503) * PER_REQUEST };
}

const all: Posted = { accepted: 0, refused: 0 };

async function everythingStored({ accepted, refused }: Posted): Promise<void> {
  all.accepted += accepted;
  all.refused += refused;
  await until(async () => (await deployment.sums()).stored >= all.accepted, {
    what: `${all.accepted} visits are stored`,
    within: 120_000,
    explain: () => deployment.logs(),
  });
  const { stored, counted, pages } = await deployment.sums();
  expect(stored).toBeLessThanOrEqual(all.accepted + all.refused);
  expect([counted, pages]).toEqual([stored, stored]);
}

async function use(over: AbortSignal): Promise<void> {
  const { client } = deployment;
  const id = await client.projectId();
  const reader = new Client({ ...client.target, url: deployment.stack.url('console') });
  while (!over.aborted) {
    await client.post('/agent-identifications', { request_headers: { 'user-agent': GOOGLEBOT } });
    await client.post('/robots-txts', { agent_types: ['AI Data Scraper'] });
    await client.api(`/projects/${id}/visits?limit=50`);
    const stream = await StreamReader.open(reader, id);
    await until(() => stream.documents.length > 0 || over.aborted, { what: 'the stream has a visit' });
    stream.close();
    await pause(100);
  }
}

interface Sample {
  /** MiB, after a garbage collection. */
  memory: number;
  files: number;
  /** Number of timers, sockets and other resources that hold the event loop open. */
  resources: number;
}

async function sampleOf(name: string): Promise<Sample> {
  const server = deployment.process(name);
  const metrics = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  return {
    memory: await retainedMemory(server),
    files: (await readdir(`/proc/${server.pid}/fd`)).length,
    resources: Number(/^nodejs_active_resources_total (\d+)/m.exec(metrics)![1]),
  };
}

const sessions = async (): Promise<number> =>
  (await deployment.database.query(`SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname IS NOT NULL`))
    .rows[0].open;

interface Rise {
  what: string;
  before: number;
  after: number;
  most: number;
}

/** Returns what grew too much between the second and last quarter. Caches fill during the first. */
async function soak(minutes: number): Promise<Rise[]> {
  const series = new Map<string, number[]>();
  const note = (what: string, value: number): void => void series.set(what, [...(series.get(what) ?? []), value]);
  const over = new AbortController();
  const used = use(over.signal);
  const loaded = load(minutes * 60, rate).finally(() => over.abort());
  const started = performance.now();
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    const due = started + (sample * minutes * 60_000) / (SAMPLES + 1);
    await pause(Math.max(0, due - performance.now()));
    for (const name of SERVICES) {
      const found = await sampleOf(name);
      for (const [kind, value] of Object.entries(found)) note(`${name}: ${kind}`, value);
    }
    note('postgres: connections', await sessions());
  }
  const posted = await loaded;
  const { accepted, refused } = posted;
  await used;
  // At half of the capacity, only brief stalls cause refusals.
  expect(refused).toBeLessThan(accepted / 20);
  await everythingStored(posted);
  const rises = [...series].map(([what, values]): Rise => {
    const quarter = (number: number): number =>
      median(values.slice(((number - 1) * SAMPLES) / 4, (number * SAMPLES) / 4));
    // Half of the visits arrive between the middles of the two quarters.
    const memory = MAX_MEBIBYTES + ((accepted / 2) * MAX_BYTES_PER_VISIT) / 2 ** 20;
    return { what, before: quarter(2), after: quarter(4), most: what.endsWith('memory') ? memory : MAX_MORE };
  });
  print(rises, posted, minutes);
  return rises.filter(({ before, after, most }) => after - before > most);
}

function print(rises: readonly Rise[], { accepted, refused }: Posted, minutes: number): void {
  const lines = rises.map(
    ({ what, before, after, most }) =>
      `| ${what} | ${before.toFixed(1)} | ${after.toFixed(1)} | ${(after - before).toFixed(1)} | ${most.toFixed(1)} |`,
  );
  const head = `${accepted} visits in ${minutes} minutes, ${refused} refused, ${Math.round(rate * PER_REQUEST)} a second`;
  process.stdout.write(`\n${head}\n${lines.join('\n')}\n`);
}

it(
  'retains nothing of the visits it has stored',
  async () => {
    expect(await soak(MINUTES)).toEqual([]);
  },
  MINUTES * 60_000 + 300_000,
);

/** Preloaded code that leaks 100 bytes per visit. */
const LEAK = `
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
  const options = `${INSPECTED.NODE_OPTIONS} --import data:text/javascript,${encodeURIComponent(LEAK)}`;
  await gateway.stop();
  gateway.change({ env: { ...env, NODE_OPTIONS: options } });
  await gateway.start();
  expect((await soak(Math.min(MINUTES, 3))).map(({ what }) => what)).toContain('gateway: memory');
}, 500_000);
