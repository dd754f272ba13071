import type { Admin } from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import { createKafkaClient } from './kafka-client.js';
import type { KafkaOptions } from './kafka-options.js';
import { hasType, retryUntilReady, prepareTopics, prepareTopicsWithRetries } from './topics.js';

// A new cluster briefly has no group coordinators, so requests are retried.
const INSPECTION_TIMEOUTS = {
  requestTimeoutMs: 5_000,
  retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 1_000 },
};

// kafkajs would keep querying a former leader for up to five minutes unless it reconnects.
const LEADER_CHANGE_ERRORS = new Set(['NOT_LEADER_FOR_PARTITION']);
const MAX_CONNECTION_ATTEMPTS = 10;

const CLI_CLIENT_ID = 'agent-traffic-cli';

export interface GroupReport {
  group: string;
  /** Kafka's group state, such as Stable, Empty or PreparingRebalance. */
  state: string;
  members: number;
  /** Unprocessed messages in all of the group's topics. */
  lag: number;
  lagOfTopics: Record<string, number>;
}

export interface KafkaReport {
  /** Addresses of available brokers as host:port. */
  brokers: string[];
  /** Differences between actual and expected topic settings. */
  differences: string[];
  groups: GroupReport[];
}

/**
 * Creates missing topics. If the cluster is starting, waits for its brokers.
 *
 * @returns Differences between actual and expected topic settings.
 * @throws {TopicSetupError} if the topics can't be used. The message explains how to fix that.
 */
export function createTopics(options: KafkaOptions, logger: Logger): Promise<string[]> {
  return withAdmin({ options, logger, clientId: CLI_CLIENT_ID }, (admin) =>
    prepareTopicsWithRetries(admin, options.topics),
  );
}

/**
 * Inspects a cluster without changing it.
 *
 * @throws {TopicSetupError} if the topics can't be used.
 */
export function inspectKafka(options: KafkaOptions, logger: Logger, clientId = CLI_CLIENT_ID): Promise<KafkaReport> {
  return withAdmin({ options, logger, clientId }, async (admin) => {
    const { brokers } = await admin.describeCluster();
    const differences = await prepareTopics(admin, { ...options.topics, create: false });
    const groups: GroupReport[] = [];
    for (const group of Object.values(CONSUMER_GROUPS)) groups.push(await inspectGroup(admin, group));
    return { brokers: brokers.map(({ host, port }) => `${host}:${port}`), differences, groups };
  });
}

const GROUP_TOPICS: Record<string, readonly string[]> = {
  [CONSUMER_GROUPS.enrichment]: [TOPICS.visitsReceived],
  [CONSUMER_GROUPS.ingest]: [TOPICS.visitsEnriched, TOPICS.visitsDeadLetter],
};

async function inspectGroup(admin: Admin, group: string): Promise<GroupReport> {
  const description = (await admin.describeGroups([group])).groups[0];
  const lagOfTopics = await fetchTopicLags(admin, group);
  const lag = sumLags(lagOfTopics);
  return { group, state: description?.state ?? 'Dead', members: description?.members.length ?? 0, lag, lagOfTopics };
}

export const fetchGroupLag = async (admin: Admin, group: string): Promise<number> =>
  sumLags(await fetchTopicLags(admin, group));

async function fetchTopicLags(admin: Admin, group: string): Promise<Record<string, number>> {
  const lags: Record<string, number> = {};
  for (const topic of GROUP_TOPICS[group] ?? []) {
    const offsets = await fetchHandledOffsets(admin, topic, group);
    lags[topic] = offsets.reduce((sum, { high, handled }) => sum + high - handled, 0);
  }
  return lags;
}

const sumLags = (lags: Record<string, number>): number => Object.values(lags).reduce((sum, lag) => sum + lag, 0);

/**
 * Returns true if a group has handled everything that was published to a topic before a time in milliseconds since the
 * epoch.
 */
export function hasHandled(
  cluster: Cluster,
  { topic, group, before }: { topic: string; group: string; before: number },
): Promise<boolean> {
  return withAdmin(cluster, async (admin) => {
    const offsets = await fetchHandledOffsets(admin, topic, group);
    const handled = new Map(offsets.map((partitionOffsets) => [partitionOffsets.partition, partitionOffsets.handled]));
    const targetOffsets = await admin.fetchTopicOffsetsByTimestamp(topic, before);
    return targetOffsets.every(({ partition, offset }) => handled.get(partition)! >= Number(offset));
  });
}

/** Returns each partition's end offset and how far a group has handled it. Deleted messages count as handled. */
async function fetchHandledOffsets(admin: Admin, topic: string, group: string) {
  const ends = await admin.fetchTopicOffsets(topic);
  const [committed] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
  const committedOffsets = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  return ends.map(({ partition, high, low }) => ({
    partition,
    high: Number(high),
    handled: Math.max(committedOffsets.get(partition) ?? -1, Number(low)),
  }));
}

export interface Cluster {
  options: KafkaOptions;
  logger: Logger;
  clientId: string;
}

/** Runs work on a new connection. If a partition has a new leader, repeats the work on another connection. */
export function withAdmin<T>({ options, logger, clientId }: Cluster, work: (admin: Admin) => Promise<T>): Promise<T> {
  return retryUntilReady(
    async () => {
      const admin = createKafkaClient(options, { clientId, ...INSPECTION_TIMEOUTS }, logger).admin();
      try {
        await admin.connect();
        return await work(admin);
      } finally {
        await admin.disconnect();
      }
    },
    (error) => hasType(error, LEADER_CHANGE_ERRORS),
    MAX_CONNECTION_ATTEMPTS,
  );
}
