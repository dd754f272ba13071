import { pino } from 'pino';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { KafkaBus, makeTopics, OK, replayReceived, type EncodedMessage, type ReceivedMessage } from '#libs/bus';
import { pause, until } from '../../../../test/kit/instance.js';
import { KafkaCluster } from '../../../../test/kit/kafka.js';
import { rawTopic } from '../../../../test/kit/raw-topic.js';

const logger = pino({ level: 'silent' });
const topics = { create: true, partitions: 4, replicationFactor: 1, minInsyncReplicas: 1 };
const MESSAGES = 90;

let cluster: KafkaCluster;
beforeAll(async () => {
  cluster = await KafkaCluster.start();
});
afterAll(() => cluster.dispose());

it('replays the messages of a time range unchanged and only once', async () => {
  const kafka = { brokers: cluster.addresses, tls: null, sasl: null, compression: 'none' as const, topics };
  await makeTopics(kafka, logger);
  const bus = new KafkaBus({ kafka, clientId: 'test', logger, onFatal: () => undefined });
  const received: ReceivedMessage[] = [];
  bus.subscribe({
    topic: rawTopic(TOPICS.visitsReceived),
    group: CONSUMER_GROUPS.enrichment,
    handler: async (messages) => {
      received.push(...messages);
      return messages.map(() => OK);
    },
  });
  await bus.start();
  const messagesOf = (name: string): EncodedMessage[] =>
    Array.from({ length: MESSAGES }, (_, index) => ({
      topic: TOPICS.visitsReceived,
      key: `key ${index}`,
      value: Buffer.from(`${name} ${index}`),
      headers: { project_id: index % 3 === 0 ? 'shop' : 'blog', batch_id: `${name}-${index}` },
    }));
  const publish = async (name: string): Promise<number> => {
    // Sequential sends, so each partition gets some messages.
    for (const message of messagesOf(name)) await bus.publishEncoded([message]);
    await pause(5);
    const at = Date.now();
    await pause(5);
    return at;
  };
  const from = await publish('early');
  await publish('first');
  const to = await publish('second');
  await publish('late');
  await until(() => received.length === 4 * MESSAGES, { what: 'all arrive' });
  received.length = 0;

  const replay = (range: { from: number; to: number }, signal = new AbortController().signal) =>
    replayReceived(kafka, logger, {
      ...range,
      isWanted: ({ headers }) => headers['project_id'] === 'shop',
      signal,
      onProgress: () => undefined,
    });
  const wanted = [...messagesOf('first'), ...messagesOf('second')].filter(
    ({ headers }) => headers['project_id'] === 'shop',
  );
  expect(await replay({ from, to })).toEqual({ read: 2 * MESSAGES, replayed: wanted.length, total: 2 * MESSAGES });
  await until(() => received.length >= wanted.length, { what: 'they arrive again' });
  const textOf = ({ key, value, headers }: EncodedMessage): string => JSON.stringify([key, value.toString(), headers]);
  expect(received.map(textOf).toSorted()).toEqual(wanted.map(textOf).toSorted());
  // Replayed messages have new timestamps, so they're outside the range.
  expect(await replay({ from, to })).toMatchObject({ replayed: wanted.length });
  expect(await replay({ from: Date.now() + 60_000, to: Date.now() + 120_000 })).toEqual({
    read: 0,
    replayed: 0,
    total: 0,
  });
  expect(await replay({ from, to }, AbortSignal.abort())).toMatchObject({ replayed: 0 });
  await bus.close();
});

it('replays only the range, without duplicates, after a long wait for enrichment', async () => {
  const kafka = { brokers: cluster.addresses, tls: null, sasl: null, compression: 'none' as const, topics };
  const bus = new KafkaBus({ kafka, clientId: 'test', logger, onFatal: () => undefined });
  await bus.start();
  const publish = async (name: string, count: number): Promise<void> => {
    // Small batches, so each partition gets some messages.
    for (let at = 0; at < count; at += 25) {
      const messages = Array.from({ length: 25 }, (_, index) => ({
        topic: TOPICS.visitsReceived,
        key: `key ${at + index}`,
        // All values together exceed the size of one fetch.
        value: Buffer.from(`${name} ${at + index}`.padEnd(5_000)),
        headers: { project_id: 'cafe', batch_id: `${name}-${at + index}` },
      }));
      await bus.publishEncoded(messages);
    }
  };
  await publish('of before', 200);
  await pause(5);
  const from = Date.now();
  await pause(5);
  // Nothing consumes these yet, so enrichment lags behind.
  await publish('of the time', 1_500);
  await pause(5);
  const to = Date.now();
  const replayed = replayReceived(kafka, logger, {
    from,
    to,
    isWanted: ({ headers }) => headers['project_id'] === 'cafe',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  // Kafka removes a group member after 30 seconds without a heartbeat.
  await pause(40_000);
  const received: string[] = [];
  const enrichment = new KafkaBus({ kafka, clientId: 'test', logger, onFatal: () => undefined });
  enrichment.subscribe({
    topic: rawTopic(TOPICS.visitsReceived),
    group: CONSUMER_GROUPS.enrichment,
    handler: async (messages) => {
      received.push(...messages.map(({ value }) => value.toString()));
      return messages.map(() => OK);
    },
  });
  await enrichment.start();
  expect(await replayed).toEqual({ read: 1_500, replayed: 1_500, total: 1_500 });
  await until(() => received.length >= 3_200, { what: 'all arrive' });
  expect(received.filter((text) => text.startsWith('of before'))).toHaveLength(200);
  expect(received).toHaveLength(3_200);
  await Promise.all([bus.close(), enrichment.close()]);
});
