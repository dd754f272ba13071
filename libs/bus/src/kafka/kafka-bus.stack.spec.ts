import { createRequire } from 'node:module';
import { pino } from 'pino';
import { CONSUMER_GROUPS, DEAD_LETTER_HEADERS, TOPIC_SETTINGS, TOPICS, type TopicName } from '#libs/contracts';
import {
  BusUnavailableError,
  inspectKafka,
  KafkaBus,
  type KafkaOptions,
  KafkaQueue,
  createTopics,
  OK,
  TransientError,
  type EncodedMessage,
  type ReceivedMessage,
} from '#libs/bus';
import type { PublisherOptions } from './publisher.js';
import { busMetrics } from '../bus-metrics.js';
import { KafkaCluster } from '../../../../test/kit/kafka.js';
import { createRawTopic } from '../../../../test/kit/raw-topic.js';
import { Kafka, logLevel } from '../../../../test/kit/kafkajs.js';
import { pause, until } from '../../../../test/kit/instance.js';
import { isFullRun } from '../../../../test/kit/faults.js';

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

const createOptions = (): KafkaOptions => ({
  brokers: cluster.addresses,
  tls: null,
  sasl: null,
  compression: 'none',
  topics,
});

function createBus(kafka: Partial<KafkaOptions> = {}, publisher: PublisherOptions = {}): KafkaBus {
  const bus = new KafkaBus({
    publisher,
    kafka: { ...createOptions(), ...kafka },
    clientId: 'test',
    logger: pino({ level: process.env['LOG'] ?? 'silent' }),
    onFatal: (error) => fatal.push(error),
  });
  buses.push(bus);
  return bus;
}

const createQueue = (bus: KafkaBus, options: Partial<KafkaOptions> = {}): KafkaQueue =>
  new KafkaQueue(
    { options: { ...createOptions(), ...options }, logger: pino({ level: 'silent' }), clientId: 'test' },
    bus,
  );

let valueCount = 0;
const message = (value: string | Buffer, key: string | null = null, headers = {}): EncodedMessage => ({
  topic: TOPICS.visitsReceived,
  key,
  value: Buffer.from(value),
  headers,
});
/** Returns values that no other test uses. */
const createValues = (count: number): string[] => Array.from({ length: count }, () => `value-${(valueCount += 1)}`);

async function startReader(group: string = GROUP, topic: TopicName = TOPICS.visitsReceived) {
  const bus = createBus();
  const received: ReceivedMessage[] = [];
  bus.subscribe({
    topic: createRawTopic(topic),
    group,
    handler: async (messages) => {
      received.push(...messages);
      return messages.map(() => OK);
    },
  });
  await bus.start();
  return { bus, received, values: () => received.map(({ value }) => value.toString()) };
}

it('KafkaBus delivers bytes, keys and headers, even to a group that subscribes later', async () => {
  const writer = createBus();
  await writer.start();
  const bytes = Buffer.from([0, 255, 128, 10]);
  await writer.publishEncoded([message(bytes, 'key', { batch_id: 'ä', empty: '' }), message('second')]);
  const { received } = await startReader('carries');
  await until(() => received.length >= 2, { condition: 'both messages arrive' });
  expect(received.find(({ key }) => key === 'key')).toMatchObject({
    topic: TOPICS.visitsReceived,
    value: bytes,
    headers: { batch_id: 'ä', empty: '' },
    offset: expect.stringMatching(/^\d+$/),
  });
  expect(received.find(({ key }) => key === null)!.value.toString()).toBe('second');
});

it('KafkaBus delivers compressed messages', async () => {
  const { values: receivedValues } = await startReader('gzip');
  const writer = createBus({ compression: 'gzip' });
  await writer.start();
  const value = `${createValues(1)[0]}${'x'.repeat(500_000)}`;
  await writer.publishEncoded([message(value, 'key'), message(value)]);
  await until(() => receivedValues().filter((text) => text.endsWith('x')).length >= 2, {
    condition: 'both messages arrive',
  });
  expect(receivedValues().filter((text) => text.endsWith('x'))).toEqual([value, value]);
});

it('KafkaBus preserves the order of messages with the same key and splits large publications', async () => {
  const topic = TOPICS.visitsEnriched;
  const { bus, values: receivedValues } = await startReader('order', topic);
  const expectedValues = createValues(300);
  const messages = expectedValues.map((value) => ({ ...message(value, 'one-key'), topic }));
  await bus.publishEncoded(messages.slice(0, 200));
  await bus.publishEncoded(messages.slice(200));
  await until(() => receivedValues().length >= 300, { condition: 'all messages arrive' });
  expect(receivedValues().filter((value) => expectedValues.includes(value))).toEqual(expectedValues);
  const large = Array.from({ length: 8 }, (_, index) => message(Buffer.alloc(900_000, index), 'same'));
  // On a busy machine, several consecutive sends can take longer than the default deadline.
  const patientBus = createBus({}, { timeoutMs: 30_000 });
  await patientBus.start();
  await patientBus.publishEncoded(large);
});

it("KafkaBus reports a message over its topic's size limit as too large", async () => {
  const bus = createBus();
  await bus.start();
  const maxBytes = TOPIC_SETTINGS[TOPICS.visitsReceived].maxMessageBytes;
  await expect(bus.publishEncoded([message(Buffer.alloc(maxBytes))])).rejects.toMatchObject({ reason: 'too_large' });
});

it('KafkaQueue reports whether a group has handled all messages published before a given time', async () => {
  const topic = TOPICS.visitsEnriched;
  const bus = createBus();
  const handlerGate = Promise.withResolvers<void>();
  let isHeld = false;
  bus.subscribe({
    topic: createRawTopic(topic),
    group: 'behind',
    handler: async (messages) => {
      isHeld = true;
      await handlerGate.promise;
      return messages.map(() => OK);
    },
  });
  await bus.start();
  const leadersBefore = Date.now();
  await pause(5);
  await bus.publishEncoded([{ ...message('one'), topic }]);
  await until(() => isHeld, { condition: 'the message is being handled' });
  expect(await createQueue(bus).hasHandled(topic, 'behind', Date.now() + 1_000)).toBe(false);
  handlerGate.resolve();
  await until(() => createQueue(bus).hasHandled(topic, 'behind', Date.now() + 1_000), {
    condition: 'the message is handled',
  });
  await bus.close();
  const laterBus = createBus();
  await laterBus.start();
  await laterBus.publishEncoded([{ ...message('two'), topic }]);
  expect(await createQueue(laterBus).hasHandled(topic, 'behind', leadersBefore)).toBe(true);
  expect(await createQueue(laterBus).hasHandled(topic, 'behind', Date.now() + 1_000)).toBe(false);
});

const retryingSeconds = async (group: string): Promise<number | undefined> =>
  (await busMetrics.retryingSeconds.get()).values.find(({ labels }) => labels['group'] === group)?.value;

it('KafkaBus retries while a dependency is down and skips no messages', async () => {
  const bus = createBus();
  let failures = 3;
  const received: string[] = [];
  const retrying = () => retryingSeconds('tries-again');
  const observedSeconds: (number | undefined)[] = [];
  bus.subscribe({
    topic: createRawTopic(TOPICS.visitsReceived),
    group: 'tries-again',
    handler: async (messages) => {
      observedSeconds.push(await retrying());
      failures -= 1;
      if (failures >= 0) throw new TransientError('database unavailable');
      received.push(...messages.map(({ value }) => value.toString()));
      return messages.map(() => OK);
    },
  });
  await bus.start();
  const expectedValues = createValues(10);
  await bus.publishEncoded(expectedValues.map((value) => message(value)));
  await until(() => expectedValues.every((value) => received.includes(value)), { condition: 'all messages arrive' });
  expect(failures).toBeLessThan(0);
  expect(Math.max(...observedSeconds.map((seconds) => seconds ?? 0))).toBeGreaterThan(0);
  await until(async () => (await retrying()) === undefined, { condition: 'no batch is being retried' });
});

it("KafkaBus clears a batch's retry metric once the member that retries it leaves the group", async () => {
  const bus = createBus();
  bus.subscribe({
    topic: createRawTopic(TOPICS.visitsReceived),
    group: 'gives-up',
    handler: async () => {
      throw new TransientError('database unavailable');
    },
  });
  await bus.start();
  await bus.publishEncoded([message('stuck')]);
  await until(async () => (await retryingSeconds('gives-up'))! > 0, { condition: 'the batch is retried' });
  await bus.close();
  expect(await retryingSeconds('gives-up')).toBeUndefined();
});

it('KafkaBus publishes unprocessable messages as dead letters with their bytes', async () => {
  const { bus, received: deadLetters } = await startReader('letters', TOPICS.visitsDeadLetter);
  const rejectingBus = createBus();
  rejectingBus.subscribe({
    topic: createRawTopic(TOPICS.visitsReceived),
    group: 'rejects',
    handler: async (messages) =>
      messages.map((item) =>
        item.value.toString().startsWith('poison')
          ? { kind: 'dead-letter', reason: 'malformed_message', detail: 'no JSON', step: 'test' }
          : OK,
      ),
  });
  await rejectingBus.start();
  const poisonMessage = `poison-${createValues(1)[0]}`;
  await bus.publishEncoded([message(poisonMessage, 'its-key', { project_id: 'p', other: 'x' }), message('fine')]);
  await until(() => deadLetters.length > 0, { condition: 'the dead letter arrives' });
  expect(deadLetters[0]).toMatchObject({ key: 'its-key', value: Buffer.from(poisonMessage) });
  expect(deadLetters[0]!.headers).toMatchObject({
    [DEAD_LETTER_HEADERS.reason]: 'malformed_message',
    [DEAD_LETTER_HEADERS.topic]: TOPICS.visitsReceived,
    [DEAD_LETTER_HEADERS.offset]: expect.stringMatching(/^\d+$/),
    original_other: 'x',
  });
});

it('KafkaBus shares partitions among members and resumes after the committed offsets', async () => {
  const first = await startReader('shared');
  const second = await startReader('shared');
  const expectedValues = createValues(400);
  for (let from = 0; from < 400; from += 20) {
    await first.bus.publishEncoded(
      expectedValues.slice(from, from + 20).map((value, index) => message(value, `${from + index}`)),
    );
    await pause(20);
  }
  const receivedValues = () =>
    [...first.values(), ...second.values()].filter((value) => expectedValues.includes(value));
  await until(() => receivedValues().length >= 400, { condition: 'all messages arrive' });
  expect(new Set(receivedValues()).size).toBe(400);
  await Promise.all([first.bus.close(), second.bus.close()]);
  const third = await startReader('shared');
  const more = createValues(1);
  await third.bus.publishEncoded(more.map((value) => message(value)));
  await until(() => third.values().includes(more[0]!), { condition: 'the new message arrives' });
  expect(third.values().filter((value) => expectedValues.includes(value))).toEqual([]);
});

it('KafkaBus rejects messages in time while Kafka is frozen or down, then recovers', async () => {
  const { bus, values: receivedValues } = await startReader('outage');
  await bus.publishEncoded([message('before')]);
  for (const [fail, recover] of [
    [() => cluster.brokers[0]!.freeze(), () => cluster.brokers[0]!.thaw()],
    [() => cluster.brokers[0]!.kill(), () => cluster.brokers[0]!.start()],
  ] as const) {
    await fail();
    for (let count = 0; count < (isFullRun ? 3 : 1); count += 1) {
      const started = Date.now();
      await expect(bus.publishEncoded([message('rejected')])).rejects.toBeInstanceOf(BusUnavailableError);
      expect(Date.now() - started).toBeLessThan(20_000);
    }
    expect(bus.getFault()).toContain('Kafka rejected messages');
    await recover();
    const [value] = createValues(1);
    const published = () =>
      bus.publishEncoded([message(value!)]).then(
        () => true,
        () => false,
      );
    await until(published, { condition: 'publishing succeeds again' });
    await until(() => receivedValues().includes(value!), { condition: 'the message arrives' });
    expect(bus.getFault()).toBeNull();
  }
}, 120_000);

it('KafkaBus reports that Kafka is frozen even while idle', async () => {
  const bus = createBus();
  await bus.start();
  expect(bus.getFault()).toBeNull();
  await cluster.brokers[0]!.freeze();
  await until(() => bus.getFault() === "Kafka isn't responding", { condition: 'the outage is detected' });
  cluster.brokers[0]!.thaw();
  await until(() => bus.getFault() === null, { condition: 'Kafka responds again' });
}, 120_000);

it('KafkaQueue reports the lag by group and topic, even without consumers', async () => {
  const { bus } = await startReader();
  await bus.publishEncoded([message('handled')]);
  const fetchGroupReport = async () => {
    const report = await createQueue(bus).inspect();
    return report.groups.find(({ group }) => group === GROUP)!;
  };
  await until(async () => (await fetchGroupReport()).lag === 0, { condition: 'all messages are handled' });
  await bus.close();
  const writer = createBus();
  await writer.start();
  await writer.publishEncoded([message('pending 1'), message('pending 2')]);
  expect((await createQueue(writer).inspect()).groups.find(({ group }) => group === GROUP)).toMatchObject({
    members: 0,
    lag: 2,
    lagOfTopics: { [TOPICS.visitsReceived]: 2 },
  });
}, 120_000);

it('KafkaBus explains how topics must be configured', async () => {
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
  expect(bus.getFault()).toBeNull();
  expect(bus.getWarning()).toContain('visits.received.v1 has 1 of 3 replicas');

  const otherCluster = await KafkaCluster.start();
  const createMisconfiguredBus = (change: Partial<typeof topics>) =>
    new KafkaBus({
      kafka: {
        brokers: otherCluster.addresses,
        tls: null,
        sasl: null,
        compression: 'none',
        topics: { ...topics, ...change },
      },
      clientId: 'test',
      logger: pino({ level: 'silent' }),
      onFatal: (error) => fatal.push(error),
    });
  await expect(createMisconfiguredBus({ create: false }).start()).rejects.toThrow(
    /Create these topics.*visits\.received\.v1/,
  );
  await expect(createMisconfiguredBus({ replicationFactor: 3 }).start()).rejects.toThrow(
    /3 replicas.*1 broker.*KAFKA_REPLICATION_FACTOR/,
  );
  const kafka = new Kafka({ brokers: [...otherCluster.addresses], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: TOPICS.visitsReceived }] });
  await admin.disconnect();
  await expect(createMisconfiguredBus({}).start()).rejects.toThrow(
    'Set max.message.bytes of visits.received.v1 to 2097152',
  );
  await otherCluster.dispose();
});

describe('with a cluster of three brokers', () => {
  let brokers: KafkaCluster;
  let kafka: KafkaOptions;

  beforeAll(async () => {
    brokers = await KafkaCluster.start({ brokers: 3 });
    const options = { create: true, partitions: 12, replicationFactor: 3, minInsyncReplicas: 2 };
    kafka = { brokers: brokers.addresses, tls: null, sasl: null, compression: 'none', topics: options };
  });
  afterAll(() => brokers.dispose());

  it('createTopics creates topics while the cluster is still starting', async () => {
    // Brokers start at different times. Two of the three already form a cluster.
    const slowest = brokers.brokers[2]!;
    await slowest.stop();
    const topicCreation = createTopics(kafka, pino({ level: 'silent' }));
    const started = slowest.start();
    expect(await topicCreation).toEqual([]);
    await started;
    expect((await inspectKafka(kafka, pino({ level: 'silent' }))).differences).toEqual([]);
  });

  it('KafkaQueue reports handled messages even after partitions change leaders', async () => {
    const topic = TOPICS.visitsReceived;
    const bus = createBus(kafka);
    await bus.start();
    expect(await createQueue(bus, kafka).hasHandled(topic, 'nobody', Date.now() + 1_000)).toBe(true);
    const admin = new Kafka({ brokers: [...brokers.addresses], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const fetchLeaders = async () => {
      const { topics: found } = await admin.fetchTopicMetadata({ topics: [topic] });
      return new Map(found[0]!.partitions.map(({ partitionId, leader }) => [partitionId, leader]));
    };
    const leadersBefore = await fetchLeaders();
    const partitionAssignment = [...leadersBefore].map(([partition, leader]) => ({
      partition,
      replicas: brokers.brokers.map((_, index) => index + 1).filter((id) => id !== leader),
    }));
    await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
    const haveLeadersChanged = async () =>
      [...(await fetchLeaders())].every(([partition, leader]) => leader !== leadersBefore.get(partition));
    await until(haveLeadersChanged, { condition: 'all partitions have new leaders' });
    await admin.disconnect();
    expect(await createQueue(bus, kafka).hasHandled(topic, 'nobody', Date.now() + 1_000)).toBe(true);
  });
});

it("KafkaBus doesn't poll idle connections", async () => {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: { checkPendingRequests(): void };
  };
  let checkCount = 0;
  const original = prototype.checkPendingRequests;
  prototype.checkPendingRequests = function count() {
    checkCount += 1;
    original.call(this);
  };
  await startReader('idle');
  await pause(1_000);
  checkCount = 0;
  await pause(3_000);
  prototype.checkPendingRequests = original;
  // There should be about one check per response. Without the idle-timer patch, connections check continuously.
  expect(checkCount).toBeGreaterThan(0);
  expect(checkCount).toBeLessThan(300);
});
