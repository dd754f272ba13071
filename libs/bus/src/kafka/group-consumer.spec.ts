import { jest } from '@jest/globals';
import type { ConsumerRunConfig, EachBatchPayload, Kafka } from 'kafkajs';
import { pino } from 'pino';
import type { HandlerQueue } from '../handler-queue.js';
import { createRawTopic } from '../../../../test/kit/raw-topic.js';
import { GroupConsumer } from './group-consumer.js';

const TOPIC = 'visits.received.v1';

/** Starts a member that handles messages immediately. `commits` lists committed offsets by partition. */
async function startMember() {
  const started = Promise.withResolvers<ConsumerRunConfig>();
  const consumer = {
    on: () => undefined,
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async (config: ConsumerRunConfig) => started.resolve(config),
    disconnect: async () => undefined,
  };
  const queue = {
    subscription: { topic: createRawTopic(TOPIC), group: 'group' },
    add: () => ({ done: Promise.resolve() }),
  };
  const options = { group: 'group', queues: [queue as unknown as HandlerQueue], onFatal: () => undefined };
  const kafka = { consumer: () => consumer } as unknown as Kafka;
  new GroupConsumer(kafka, options, pino({ level: 'silent' })).start();
  const { eachBatch } = await started.promise;
  const resolvedOffsets: Record<string, string> = {};
  const commits: object[] = [];
  const handle = (partition: number, heartbeat: () => Promise<void> = async () => undefined): Promise<void> =>
    eachBatch!({
      batch: {
        topic: TOPIC,
        partition,
        messages: [{ offset: '7', key: null, value: Buffer.from('{}'), headers: {} }],
        offsetLag: () => '0',
        offsetLagLow: () => '0',
      },
      heartbeat,
      resolveOffset: (offset: string) => void (resolvedOffsets[partition] = offset),
      isRunning: () => true,
      isStale: () => false,
      uncommittedOffsets: () => ({ ...resolvedOffsets }),
      commitOffsetsIfNecessary: async (offsets: object) => void commits.push(offsets),
    } as unknown as EachBatchPayload);
  return { handle, commits };
}

it('GroupConsumer commits partitions that finish in the same event-loop tick in one request', async () => {
  const { handle, commits } = await startMember();
  await Promise.all([handle(0), handle(1), handle(2)]);
  expect(commits).toEqual([{ 0: '7', 1: '7', 2: '7' }]);
  await handle(3);
  expect(commits).toHaveLength(2);
});

it('GroupConsumer commits handled messages before the group rebalances', async () => {
  const { handle, commits } = await startMember();
  const rebalancing = new Error('REBALANCE_IN_PROGRESS');
  const heartbeat = jest.fn<() => Promise<void>>().mockRejectedValue(rebalancing);
  await expect(handle(0, heartbeat)).rejects.toBe(rebalancing);
  expect(commits).toEqual([{ 0: '7' }]);
});
