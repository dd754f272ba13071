/** Breaks ClickHouse, which stores the visits of a deployment, and the services that use it. */
import { randomUUID } from 'node:crypto';
import type { IHeaders, Kafka as KafkaClient } from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS, type EnrichedVisit } from '#libs/contracts';
import { ClickHouseServer } from '../kit/clickhouse.js';
import { Client, readProblem } from '../kit/client.js';
import { Deployment, PORT_OFFSET } from '../kit/deployment.js';
import { isFullRun, itInFullRuns, prolongOutage } from '../kit/faults.js';
import { FaultTrials, type FaultResult } from '../kit/fault-trials.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { StreamReader } from '../kit/stream.js';
import { TcpRelay } from '../kit/tcp-relay.js';
import type { ServerProcess } from '../stack/server-process.ts';

/** Number of times that ingest, ClickHouse, and then both are killed. */
const ROUNDS = isFullRun ? 10 : 1;
/** Maximum number of visits between a start and the next kill. */
const MAX_BETWEEN_KILLS = 600;
const OUTAGE_SECONDS = 20;
const formatDuration = (): string => (isFullRun ? ` for ${OUTAGE_SECONDS} s` : '');
const POSTGRES_PORT = 15_432;
/** Maximum number of batches that wait for ClickHouse. Until a partition's batch is stored, its next one isn't read. */
const MAX_PENDING_BATCHES = 12;
/** Result of visits that are delivered again. No other visit has it. */
const CHANGED_RESULT = { result: 'unknown_agent', reason: null, agent_id: null, agent_token: null } as const;

/** Maximum number of visits that are delivered again. */
const MAX_COPIES = 2_000;
const COPIES_PER_REQUEST = 200;
const topic = TOPICS.visitsEnriched;

let server: ClickHouseServer;
let database: TcpRelay;
let visitStore: TcpRelay;
let deployment: Deployment;
let trials: FaultTrials;

beforeAll(async () => {
  server = await ClickHouseServer.start();
  database = await TcpRelay.start(() => POSTGRES_PORT + PORT_OFFSET);
  visitStore = await TcpRelay.start(() => server.process.port);
  deployment = await Deployment.start({
    databasePort: database.port,
    visitStore: server.options,
    visitStorePort: visitStore.port,
    only: ['gateway', 'enrichment', 'ingest', 'console'],
    scale: { console: 2 },
  });
  trials = new FaultTrials(await temporaryFolder());
}, 180_000);
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
  await server?.dispose();
  await database?.close();
  await visitStore?.close();
});

afterEach(async () => {
  // After a failure, the next test starts with working servers.
  database.trafficMode = 'open';
  visitStore.trafficMode = 'open';
  const processes = [server.process, deployment.process('ingest'), ...deployment.stack.service('console')];
  for (const process of processes) {
    if (process.isRunning) process.thaw();
    else await process.start();
  }
});

/** Expects nearly all visits to be accepted. */
function expectUnnoticed({ accepted }: FaultResult): void {
  expect(Number(accepted)).toBeGreaterThanOrEqual(isFullRun ? 99 : 95);
}

/** Starts a process that exits if it can't connect to PostgreSQL in time. Like a supervisor, tries again then. */
async function startSupervised(process: ServerProcess): Promise<void> {
  await until(() => process.start().catch(() => null), { condition: 'the process has started', timeoutMs: 120_000 });
}

async function readHealth(service: string): Promise<{ status: string; checks: Record<string, string> }> {
  const response = await fetch(`http://127.0.0.1:${deployment.process(service).port}/readyz`);
  expect(response.status).toBe(200);
  return (await response.json()) as { status: string; checks: Record<string, string> };
}

const readMetrics = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${deployment.process('ingest').port}/metrics`)).text();

/** Waits until visits wait for ClickHouse, and expects no more than those in flight. */
async function expectPendingBatches(): Promise<void> {
  const pending = await until(() => deployment.countPendingBatches(), { condition: 'visits wait for ClickHouse' });
  expect(pending).toBeLessThanOrEqual(MAX_PENDING_BATCHES);
}

const connect = async (service?: string): Promise<KafkaClient> =>
  new Kafka({ ...(await deployment.stack.kafkaClient(service)), logLevel: logLevel.NOTHING });

/** Returns the end of each partition of the enriched visits, or the offset that ingest has committed. */
async function readOffsets(kind: 'end' | 'committed'): Promise<Map<number, number>> {
  const admin = (await connect()).admin();
  await admin.connect();
  const [committed] = await admin.fetchOffsets({ groupId: CONSUMER_GROUPS.ingest, topics: [topic] });
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  return new Map(
    kind === 'end'
      ? ends.map(({ partition, high }) => [partition, Number(high)])
      : committed!.partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]),
  );
}

/** Waits until ingest has stored or ignored all enriched visits. */
async function waitUntilConsumed(): Promise<void> {
  const ends = await readOffsets('end');
  await until(
    async () => [...(await readOffsets('committed'))].every(([partition, offset]) => offset >= ends.get(partition)!),
    { condition: 'ingest has consumed all visits' },
  );
}

interface PublishedVisit {
  partition: number;
  key: Buffer | null;
  headers: IHeaders;
  visit: EnrichedVisit;
}

/** Returns all enriched visits that have been published. */
async function readPublishedVisits(): Promise<PublishedVisit[]> {
  const remaining = new Map([...(await readOffsets('end'))].filter(([, end]) => end > 0));
  const published: PublishedVisit[] = [];
  const consumer = (await connect('consumer')).consumer({ groupId: randomUUID() });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ partition, message: { key, value, headers = {}, offset } }) => {
      published.push({ partition, key, headers, visit: JSON.parse(value!.toString()) as EnrichedVisit });
      if (Number(offset) + 1 >= (remaining.get(partition) ?? 0)) remaining.delete(partition);
    },
  });
  await until(() => remaining.size === 0, { condition: 'the entire topic is read' });
  await consumer.disconnect();
  return published;
}

/** Publishes the last enriched visits again, with {@link CHANGED_RESULT}. */
async function publishAgain(): Promise<void> {
  const published = (await readPublishedVisits()).slice(-MAX_COPIES);
  const producer = (await connect('enrichment')).producer();
  await producer.connect();
  for (let start = 0; start < published.length; start += COPIES_PER_REQUEST) {
    const messages = published.slice(start, start + COPIES_PER_REQUEST).map(({ visit, ...message }) => ({
      ...message,
      value: JSON.stringify({ ...visit, identification: { ...visit.identification, ...CHANGED_RESULT } }),
    }));
    await producer.send({ topic, messages });
  }
  await producer.disconnect();
}

/** Opens a stream of a project's new visits on a console. */
async function openStream(
  { port }: ServerProcess,
  project: string,
  lastEventId?: string | null,
): Promise<StreamReader> {
  const client = new Client({ ...deployment.client.target, url: `http://127.0.0.1:${port}` });
  return StreamReader.open(client, project, { lastEventId: lastEventId ?? null });
}

it('stores and streams every visit once if ingest, ClickHouse and a console crash under load', async () => {
  const ingest = deployment.process('ingest');
  const [crashingConsole, otherConsole] = deployment.stack.service('console');
  const rounds = Array.from({ length: ROUNDS }, () => [[ingest], [server.process], [ingest, server.process]]).flat();
  const earlierVisits = await deployment.storedVerdicts();
  const project = await deployment.client.projectId();
  const streams = [await openStream(crashingConsole!, project)];
  const row = await trials.run(deployment, `ingest and ClickHouse killed ${2 * ROUNDS} times each`, async (load) => {
    for (const [round, processes] of rounds.entries()) {
      // A process that has just started doesn't store visits yet.
      const { stored } = await deployment.countTotals();
      await until(async () => (await deployment.countTotals()).stored > stored, { condition: 'visits are stored' });
      const accepted = load.accepted.size + Math.random() * MAX_BETWEEN_KILLS;
      await until(() => load.accepted.size > accepted, { condition: 'visits are accepted' });
      await Promise.all(processes.map((process) => process.kill()));
      if (round === 0) {
        await crashingConsole!.kill();
        await until(() => streams[0]!.hasEnded, { condition: 'the stream has ended' });
        streams.push(await openStream(otherConsole!, project, streams[0]!.lastEventId));
        await startSupervised(crashingConsole!);
      }
      await Promise.all(processes.map(startSupervised));
    }
  });
  expectUnnoticed(row);
  const newVisits = [...(await deployment.storedVerdicts()).keys()].filter((id) => !earlierVisits.has(id));
  const countStreamed = (): number => streams.reduce((sum, { documents }) => sum + documents.length, 0);
  await until(() => countStreamed() >= newVisits.length, { condition: 'all visits are streamed' });
  const streamedVisits = streams.flatMap(({ visits }) => visits.map(({ id }) => id));
  expect(streamedVisits.toSorted()).toEqual(newVisits.toSorted());
  streams[1]!.close();
}, 600_000);

itInFullRuns(
  'accepts visits while ClickHouse is frozen, and limits how many wait for it',
  async () => {
    const row = await trials.run(deployment, `ClickHouse frozen${formatDuration()}`, async (load) => {
      await server.process.freeze();
      await prolongOutage(load, OUTAGE_SECONDS);
      expect((await readHealth('ingest')).checks['clickhouse']).toMatch(/no response/);
      await expectPendingBatches();
      // It aborts its requests to ClickHouse.
      expect(await deployment.process('ingest').stop()).toBe(0);
      await deployment.process('ingest').start();
      server.process.thaw();
    });
    expectUnnoticed(row);
  },
  300_000,
);

for (const [name, trafficMode] of [
  ['slow', { delayMs: 300 }],
  ['silent', 'silent'],
] as const) {
  itInFullRuns(
    `accepts visits while PostgreSQL and ClickHouse are ${name}`,
    async () => {
      const row = await trials.run(deployment, `PostgreSQL and ClickHouse ${name}${formatDuration()}`, async (load) => {
        database.trafficMode = trafficMode;
        visitStore.trafficMode = trafficMode;
        await prolongOutage(load, OUTAGE_SECONDS);
        database.trafficMode = 'open';
        visitStore.trafficMode = 'open';
      });
      expectUnnoticed(row);
    },
    300_000,
  );
}

it('starts ingest and the console without ClickHouse', async () => {
  const project = await deployment.client.projectId();
  const row = await trials.run(deployment, 'ClickHouse stopped, ingest and console restarted', async (load) => {
    await server.process.stop();
    for (const name of ['ingest', 'console']) {
      await deployment.process(name).stop();
      await deployment.process(name).start();
      expect(await readHealth(name)).toMatchObject({
        status: 'degraded',
        checks: { clickhouse: expect.stringMatching(/socket hang up|ECONNRESET/) },
      });
    }
    await prolongOutage(load, OUTAGE_SECONDS);
    const overview = await deployment.client.api<object>(`/projects/${project}/overview`);
    expect(overview).toBeDefined();
    const timeline = await deployment.client.apiResponse(`/projects/${project}/visits`);
    expect(timeline.status).toBe(503);
    expect((await readProblem(timeline)).detail).toBe("The database isn't responding. Try again in a moment.");
    expect(Number(timeline.headers.get('retry-after'))).toBeGreaterThan(0);
    await server.process.start();
  });
  expectUnnoticed(row);
  expect((await deployment.client.apiResponse(`/projects/${project}/visits`)).status).toBe(200);
}, 300_000);

it('keeps visits that ClickHouse rejects until it accepts them', async () => {
  const { localVisits } = deployment.clickhouse!;
  const row = await trials.run(deployment, 'ClickHouse rejects inserts', async (load) => {
    await deployment.clickhouse!.command(`ALTER TABLE ${localVisits} ADD CONSTRAINT rejects_all CHECK path = ''`);
    await prolongOutage(load, OUTAGE_SECONDS);
    await expectPendingBatches();
    await until(async () => /^agent_traffic_visit_store_pending_batches [1-9]/m.test(await readMetrics()), {
      condition: 'ingest reports the pending batches',
    });
    await deployment.clickhouse!.command(`ALTER TABLE ${localVisits} DROP CONSTRAINT rejects_all`);
  });
  expectUnnoticed(row);
}, 300_000);

it('keeps the first result of visits that are delivered again with another result', async () => {
  await trials.run(deployment, 'ClickHouse stopped, visits delivered again', async (load) => {
    await server.process.stop();
    await prolongOutage(load, OUTAGE_SECONDS);
    await publishAgain();
    await server.process.start();
  });
  await publishAgain();
  await waitUntilConsumed();
  const verdicts = [...(await deployment.storedVerdicts()).values()];
  const { stored, counted } = await deployment.countTotals();
  expect([counted, verdicts.length]).toEqual([stored, stored]);
  expect(verdicts.filter((verdict) => verdict.startsWith(CHANGED_RESULT.result))).toEqual([]);
}, 300_000);
