import { createRequire } from 'node:module';
import { pino } from 'pino';
import { CONSUMER_GROUPS, DEAD_LETTER_HEADERS, TOPIC_SETTINGS, TOPICS, type TopicName } from '#libs/contracts';
import {
  BusUnavailableError,
  inspectKafka,
  KafkaBus,
  type KafkaOptions,
  KafkaQueue,
  makeTopics,
  OK,
  TransientError,
  type EncodedMessage,
  type ReceivedMessage,
} from '#libs/bus';
import type { PublisherOptions } from './publisher.js';
import { busMetrics } from '../bus-metrics.js';
import { KafkaCluster } from '../../../../test/kit/kafka.js';
import { rawTopic } from '../../../../test/kit/raw-topic.js';
import { Kafka, logLevel } from '../../../../test/kit/kafkajs.js';
import { pause, until } from '../../../../test/kit/instance.js';

const GROUP = CONSUMER_GROUPS.enrichment;
const topics = { create: true, partitions: 4, replicationFactor: 1, minInsyncReplicas: 1 };

let cluster: KafkaCluster;
const buses: KafkaBus[] = [];
const fatal: Error[] = [];

beforeAll(async () => {
  cluster = await KafkaCluster.start();
});
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
  expect(fatal.splice(0)).toEqual([]);
});
afterAll(() => cluster.dispose());

const optionsOf = (): KafkaOptions => ({
  brokers: cluster.addresses,
  tls: null,
  sasl: null,
  compression: 'none',
  topics,
});

function newBus(kafka: Partial<KafkaOptions> = {}, publisher: PublisherOptions = {}): KafkaBus {
  const bus = new KafkaBus({
    publisher,
    kafka: { ...optionsOf(), ...kafka },
    clientId: 'test',
    logger: pino({ level: process.env['LOG'] ?? 'silent' }),
    onFatal: (error) => fatal.push(error),
  });
  buses.push(bus);
  return bus;
}

const queueOf = (bus: KafkaBus, options: Partial<KafkaOptions> = {}): KafkaQueue =>
  new KafkaQueue({ options: { ...optionsOf(), ...options }, logger: pino({ level: 'silent' }), clientId: 'test' }, bus);

let numbers = 0;
const message = (value: string | Buffer, key: string | null = null, headers = {}): EncodedMessage => ({
  topic: TOPICS.visitsReceived,
  key,
  value: Buffer.from(value),
  headers,
});
/** Returns values that no other test uses. */
const values = (count: number): string[] => Array.from({ length: count }, () => `value-${(numbers += 1)}`);

async function reader(group: string = GROUP, topic: TopicName = TOPICS.visitsReceived) {
  const bus = newBus();
  const received: ReceivedMessage[] = [];
  bus.subscribe({
    topic: rawTopic(topic),
    group,
    handler: async (messages) => {
      received.push(...messages);
      return messages.map(() => OK);
    },
  });
  await bus.start();
  return { bus, received, values: () => received.map(({ value }) => value.toString()) };
}

it('delivers bytes, keys and headers, also to a group that subscribes later', async () => {
  const writer = newBus();
  await writer.start();
  const bytes = Buffer.from([0, 255, 128, 10]);
  await writer.publishEncoded([message(bytes, 'key', { batch_id: 'ä', empty: '' }), message('second')]);
  const { received } = await reader('carries');
  await until(() => received.length >= 2, { what: 'both arrive' });
  expect(received.find(({ key }) => key === 'key')).toMatchObject({
    topic: TOPICS.visitsReceived,
    value: bytes,
    headers: { batch_id: 'ä', empty: '' },
    offset: expect.stringMatching(/^\d+$/),
  });
  expect(received.find(({ key }) => key === null)!.value.toString()).toBe('second');
});

it('delivers compressed messages', async () => {
  const { values: seen } = await reader('gzip');
  const writer = newBus({ compression: 'gzip' });
  await writer.start();
  const value = `${values(1)[0]}${'x'.repeat(500_000)}`;
  await writer.publishEncoded([message(value, 'key'), message(value)]);
  await until(() => seen().filter((text) => text.endsWith('x')).length >= 2, { what: 'both arrive' });
  expect(seen().filter((text) => text.endsWith('x'))).toEqual([value, value]);
});

it('preserves the order of messages with the same key, and splits large publications', async () => {
  const topic = TOPICS.visitsEnriched;
  const { bus, values: seen } = await reader('order', topic);
  const wanted = values(300);
  const messages = wanted.map((value) => ({ ...message(value, 'one-key'), topic }));
  await bus.publishEncoded(messages.slice(0, 200));
  await bus.publishEncoded(messages.slice(200));
  await until(() => seen().length >= 300, { what: 'all arrive' });
  expect(seen().filter((value) => wanted.includes(value))).toEqual(wanted);
  const large = Array.from({ length: 8 }, (_, index) => message(Buffer.alloc(900_000, index), 'same'));
  // Several sends in a row, which a busy machine doesn't finish within the default deadline.
  const patient = newBus({}, { timeoutMs: 30_000 });
  await patient.start();
  await patient.publishEncoded(large);
});

it('reports a message over the size limit of its topic as too large', async () => {
  const bus = newBus();
  await bus.start();
  const maxBytes = TOPIC_SETTINGS[TOPICS.visitsReceived].maxMessageBytes;
  await expect(bus.publishEncoded([message(Buffer.alloc(maxBytes))])).rejects.toMatchObject({ reason: 'too_large' });
});

it('reports whether a group has handled all messages published before a given time', async () => {
  const topic = TOPICS.visitsEnriched;
  const bus = newBus();
  const opened = Promise.withResolvers<void>();
  let isHeld = false;
  bus.subscribe({
    topic: rawTopic(topic),
    group: 'behind',
    handler: async (messages) => {
      isHeld = true;
      await opened.promise;
      return messages.map(() => OK);
    },
  });
  await bus.start();
  const before = Date.now();
  await pause(5);
  await bus.publishEncoded([{ ...message('one'), topic }]);
  await until(() => isHeld, { what: 'it is handled' });
  expect(await queueOf(bus).hasHandled(topic, 'behind', Date.now() + 1_000)).toBe(false);
  opened.resolve();
  await until(() => queueOf(bus).hasHandled(topic, 'behind', Date.now() + 1_000), { what: 'it is done' });
  await bus.close();
  const late = newBus();
  await late.start();
  await late.publishEncoded([{ ...message('two'), topic }]);
  expect(await queueOf(late).hasHandled(topic, 'behind', before)).toBe(true);
  expect(await queueOf(late).hasHandled(topic, 'behind', Date.now() + 1_000)).toBe(false);
});

const retryingSeconds = async (group: string): Promise<number | undefined> =>
  (await busMetrics.retryingSeconds.get()).values.find(({ labels }) => labels['group'] === group)?.value;

it('retries while a dependency is down, and skips no message', async () => {
  const bus = newBus();
  let failures = 3;
  const received: string[] = [];
  const retrying = () => retryingSeconds('tries-again');
  const told: (number | undefined)[] = [];
  bus.subscribe({
    topic: rawTopic(TOPICS.visitsReceived),
    group: 'tries-again',
    handler: async (messages) => {
      told.push(await retrying());
      failures -= 1;
      if (failures >= 0) throw new TransientError('away');
      received.push(...messages.map(({ value }) => value.toString()));
      return messages.map(() => OK);
    },
  });
  await bus.start();
  const wanted = values(10);
  await bus.publishEncoded(wanted.map((value) => message(value)));
  await until(() => wanted.every((value) => received.includes(value)), { what: 'all arrive' });
  expect(failures).toBeLessThan(0);
  expect(Math.max(...told.map((seconds) => seconds ?? 0))).toBeGreaterThan(0);
  await until(async () => (await retrying()) === undefined, { what: 'nothing is tried again any more' });
});

it('clears the retry metric of a batch once its member leaves the group', async () => {
  const bus = newBus();
  bus.subscribe({
    topic: rawTopic(TOPICS.visitsReceived),
    group: 'gives-up',
    handler: async () => {
      throw new TransientError('away');
    },
  });
  await bus.start();
  await bus.publishEncoded([message('stuck')]);
  await until(async () => (await retryingSeconds('gives-up'))! > 0, { what: 'it is tried again' });
  await bus.close();
  expect(await retryingSeconds('gives-up')).toBeUndefined();
});

it('publishes unprocessable messages as dead letters with their bytes', async () => {
  const { bus, received: letters } = await reader('letters', TOPICS.visitsDeadLetter);
  const bad = newBus();
  bad.subscribe({
    topic: rawTopic(TOPICS.visitsReceived),
    group: 'refuses',
    handler: async (messages) =>
      messages.map((item) =>
        item.value.toString().startsWith('poison')
          ? { kind: 'dead-letter', reason: 'malformed_message', detail: 'no JSON', step: 'test' }
          : OK,
      ),
  });
  await bad.start();
  const poison = `poison-${values(1)[0]}`;
  await bus.publishEncoded([message(poison, 'its-key', { project_id: 'p', other: 'x' }), message('fine')]);
  await until(() => letters.length > 0, { what: 'the dead letter arrives' });
  expect(letters[0]).toMatchObject({ key: 'its-key', value: Buffer.from(poison) });
  expect(letters[0]!.headers).toMatchObject({
    [DEAD_LETTER_HEADERS.reason]: 'malformed_message',
    [DEAD_LETTER_HEADERS.topic]: TOPICS.visitsReceived,
    [DEAD_LETTER_HEADERS.offset]: expect.stringMatching(/^\d+$/),
    original_other: 'x',
  });
});

it('shares partitions among members and resumes after the committed offsets', async () => {
  const first = await reader('shared');
  const second = await reader('shared');
  const wanted = values(400);
  for (let from = 0; from < 400; from += 20) {
    await first.bus.publishEncoded(
      wanted.slice(from, from + 20).map((value, index) => message(value, `${from + index}`)),
    );
    await pause(20);
  }
  const seen = () => [...first.values(), ...second.values()].filter((value) => wanted.includes(value));
  await until(() => seen().length >= 400, { what: 'all arrive' });
  expect(new Set(seen()).size).toBe(400);
  await Promise.all([first.bus.close(), second.bus.close()]);
  const third = await reader('shared');
  const more = values(1);
  await third.bus.publishEncoded(more.map((value) => message(value)));
  await until(() => third.values().includes(more[0]!), { what: 'what is new arrives' });
  expect(third.values().filter((value) => wanted.includes(value))).toEqual([]);
});

it('rejects messages within the deadline while Kafka is frozen or down, and recovers', async () => {
  const { bus, values: seen } = await reader('outage');
  await bus.publishEncoded([message('before')]);
  for (const [fail, recover] of [
    [() => cluster.brokers[0]!.freeze(), () => cluster.brokers[0]!.thaw()],
    [() => cluster.brokers[0]!.kill(), () => cluster.brokers[0]!.start()],
  ] as const) {
    await fail();
    for (let count = 0; count < 3; count += 1) {
      const started = Date.now();
      await expect(bus.publishEncoded([message('refused')])).rejects.toBeInstanceOf(BusUnavailableError);
      expect(Date.now() - started).toBeLessThan(10_000);
    }
    expect(bus.fault()).toContain('Kafka does not take messages');
    await recover();
    const [value] = values(1);
    const published = () =>
      bus.publishEncoded([message(value!)]).then(
        () => true,
        () => false,
      );
    await until(published, { what: 'it is published again' });
    await until(() => seen().includes(value!), { what: 'it arrives' });
    expect(bus.fault()).toBeNull();
  }
}, 120_000);

it('reports a frozen Kafka even if nothing is published or consumed', async () => {
  const bus = newBus();
  await bus.start();
  expect(bus.fault()).toBeNull();
  await cluster.brokers[0]!.freeze();
  await until(() => bus.fault() === 'Kafka does not respond', { what: 'it is noticed', within: 20_000 });
  cluster.brokers[0]!.thaw();
  await until(() => bus.fault() === null, { what: 'it is back' });
}, 120_000);

it('reports the lag of each group and topic, even without a consumer', async () => {
  const { bus } = await reader();
  await bus.publishEncoded([message('handled')]);
  const lagOf = async () => {
    const report = await queueOf(bus).inspect();
    return report.groups.find(({ group }) => group === GROUP)!;
  };
  await until(async () => (await lagOf()).lag === 0, { what: 'all is handled' });
  await bus.close();
  const writer = newBus();
  await writer.start();
  await writer.publishEncoded([message('waits'), message('waits, too')]);
  expect((await queueOf(writer).inspect()).groups.find(({ group }) => group === GROUP)).toMatchObject({
    members: 0,
    lag: 2,
    lagOfTopics: { [TOPICS.visitsReceived]: 2 },
  });
}, 120_000);

it('explains how topics must be configured', async () => {
  const bus = new KafkaBus({
    kafka: {
      brokers: cluster.addresses,
      tls: null,
      sasl: null,
      compression: 'none',
      topics: { ...topics, replicationFactor: 3 },
    },
    clientId: 'test',
    logger: pino({ level: 'silent' }),
    onFatal: (error) => fatal.push(error),
  });
  buses.push(bus);
  await bus.start();
  expect(bus.fault()).toBeNull();
  expect(bus.warning()).toContain('visits.received.v1 has 1 of 3 copies');

  const other = await KafkaCluster.start();
  const wrong = (change: Partial<typeof topics>) =>
    new KafkaBus({
      kafka: { brokers: other.addresses, tls: null, sasl: null, compression: 'none', topics: { ...topics, ...change } },
      clientId: 'test',
      logger: pino({ level: 'silent' }),
      onFatal: (error) => fatal.push(error),
    });
  await expect(wrong({ create: false }).start()).rejects.toThrow(/Make these topics.*visits\.received\.v1/);
  await expect(wrong({ replicationFactor: 3 }).start()).rejects.toThrow(/3 copies.*1 broker.*KAFKA_REPLICATION_FACTOR/);
  const kafka = new Kafka({ brokers: [...other.addresses], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: TOPICS.visitsReceived }] });
  await admin.disconnect();
  await expect(wrong({}).start()).rejects.toThrow('Set max.message.bytes of visits.received.v1 to 2097152');
  await other.dispose();
});

describe('cluster of three brokers', () => {
  let brokers: KafkaCluster;
  let kafka: KafkaOptions;

  beforeAll(async () => {
    brokers = await KafkaCluster.start({ brokers: 3 });
    const options = { create: true, partitions: 12, replicationFactor: 3, minInsyncReplicas: 2 };
    kafka = { brokers: brokers.addresses, tls: null, sasl: null, compression: 'none', topics: options };
  });
  afterAll(() => brokers.dispose());

  it('creates topics while the cluster is still starting', async () => {
    // Brokers start at different times. Two of three already form a cluster.
    const slowest = brokers.brokers[2]!;
    await slowest.stop();
    const made = makeTopics(kafka, pino({ level: 'silent' }));
    const started = slowest.start();
    expect(await made).toEqual([]);
    await started;
    expect((await inspectKafka(kafka, pino({ level: 'silent' }))).differences).toEqual([]);
  });

  it('reports handled messages even after partitions change leaders', async () => {
    const topic = TOPICS.visitsReceived;
    const bus = newBus(kafka);
    await bus.start();
    expect(await queueOf(bus, kafka).hasHandled(topic, 'nobody', Date.now() + 1_000)).toBe(true);
    const admin = new Kafka({ brokers: [...brokers.addresses], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const leaders = async () => {
      const { topics: found } = await admin.fetchTopicMetadata({ topics: [topic] });
      return new Map(found[0]!.partitions.map(({ partitionId, leader }) => [partitionId, leader]));
    };
    const before = await leaders();
    const partitionAssignment = [...before].map(([partition, leader]) => ({
      partition,
      replicas: brokers.brokers.map((_, index) => index + 1).filter((id) => id !== leader),
    }));
    await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
    const haveMoved = async () =>
      [...(await leaders())].every(([partition, leader]) => leader !== before.get(partition));
    await until(haveMoved, { what: 'all partitions have another leader' });
    await admin.disconnect();
    expect(await queueOf(bus, kafka).hasHandled(topic, 'nobody', Date.now() + 1_000)).toBe(true);
  });
});

it('does not poll idle connections', async () => {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: { checkPendingRequests(): void };
  };
  let looks = 0;
  const original = prototype.checkPendingRequests;
  prototype.checkPendingRequests = function count() {
    looks += 1;
    original.call(this);
  };
  await reader('idle');
  await pause(1_000);
  looks = 0;
  await pause(3_000);
  prototype.checkPendingRequests = original;
  // Expects about one check per response. Without the idle-timer guard, connections check continuously.
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(300);
});
