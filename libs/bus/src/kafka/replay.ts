import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { Admin, Consumer, EachBatchPayload } from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import type { ReceivedMessage } from '../message.js';
import { createKafkaClient } from './kafka-client.js';
import { fetchGroupLag, withAdmin, type Cluster } from './kafka-inspection.js';
import type { KafkaOptions } from './kafka-options.js';
import { createPartitioner } from './partitioner.js';
import { Publisher } from './publisher.js';
import { toReceivedMessage } from './received-message.js';

/** Name prefix of replay consumer groups. Each group is deleted when its replay ends. */
export const REPLAY_GROUP_PREFIX = 'agent-traffic-replay-';
const RECEIVED_TOPIC = TOPICS.visitsReceived;
const TIMEOUTS = { requestTimeoutMs: 10_000, retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 2_000 } };
/** Enrichment lag in messages above which the replay pauses, because new visits wait behind replayed ones. */
const MAX_ENRICHMENT_LAG_MESSAGES = 1_000;
const LAG_POLL_INTERVAL_MS = 250;
const PUBLISH_DEADLINE_MS = 30_000;

interface ReplayRequest {
  /** Start of the publication time range in milliseconds since the epoch. */
  from: number;
  /** End of the range in milliseconds since the epoch, exclusive. */
  to: number;
  isWanted: (message: ReceivedMessage) => boolean;
  signal: AbortSignal;
  onProgress: (progress: ReplayProgress) => void;
}

export interface ReplayProgress {
  /** Number of messages read. */
  read: number;
  /** Number of messages published again. */
  replayed: number;
  /** Number of messages in the range, from all projects. */
  total: number;
}

type PartitionOffsets = Map<number, number>;

/**
 * Republishes messages that `visits.received.v1` still contains to the end of the same topic. Pauses while enrichment
 * lags behind.
 *
 * Visits keep their IDs, so stored visits aren't duplicated.
 *
 * @throws {Error} if Kafka doesn't respond.
 */
export async function replayReceived(
  options: KafkaOptions,
  logger: Logger,
  request: ReplayRequest,
): Promise<ReplayProgress> {
  const groupId = `${REPLAY_GROUP_PREFIX}${randomUUID()}`;
  const cluster: Cluster = { options, logger, clientId: 'agent-traffic-replay' };
  const kafka = createKafkaClient(options, { clientId: cluster.clientId, ...TIMEOUTS }, logger);
  const producer = kafka.producer({ createPartitioner, allowAutoTopicCreation: false });
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false });
  try {
    await Promise.all([producer.connect(), consumer.connect()]);
    const { compression } = options;
    const publisher = new Publisher(() => producer, RECEIVED_TOPIC, {
      timeoutMs: PUBLISH_DEADLINE_MS,
      isSpread: true,
      compression,
    });
    const offsets = await withAdmin(cluster, (admin) => fetchRangeOffsets(admin, request));
    return await runReplay(consumer, offsets, {
      ...request,
      waitUntilCaughtUp: (onWait) => waitForEnrichment(cluster, request.signal, onWait),
      publish: (messages) => publisher.publish(messages),
    });
  } finally {
    await consumer.disconnect().catch(() => undefined);
    await withAdmin(cluster, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
    await producer.disconnect().catch(() => undefined);
  }
}

/** Returns the start and end offsets of the range. Excludes messages that are published from now on. */
async function fetchRangeOffsets(
  admin: Admin,
  { from, to }: ReplayRequest,
): Promise<{ starts: PartitionOffsets; ends: PartitionOffsets }> {
  const latestOffsets = await admin.fetchTopicOffsets(RECEIVED_TOPIC);
  const highWatermarks = new Map(latestOffsets.map(({ partition, high }) => [partition, Number(high)]));
  const fetchOffsetsAt = async (time: number): Promise<PartitionOffsets> => {
    const receivedMessages = await admin.fetchTopicOffsetsByTimestamp(RECEIVED_TOPIC, time);
    return new Map(
      receivedMessages.map(({ partition, offset }) => [
        partition,
        Math.min(Number(offset), highWatermarks.get(partition) ?? 0),
      ]),
    );
  };
  return { starts: await fetchOffsetsAt(from), ends: await fetchOffsetsAt(to) };
}

function waitForEnrichment(cluster: Cluster, signal: AbortSignal, onWait: () => Promise<void>): Promise<void> {
  return withAdmin(cluster, async (admin) => {
    while (!signal.aborted && (await fetchGroupLag(admin, CONSUMER_GROUPS.enrichment)) > MAX_ENRICHMENT_LAG_MESSAGES) {
      await sleep(LAG_POLL_INTERVAL_MS);
      await onWait();
    }
  });
}

interface ReplayContext extends ReplayRequest {
  /** @param onWait Called regularly during the wait. */
  waitUntilCaughtUp(onWait: () => Promise<void>): Promise<void>;
  publish(messages: readonly ReceivedMessage[]): Promise<void>;
}

async function runReplay(
  consumer: Consumer,
  { starts, ends }: { starts: PartitionOffsets; ends: PartitionOffsets },
  { isWanted, signal, onProgress, waitUntilCaughtUp, publish }: ReplayContext,
): Promise<ReplayProgress> {
  const openPartitions = new Set(
    [...starts].filter(([partition, start]) => start < ends.get(partition)!).map(([each]) => each),
  );
  const progress: ReplayProgress = { read: 0, replayed: 0, total: 0 };
  for (const partition of openPartitions) progress.total += ends.get(partition)! - starts.get(partition)!;
  if (openPartitions.size === 0 || signal.aborted) return progress;
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  consumer.on('consumer.crash', ({ payload }) => reject(payload.error));
  const handle = async ({
    batch: { partition, messages },
    heartbeat,
    resolveOffset,
  }: EachBatchPayload): Promise<void> => {
    const end = ends.get(partition) ?? 0;
    // Messages before the start are skipped, because Kafka restarts a consumer group at the earliest offset if it was
    // inactive for too long.
    const start = starts.get(partition) ?? 0;
    const isInRange = ({ offset }: { offset: string }): boolean => Number(offset) >= start && Number(offset) < end;
    const messagesInRange = messages.filter((message) => openPartitions.has(partition) && isInRange(message));
    const receivedMessages = messagesInRange.map((message) => toReceivedMessage(RECEIVED_TOPIC, partition, message));
    const wantedMessages = receivedMessages.filter(isWanted);
    if (wantedMessages.length > 0) await waitUntilCaughtUp(heartbeat);
    if (signal.aborted) return;
    await publish(wantedMessages);
    const latestOffsets = messages.at(-1)?.offset;
    if (latestOffsets !== undefined) {
      resolveOffset(latestOffsets);
      starts.set(partition, Math.max(start, Number(latestOffsets) + 1));
    }
    progress.read += receivedMessages.length;
    progress.replayed += wantedMessages.length;
    onProgress({ ...progress });
    if (latestOffsets !== undefined && Number(latestOffsets) >= end - 1) openPartitions.delete(partition);
    if (openPartitions.size === 0) resolve();
    await heartbeat();
  };
  await consumer.subscribe({ topics: [RECEIVED_TOPIC], fromBeginning: true });
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: handle });
  for (const [partition, start] of starts) consumer.seek({ topic: RECEIVED_TOPIC, partition, offset: String(start) });
  await done;
  return progress;
}
