import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { Admin, Consumer, EachBatchPayload } from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import type { ReceivedMessage } from '../message.js';
import { kafkaClient } from './kafka-client.js';
import { groupLag, withAdmin, type Cluster } from './kafka-inspection.js';
import type { KafkaOptions } from './kafka-options.js';
import { partitioner } from './partitioner.js';
import { Publisher } from './publisher.js';
import { receivedFrom } from './received.js';

/** Name prefix of a replay's consumer group. The group is deleted when the replay ends. */
export const REPLAY_GROUP_PREFIX = 'agent-traffic-replay-';
const TOPIC = TOPICS.visitsReceived;
const TIMEOUTS = { requestTimeoutMs: 10_000, retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 2_000 } };
/** Maximum enrichment lag, in messages, before the replay pauses. New visits wait behind the replayed ones. */
const MAX_LAG = 1_000;
const LAG_INTERVAL_MS = 250;
const PUBLISH_DEADLINE_MS = 30_000;

interface ReplayRequest {
  /** Start of the range of publication times, in milliseconds since the epoch. */
  from: number;
  /** End of the range, exclusive. */
  to: number;
  isWanted: (message: ReceivedMessage) => boolean;
  signal: AbortSignal;
  onProgress: (progress: ReplayProgress) => void;
}

export interface ReplayProgress {
  /** Messages checked. */
  read: number;
  /** Messages published again. */
  replayed: number;
  /** Messages in the range, from all projects. */
  total: number;
}

/** Offsets by partition. */
type Ends = Map<number, number>;

/**
 * Republishes messages that `visits.received.v1` still contains, to the end of the same topic. Pauses while enrichment
 * is behind.
 *
 * Visits keep their IDs, so stored visits aren't duplicated.
 *
 * @throws if Kafka doesn't respond.
 */
export async function replayReceived(
  options: KafkaOptions,
  logger: Logger,
  request: ReplayRequest,
): Promise<ReplayProgress> {
  const groupId = `${REPLAY_GROUP_PREFIX}${randomUUID()}`;
  const cluster: Cluster = { options, logger, clientId: 'agent-traffic-replay' };
  const kafka = kafkaClient(options, { clientId: cluster.clientId, ...TIMEOUTS }, logger);
  const producer = kafka.producer({ createPartitioner: partitioner, allowAutoTopicCreation: false });
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false });
  try {
    await Promise.all([producer.connect(), consumer.connect()]);
    const { compression } = options;
    const publisher = new Publisher(() => producer, TOPIC, {
      timeoutMs: PUBLISH_DEADLINE_MS,
      isSpread: true,
      compression,
    });
    const offsets = await withAdmin(cluster, (admin) => offsetsOf(admin, request));
    return await replay(consumer, offsets, {
      ...request,
      untilCaughtUp: (isWaiting) => waitForEnrichment(cluster, request.signal, isWaiting),
      publish: (messages) => publisher.publish(messages),
    });
  } finally {
    await consumer.disconnect().catch(() => undefined);
    await withAdmin(cluster, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
    await producer.disconnect().catch(() => undefined);
  }
}

/** Returns the start and end offsets of the range. Excludes messages published from now on. */
async function offsetsOf(admin: Admin, { from, to }: ReplayRequest): Promise<{ starts: Ends; ends: Ends }> {
  const last = await admin.fetchTopicOffsets(TOPIC);
  const highs = new Map(last.map(({ partition, high }) => [partition, Number(high)]));
  const offsetsAt = async (time: number): Promise<Ends> => {
    const found = await admin.fetchTopicOffsetsByTimestamp(TOPIC, time);
    return new Map(
      found.map(({ partition, offset }) => [partition, Math.min(Number(offset), highs.get(partition) ?? 0)]),
    );
  };
  return { starts: await offsetsAt(from), ends: await offsetsAt(to) };
}

function waitForEnrichment(cluster: Cluster, signal: AbortSignal, isWaiting: () => Promise<void>): Promise<void> {
  return withAdmin(cluster, async (admin) => {
    while (!signal.aborted && (await groupLag(admin, CONSUMER_GROUPS.enrichment)) > MAX_LAG) {
      await sleep(LAG_INTERVAL_MS);
      await isWaiting();
    }
  });
}

interface Replaying extends ReplayRequest {
  /** @param isWaiting called regularly while waiting. */
  untilCaughtUp(isWaiting: () => Promise<void>): Promise<void>;
  publish(messages: readonly ReceivedMessage[]): Promise<void>;
}

async function replay(
  consumer: Consumer,
  { starts, ends }: { starts: Ends; ends: Ends },
  { isWanted, signal, onProgress, untilCaughtUp, publish }: Replaying,
): Promise<ReplayProgress> {
  const open = new Set([...starts].filter(([partition, start]) => start < ends.get(partition)!).map(([each]) => each));
  const progress: ReplayProgress = { read: 0, replayed: 0, total: 0 };
  for (const partition of open) progress.total += ends.get(partition)! - starts.get(partition)!;
  if (open.size === 0 || signal.aborted) return progress;
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  consumer.on('consumer.crash', ({ payload }) => reject(payload.error));
  const handle = async ({
    batch: { partition, messages },
    heartbeat,
    resolveOffset,
  }: EachBatchPayload): Promise<void> => {
    const end = ends.get(partition) ?? 0;
    // A consumer group that was away for too long restarts at the earliest offset.
    const start = starts.get(partition) ?? 0;
    const isOfTime = ({ offset }: { offset: string }): boolean => Number(offset) >= start && Number(offset) < end;
    const known = messages.filter((message) => open.has(partition) && isOfTime(message));
    const found = known.map((message) => receivedFrom(TOPIC, partition, message));
    const wanted = found.filter(isWanted);
    if (wanted.length > 0) await untilCaughtUp(heartbeat);
    if (signal.aborted) return;
    await publish(wanted);
    const last = messages.at(-1)?.offset;
    if (last !== undefined) {
      resolveOffset(last);
      starts.set(partition, Math.max(start, Number(last) + 1));
    }
    progress.read += found.length;
    progress.replayed += wanted.length;
    onProgress({ ...progress });
    if (last !== undefined && Number(last) >= end - 1) open.delete(partition);
    if (open.size === 0) resolve();
    await heartbeat();
  };
  await consumer.subscribe({ topics: [TOPIC], fromBeginning: true });
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: handle });
  for (const [partition, start] of starts) consumer.seek({ topic: TOPIC, partition, offset: String(start) });
  await done;
  return progress;
}
