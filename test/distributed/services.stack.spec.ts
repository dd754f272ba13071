import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Admin, Consumer, Producer } from 'kafkajs';
import { CONSUMER_GROUPS, newBatchId, RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { Deployment } from '../kit/deployment.js';
import { visit } from '../kit/client.js';
import { isFull } from '../kit/faults.js';
import { pause, until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { Load } from '../kit/load.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
/** Number of times a member leaves its group and rejoins. */
const CHANGES = isFull ? 10 : 2;
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
  const load = new Load(deployment.client, { workers: 8, every: 20, from: first });
  return {
    load,
    async everythingStored() {
      await load.stop();
      const missing = async () => {
        const times = await deployment.timesStored(first);
        return [...load.accepted].filter((number) => times.get(number) !== 1).length;
      };
      await until(async () => (await missing()) === 0, {
        what: 'every visit is stored once',
        within: 60_000,
        explain: () => deployment.logs(),
      });
      const { stored, counted, pages } = await deployment.sums();
      expect([counted, pages]).toEqual([stored, stored]);
    },
  };
}

it("propagates the client's trace to every service and to the message", async () => {
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
      what: `${name} logs the trace`,
    });
  }
  await until(() => messages.some(({ traceparent }) => traceparent?.includes(TRACE)), {
    what: 'the message has the trace',
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
    what: 'the second batch is stored',
    explain: () => deployment.logs(),
  });
  expect(await deployment.client.visits({ path: '/drained' })).toHaveLength(1);
});

it('moves unprocessable messages to the dead letters unchanged, without blocking others', async () => {
  const projectId = await deployment.client.projectId();
  const headers = () => ({ [RECEIVED_HEADERS.batchId]: newBatchId(), [RECEIVED_HEADERS.projectId]: projectId });
  const deep = `{"request_path":"/deep","request_method":"GET","request_headers":{},"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const large = JSON.stringify(visit('/large', { note: 'x'.repeat(1_500_000) }));
  const poison: [string, string][] = [
    ['malformed_message', 'this is not JSON {'],
    ['too_deep', deep],
    ['too_large', large],
    ['too_deep', `[${JSON.stringify(visit('/beside-deep'))},${deep}]`],
    ['malformed_message', ''],
  ];
  // All in one partition, followed by a valid message.
  await producer.send({
    topic: TOPICS.visitsReceived,
    messages: [
      ...poison.map(([, value]) => ({ partition: 0, key: null, value, headers: headers() })),
      { partition: 0, value: 'x' },
      { partition: 0, value: JSON.stringify(visit('/behind-poison')), headers: headers() },
    ],
  });
  await until(async () => (await deployment.client.visits({ path: '/behind-poison' })).length === 1, {
    what: 'what is behind them is stored',
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
    await until(find, { what: `${reason} of ${value.slice(0, 30)} is kept`, within: 30_000 });
  }
});

it('passes the doctor, which suggests a fix for each problem', async () => {
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
  const well = await doctor();
  // The address lists may be unreachable from the test environment.
  expect(well.stdout).not.toMatch(/^(?:✗|! (?!address lists))/m);
  expect(well.stdout).toMatch(/✓ database[^]*✓ migrations[^]*✓ clock[^]*✓ kafka[^]*✓ topics[^]*✓ ingest/);
  expect(well.code).toBe(0);

  const wanting = await doctor({ KAFKA_REPLICATION_FACTOR: '3', KAFKA_MIN_INSYNC_REPLICAS: '2' });
  expect(wanting).toMatchObject({ code: 0, stdout: expect.stringMatching(/! topics.*1 of 3 copies[^]*→ Alter/) });
  const lost = await doctor({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x', KAFKA_BROKERS: '127.0.0.1:1' });
  expect(lost).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ database[^]*→ Start[^]*✗ kafka[^]*→ Check/) });
  const empty = await deployment.database.query('CREATE DATABASE empty').then(() => {
    const url = new URL(deployment.databaseUrl);
    url.pathname = '/empty';
    return doctor({ DATABASE_URL: url.href });
  });
  expect(empty).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/✗ migrations[^]*→ Run: agent-traffic migrate/),
  });
});

it('rebalances the work while members leave and join', async () => {
  const { load, everythingStored } = startLoad();
  const pauses: number[] = [];
  let changedAt = Date.now();
  let latest = 0;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const stored = (await deployment.sums()).stored;
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
    // Every third member is killed without leaving its group.
    if (change % 3 === 1) await member.kill();
    else await member.stop();
    const before = latest;
    await until(() => latest > before + 500, { what: `the other ${name} goes on` });
    await member.start();
    await until(() => hasTwoMembers(group), { what: `${name} has joined`, within: 60_000 });
  }
  watching.abort();
  await watch;
  await everythingStored();
  expect(load.accepted.size).toBeGreaterThan(1_000);
  if (isFull) expect(Math.max(...pauses)).toBeLessThan(10_000);
}, 240_000);

/** A killed member counts until its session expires. */
async function hasTwoMembers(group: string): Promise<boolean> {
  const { groups } = await admin.describeGroups([group]);
  return groups[0]!.state === 'Stable' && groups[0]!.members.length === 2;
}

it('changes nothing when the offsets are reset to the start', async () => {
  const { load, everythingStored } = startLoad();
  await until(() => load.accepted.size > 1_000, { what: 'visits are accepted' });
  await everythingStored();
  const before = await deployment.sums();
  const setBack = async (group: string, topic: string, name: string): Promise<void> => {
    const members = deployment.stack.service(name);
    await Promise.all(members.map((member) => member.stop()));
    // Offsets can be reset only while the group is empty.
    await until(
      () =>
        admin.resetOffsets({ groupId: group, topic, earliest: true }).then(
          () => true,
          () => false,
        ),
      { what: 'the group is empty' },
    );
    await Promise.all(members.map((member) => member.start()));
  };
  await Promise.all([
    setBack(CONSUMER_GROUPS.enrichment, TOPICS.visitsReceived, 'enrichment'),
    setBack(CONSUMER_GROUPS.ingest, TOPICS.visitsEnriched, 'ingest'),
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
  await until(async () => (await lag()) === 0, { what: 'everything was consumed again', within: 60_000 });
  expect(await deployment.sums()).toEqual(before);
}, 240_000);

it.each(['gateway', 'enrichment', 'ingest', 'console'])('%s exits within 10 s of SIGTERM under load', async (name) => {
  const { load, everythingStored } = startLoad();
  await until(() => load.accepted.size > 200, { what: 'visits are accepted' });
  const member = deployment.process(name);
  const before = new Map(load.statuses);
  const started = Date.now();
  expect(await member.stop()).toBe(0);
  expect(Date.now() - started).toBeLessThan(10_000);
  await member.start();
  await everythingStored();
  // A stopped gateway may refuse connections, but must respond to every request it accepted.
  for (const [status, count] of load.statuses) {
    if (status !== 204 && status !== 0) expect([status, count]).toEqual([status, before.get(status) ?? 0]);
  }
  if (name !== 'gateway') expect(load.statuses.get(0) ?? 0).toBe(0);
  expect([...load.failures].filter((code) => code !== 'ECONNREFUSED')).toEqual([]);
});

it('uses little CPU when idle', async () => {
  // Leaves one process of each service, as in a default deployment.
  for (const name of ['enrichment', 'ingest']) await deployment.stack.service(name)[1]!.stop();
  const processes = ['gateway', 'console', 'enrichment', 'ingest', 'catalog'].map((name) => deployment.process(name));
  /** CPU time used, in hundredths of a second. */
  const ticks = (): number =>
    processes
      .map(({ pid }) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '))
      .reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0);
  /** Share of one CPU core used by all processes together. */
  const load = async (seconds: number): Promise<number> => {
    const before = ticks();
    await pause(seconds * 1_000);
    return (ticks() - before) / (seconds * 100);
  };
  let least = Infinity;
  await until(async () => (least = Math.min(least, await load(2))) < 0.05, { what: 'they come to rest' });
  expect(isFull ? await load(60) : least).toBeLessThan(0.05);
}, 180_000);
