import { pino } from 'pino';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { KafkaBus, makeTopics, OK, replayReceived, type BusMessage, type ReceivedMessage } from '#libs/bus';
import { pause, until } from '../../../../test/kit/instance.js';
import { KafkaCluster } from '../../../../test/kit/kafka.js';

const logger = pino({ level: 'silent' });
const topics = { create: true, partitions: 4, replicationFactor: 1, minInsyncReplicas: 1 };
const MESSAGES = 90;

let cluster: KafkaCluster;
beforeAll(async () => {
  cluster = await KafkaCluster.start();
});
afterAll(() => cluster.dispose());

it('publishes again what was published within a time, as it was, and nothing twice', async () => {
  const kafka = { brokers: cluster.addresses, tls: null, sasl: null, compression: 'none' as const, topics };
  await makeTopics(kafka, logger);
  const bus = new KafkaBus({ kafka, clientId: 'test', logger, onFatal: () => undefined });
  const received: ReceivedMessage[] = [];
  bus.subscribe({
    topic: TOPICS.visitsReceived,
    group: CONSUMER_GROUPS.enrichment,
    handler: async (messages) => {
      received.push(...messages);
      return messages.map(() => OK);
    },
  });
  await bus.start();
  const messagesOf = (name: string): BusMessage[] =>
    Array.from({ length: MESSAGES }, (_, index) => ({
      topic: TOPICS.visitsReceived,
      key: `key ${index}`,
      value: Buffer.from(`${name} ${index}`),
      headers: { project_id: index % 3 === 0 ? 'shop' : 'blog', batch_id: `${name}-${index}` },
    }));
  const publish = async (name: string): Promise<number> => {
    // One after the other: so each partition gets some.
    for (const message of messagesOf(name)) await bus.publish([message]);
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
  const textOf = ({ key, value, headers }: BusMessage): string => JSON.stringify([key, value.toString(), headers]);
  expect(received.map(textOf).toSorted()).toEqual(wanted.map(textOf).toSorted());
  // What it published is of now.
  expect(await replay({ from, to })).toMatchObject({ replayed: wanted.length });
  expect(await replay({ from: Date.now() + 60_000, to: Date.now() + 120_000 })).toEqual({
    read: 0,
    replayed: 0,
    total: 0,
  });
  expect(await replay({ from, to }, AbortSignal.abort())).toMatchObject({ replayed: 0 });
  await bus.close();
});
