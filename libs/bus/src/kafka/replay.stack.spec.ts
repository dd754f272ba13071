import { pino } from 'pino';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { KafkaBus, createTopics, OK, replayReceived, type EncodedMessage, type ReceivedMessage } from '#libs/bus';
import { itInFullRuns } from '../../../../test/kit/faults.js';
import { pause, until } from '../../../../test/kit/instance.js';
import { KafkaCluster } from '../../../../test/kit/kafka.js';
import { createRawTopic } from '../../../../test/kit/raw-topic.js';

const logger = pino({ level: 'silent' });
const topics = { create: true, partitions: 4, replicationFactor: 1, minInsyncReplicas: 1 };
const MESSAGES_PER_BATCH = 90;

let cluster: KafkaCluster;
beforeAll(async () => {
  cluster = await KafkaCluster.start();
});
afterAll(() => cluster.dispose());

it('replayReceived replays messages in a time range unchanged and only once', async () => {
  const kafka = { brokers: cluster.addresses, tls: null, sasl: null, compression: 'none' as const, topics };
  await createTopics(kafka, logger);
  const bus = new KafkaBus({ kafka, clientId: 'test', logger, onFatal: () => undefined });
  const received: ReceivedMessage[] = [];
  bus.subscribe({
    topic: createRawTopic(TOPICS.visitsReceived),
    group: CONSUMER_GROUPS.enrichment,
    handler: async (messages) => {
      received.push(...messages);
      return messages.map(() => OK);
    },
  });
  await bus.start();
  const createMessages = (name: string): EncodedMessage[] =>
    Array.from({ length: MESSAGES_PER_BATCH }, (_, index) => ({
      topic: TOPICS.visitsReceived,
      key: `key ${index}`,
      value: Buffer.from(`${name} ${index}`),
      headers: { project_id: index % 3 === 0 ? 'shop' : 'blog', batch_id: `${name}-${index}` },
    }));
  const publish = async (name: string): Promise<number> => {
    // Send the messages one by one, so that each partition gets some.
    for (const message of createMessages(name)) await bus.publishEncoded([message]);
    await pause(5);
    const timestamp = Date.now();
    await pause(5);
    return timestamp;
  };
  const from = await publish('early');
  await publish('first');
  const to = await publish('second');
  await publish('late');
  await until(() => received.length === 4 * MESSAGES_PER_BATCH, { condition: 'all messages arrive' });
  received.length = 0;

  const replay = (range: { from: number; to: number }, signal = new AbortController().signal) =>
    replayReceived(kafka, logger, {
      ...range,
      isWanted: ({ headers }) => headers['project_id'] === 'shop',
      signal,
      onProgress: () => undefined,
    });
  const expectedMessages = [...createMessages('first'), ...createMessages('second')].filter(
    ({ headers }) => headers['project_id'] === 'shop',
  );
  expect(await replay({ from, to })).toEqual({
    read: 2 * MESSAGES_PER_BATCH,
    replayed: expectedMessages.length,
    total: 2 * MESSAGES_PER_BATCH,
  });
  await until(() => received.length >= expectedMessages.length, { condition: 'the replayed messages arrive' });
  const toText = ({ key, value, headers }: EncodedMessage): string => JSON.stringify([key, value.toString(), headers]);
  expect(received.map(toText).toSorted()).toEqual(expectedMessages.map(toText).toSorted());
  // Replayed messages have new timestamps, so they are outside the range.
  expect(await replay({ from, to })).toMatchObject({ replayed: expectedMessages.length });
  expect(await replay({ from: Date.now() + 60_000, to: Date.now() + 120_000 })).toEqual({
    read: 0,
    replayed: 0,
    total: 0,
  });
  expect(await replay({ from, to }, AbortSignal.abort())).toMatchObject({ replayed: 0 });
  await bus.close();
});

itInFullRuns(
  'replayReceived replays only the range, without duplicates, after a long wait for enrichment',
  async () => {
    const kafka = { brokers: cluster.addresses, tls: null, sasl: null, compression: 'none' as const, topics };
    const bus = new KafkaBus({ kafka, clientId: 'test', logger, onFatal: () => undefined });
    await bus.start();
    const publish = async (name: string, count: number): Promise<void> => {
      // Send small batches, so that each partition gets some messages.
      for (let timestamp = 0; timestamp < count; timestamp += 25) {
        const messages = Array.from({ length: 25 }, (_, index) => ({
          topic: TOPICS.visitsReceived,
          key: `key ${timestamp + index}`,
          // Together, the values exceed the size of one fetch.
          value: Buffer.from(`${name} ${timestamp + index}`.padEnd(5_000)),
          headers: { project_id: 'cafe', batch_id: `${name}-${timestamp + index}` },
        }));
        await bus.publishEncoded(messages);
      }
    };
    await publish('before', 200);
    await pause(5);
    const from = Date.now();
    await pause(5);
    // No consumer is running yet, so enrichment lags behind.
    await publish('within range', 1_500);
    await pause(5);
    const to = Date.now();
    const replayed = replayReceived(kafka, logger, {
      from,
      to,
      isWanted: ({ headers }) => headers['project_id'] === 'cafe',
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    // Wait until Kafka has removed the group member, which it does after 30 seconds without a heartbeat.
    await pause(40_000);
    const received: string[] = [];
    const enrichment = new KafkaBus({ kafka, clientId: 'test', logger, onFatal: () => undefined });
    enrichment.subscribe({
      topic: createRawTopic(TOPICS.visitsReceived),
      group: CONSUMER_GROUPS.enrichment,
      handler: async (messages) => {
        received.push(...messages.map(({ value }) => value.toString()));
        return messages.map(() => OK);
      },
    });
    await enrichment.start();
    expect(await replayed).toEqual({ read: 1_500, replayed: 1_500, total: 1_500 });
    await until(() => received.length >= 3_200, { condition: 'all messages arrive' });
    expect(received.filter((text) => text.startsWith('before'))).toHaveLength(200);
    expect(received).toHaveLength(3_200);
    await Promise.all([bus.close(), enrichment.close()]);
  },
);
