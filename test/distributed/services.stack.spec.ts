import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Admin, Consumer, Producer } from 'kafkajs';
import { CONSUMER_GROUPS, createBatchId, RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { Deployment } from '../kit/deployment.js';
import { visit } from '../kit/client.js';
import { isFullRun } from '../kit/faults.js';
import { pause, until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { Load } from '../kit/load.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
/** Number of times a member leaves its group and rejoins. */
const CHANGES = isFullRun ? 10 : 2;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

let deployment: Deployment;
let kafka: InstanceType<typeof Kafka>;
let admin: Admin;
let producer: Producer;
let next = 1;

beforeAll(async () => {
  deployment = await Deployment.start({ scale: { enrichment: 2, ingest: 2 }, env: { LOG_LEVEL: 'debug' } });
  kafka = new Kafka({ ...(await deployment.stack.kafkaClient()), logLevel: logLevel.NOTHING });
  admin = kafka.admin();
  producer = kafka.producer();
  await Promise.all([admin.connect(), producer.connect()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([admin?.disconnect(), producer?.disconnect()]);
  await deployment?.dispose();
});

function startLoad(): { load: Load; everythingStored(): Promise<void> } {
  const first = next;
  next += 10_000_000;
  const load = new Load(deployment.client, { workers: 8, pauseMs: 20, firstNumber: first });
  return {
    load,
    async everythingStored() {
      await load.stop();
      const missing = async () => {
        const times = await deployment.timesStored(first);
        return [...load.accepted].filter((number) => times.get(number) !== 1).length;
      };
      await until(async () => (await missing()) === 0, {
        condition: 'every visit is stored once',
        timeoutMs: 60_000,
        explain: () => deployment.logs(),
      });
      const { stored, counted, pages } = await deployment.countTotals();
      expect([counted, pages]).toEqual([stored, stored]);
    },
  };
}

it("propagates the client's trace to every service and to the Kafka message", async () => {
  const messages: Record<string, string>[] = [];
  const consumer: Consumer = kafka.consumer({ groupId: 'trace' });
  await consumer.connect();
  await consumer.subscribe({ topic: TOPICS.visitsEnriched, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      messages.push(
        Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)])),
      );
    },
  });
  const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
  expect((await deployment.client.post('/visits', visit('/traced'), { headers })).status).toBe(204);
  for (const name of ['gateway', 'enrichment', 'ingest']) {
    await until(() => deployment.stack.service(name).some(({ output }) => output.includes(`"trace_id":"${TRACE}"`)), {
      condition: `${name} logs the trace`,
    });
  }
  await until(() => messages.some(({ traceparent }) => traceparent?.includes(TRACE)), {
    condition: 'the message contains the trace',
  });
  await consumer.disconnect();
});

it('stores a drain line once if it arrives in two batches', async () => {
  const now = new Date().toISOString();
  const line = (path: string) => ({
    ClientIP: '203.0.113.7',
    ClientRequestMethod: 'GET',
    ClientRequestURI: path,
    EdgeStartTimestamp: now,
    EdgeEndTimestamp: now,
    RayID: path.slice(1),
  });
  for (const paths of [['/drained'], ['/before-drained', '/drained', '/after-drained']]) {
    expect((await deployment.client.post('/drains/cloudflare-logpush', paths.map(line))).status).toBe(200);
  }
  await until(async () => (await deployment.client.visits({ path: '/after-drained' })).length === 1, {
    condition: 'the second batch is stored',
    explain: () => deployment.logs(),
  });
  expect(await deployment.client.visits({ path: '/drained' })).toHaveLength(1);
});

it('stores unprocessable messages unchanged as dead letters without blocking other messages', async () => {
  const projectId = await deployment.client.projectId();
  const headers = () => ({ [RECEIVED_HEADERS.batchId]: createBatchId(), [RECEIVED_HEADERS.projectId]: projectId });
  const deep = `{"request_path":"/deep","request_method":"GET","request_headers":{},"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const large = JSON.stringify(visit('/large', { note: 'x'.repeat(1_500_000) }));
  const poison: [string, string][] = [
    ['malformed_message', 'this is not JSON {'],
    ['too_deep', deep],
    ['too_large', large],
    ['too_deep', `[${JSON.stringify(visit('/beside-deep'))},${deep}]`],
    ['malformed_message', ''],
  ];
  // All messages go to one partition, followed by a valid message.
  await producer.send({
    topic: TOPICS.visitsReceived,
    messages: [
      ...poison.map(([, value]) => ({ partition: 0, key: null, value, headers: headers() })),
      { partition: 0, value: 'x' },
      { partition: 0, value: JSON.stringify(visit('/behind-poison')), headers: headers() },
    ],
  });
  await until(async () => (await deployment.client.visits({ path: '/behind-poison' })).length === 1, {
    condition: 'the valid message is stored',
    explain: () => deployment.logs(),
  });
  expect(await deployment.client.visits({ path: '/beside-deep' })).toHaveLength(1);
  for (const [reason, value] of poison) {
    const find = async () => {
      const { rows } = await deployment.database.query(
        'SELECT count(*)::int AS count FROM dead_letters WHERE reason = $1 AND value = $2',
        [reason, Buffer.from(value)],
      );
      return rows[0].count === 1;
    };
    await until(find, {
      condition: `the ${reason} dead letter for ${value.slice(0, 30)} is stored`,
      timeoutMs: 30_000,
    });
  }
});

it('passes the doctor checks, which suggest a fix for each problem', async () => {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: deployment.databaseUrl,
    KAFKA_BROKERS: deployment.stack.kafkaBrokers.join(','),
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: 'migrate',
    KAFKA_SASL_PASSWORD: await deployment.stack.secret('kafka-password', 'migrate'),
    KAFKA_REPLICATION_FACTOR: '1',
    KAFKA_MIN_INSYNC_REPLICAS: '1',
    AGENT_TRAFFIC_URL: deployment.client.target.url,
  };
  const doctor = (more: object = {}) =>
    promisify(execFile)(process.execPath, [CLI, 'doctor'], { env: { ...env, ...more } }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    );
  const healthyResult = await doctor();
  // The address lists may be unreachable from the test environment.
  expect(healthyResult.stdout).not.toMatch(/^(?:✗|! (?!address lists))/m);
  expect(healthyResult.stdout).toMatch(/✓ database[^]*✓ migrations[^]*✓ clock[^]*✓ kafka[^]*✓ topics[^]*✓ ingest/);
  expect(healthyResult.code).toBe(0);

  const underReplicatedResult = await doctor({ KAFKA_REPLICATION_FACTOR: '3', KAFKA_MIN_INSYNC_REPLICAS: '2' });
  expect(underReplicatedResult).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/! topics.*1 of 3 replicas[^]*→ Change/),
  });
  const unreachableResult = await doctor({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x',
    KAFKA_BROKERS: '127.0.0.1:1',
  });
  expect(unreachableResult).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/✗ database[^]*→ Start[^]*✗ kafka[^]*→ Check/),
  });
  const emptyDatabaseResult = await deployment.database.query('CREATE DATABASE empty').then(() => {
    const url = new URL(deployment.databaseUrl);
    url.pathname = '/empty';
    return doctor({ DATABASE_URL: url.href });
  });
  expect(emptyDatabaseResult).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/✗ migrations[^]*→ Run: agent-traffic migrate/),
  });
});

it('rebalances partitions while consumers join and leave the group', async () => {
  const { load, everythingStored } = startLoad();
  const pauses: number[] = [];
  let changedAt = Date.now();
  let latest = 0;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const stored = (await deployment.countTotals()).stored;
      if (stored > latest) {
        pauses.push(Date.now() - changedAt);
        changedAt = Date.now();
        latest = stored;
      }
      await pause(100);
    }
  })();
  for (let change = 0; change < CHANGES; change += 1) {
    const [group, name] =
      change % 2 === 0 ? [CONSUMER_GROUPS.enrichment, 'enrichment'] : [CONSUMER_GROUPS.ingest, 'ingest'];
    const member = deployment.stack.service(name)[1]!;
    // Kill every third member without letting it leave its group.
    if (change % 3 === 1) await member.kill();
    else await member.stop();
    const before = latest;
    await until(() => latest > before + 500, { condition: `the other ${name} process continues` });
    await member.start();
    await until(() => hasTwoMembers(group), { condition: `${name} has joined`, timeoutMs: 60_000 });
  }
  watching.abort();
  await watch;
  await everythingStored();
  expect(load.accepted.size).toBeGreaterThan(1_000);
  if (isFullRun) expect(Math.max(...pauses)).toBeLessThan(10_000);
}, 240_000);

/** Killed members are still counted until their sessions expire. */
async function hasTwoMembers(group: string): Promise<boolean> {
  const { groups } = await admin.describeGroups([group]);
  return groups[0]!.state === 'Stable' && groups[0]!.members.length === 2;
}

it('stores and counts each visit once when offsets are reset to the start', async () => {
  const { load, everythingStored } = startLoad();
  await until(() => load.accepted.size > 1_000, { condition: 'visits are accepted' });
  await everythingStored();
  const before = await deployment.countTotals();
  const resetOffsets = async (group: string, topic: string, name: string): Promise<void> => {
    const members = deployment.stack.service(name);
    await Promise.all(members.map((member) => member.stop()));
    // Offsets can only be reset while the group is empty.
    await until(
      () =>
        admin.resetOffsets({ groupId: group, topic, earliest: true }).then(
          () => true,
          () => false,
        ),
      { condition: 'the group is empty' },
    );
    await Promise.all(members.map((member) => member.start()));
  };
  await Promise.all([
    resetOffsets(CONSUMER_GROUPS.enrichment, TOPICS.visitsReceived, 'enrichment'),
    resetOffsets(CONSUMER_GROUPS.ingest, TOPICS.visitsEnriched, 'ingest'),
  ]);
  const lag = async (): Promise<number> => {
    let total = 0;
    for (const [group, topic] of [
      [CONSUMER_GROUPS.enrichment, TOPICS.visitsReceived],
      [CONSUMER_GROUPS.ingest, TOPICS.visitsEnriched],
    ] as const) {
      const ends = await admin.fetchTopicOffsets(topic);
      const [committed] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      for (const { partition, high } of ends) {
        const done = committed!.partitions.find((item) => item.partition === partition)!.offset;
        total += Number(high) - Math.max(0, Number(done));
      }
    }
    return total;
  };
  await until(async () => (await lag()) === 0, { condition: 'all messages are consumed again', timeoutMs: 60_000 });
  expect(await deployment.countTotals()).toEqual(before);
}, 240_000);

/** Services that are stopped under load. Short runs only stop those that lose visits if they stop too early. */
const STOPPED_SERVICES = ['gateway', 'ingest', ...(isFullRun ? ['enrichment', 'console'] : [])];

it.each(STOPPED_SERVICES)('%s exits within 10 s of SIGTERM under load', async (name) => {
  const { load, everythingStored } = startLoad();
  await until(() => load.accepted.size > 200, { condition: 'visits are accepted' });
  const member = deployment.process(name);
  const before = new Map(load.statuses);
  const started = Date.now();
  expect(await member.stop()).toBe(0);
  expect(Date.now() - started).toBeLessThan(10_000);
  await member.start();
  await everythingStored();
  // A stopped gateway may refuse connections, but it must respond to every request that it accepted.
  for (const [status, count] of load.statuses) {
    if (status !== 204 && status !== 0) expect([status, count]).toEqual([status, before.get(status) ?? 0]);
  }
  if (name !== 'gateway') expect(load.statuses.get(0) ?? 0).toBe(0);
  expect([...load.failures].filter((code) => code !== 'ECONNREFUSED')).toEqual([]);
});

it('uses little CPU when idle', async () => {
  // Leave one process per service running, as in a default deployment.
  for (const name of ['enrichment', 'ingest']) await deployment.stack.service(name)[1]!.stop();
  const processes = ['gateway', 'console', 'enrichment', 'ingest', 'catalog'].map((name) => deployment.process(name));
  /** Returns the CPU time used by all processes, in hundredths of a second. */
  const ticks = (): number =>
    processes
      .map(({ pid }) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '))
      .reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0);
  /** Returns the share of one CPU core used by all processes together. */
  const load = async (seconds: number): Promise<number> => {
    const before = ticks();
    await pause(seconds * 1_000);
    return (ticks() - before) / (seconds * 100);
  };
  let minLoad = Infinity;
  await until(async () => (minLoad = Math.min(minLoad, await load(2))) < 0.05, { condition: 'the processes are idle' });
  expect(isFullRun ? await load(60) : minLoad).toBeLessThan(0.05);
}, 180_000);
