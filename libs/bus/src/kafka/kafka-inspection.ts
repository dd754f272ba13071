import type { Admin } from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import { kafkaClient } from './kafka-client.js';
import type { KafkaOptions } from './kafka-options.js';
import { hasType, patiently, prepareTopics, prepareTopicsPatiently } from './topics.js';

// A new cluster briefly has no group coordinators, so retry.
const INSPECTION_TIMEOUTS = {
  requestTimeoutMs: 5_000,
  retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 1_000 },
};

// kafkajs keeps asking a former leader for up to five minutes, unless it reconnects.
const LEADER_MOVED = new Set(['NOT_LEADER_FOR_PARTITION']);
const MAX_CONNECTIONS = 10;

const CLI = 'agent-traffic-cli';

export interface GroupReport {
  group: string;
  /** State in Kafka's terms: Stable, Empty, PreparingRebalance, … */
  state: string;
  members: number;
  /** Unprocessed messages in all topics of the group. */
  lag: number;
  lagOfTopics: Record<string, number>;
}

export interface KafkaReport {
  /** Available brokers as host:port. */
  brokers: string[];
  /** Differences between actual and expected topic settings. */
  differences: string[];
  groups: GroupReport[];
}

/**
 * Creates missing topics. Waits for the brokers of a starting cluster.
 *
 * @returns differences between actual and expected topic settings.
 * @throws TopicsError if the topics can't be used. Its message contains the fix.
 */
export function makeTopics(options: KafkaOptions, logger: Logger): Promise<string[]> {
  return withAdmin({ options, logger, clientId: CLI }, (admin) => prepareTopicsPatiently(admin, options.topics));
}

/**
 * Inspects a cluster without changing it.
 *
 * @throws TopicsError if the topics can't be used.
 */
export function inspectKafka(options: KafkaOptions, logger: Logger, clientId = CLI): Promise<KafkaReport> {
  return withAdmin({ options, logger, clientId }, async (admin) => {
    const { brokers } = await admin.describeCluster();
    const differences = await prepareTopics(admin, { ...options.topics, create: false });
    const groups: GroupReport[] = [];
    for (const group of Object.values(CONSUMER_GROUPS)) groups.push(await inspectGroup(admin, group));
    return { brokers: brokers.map(({ host, port }) => `${host}:${port}`), differences, groups };
  });
}

const TOPICS_OF: Record<string, readonly string[]> = {
  [CONSUMER_GROUPS.enrichment]: [TOPICS.visitsReceived],
  [CONSUMER_GROUPS.ingest]: [TOPICS.visitsEnriched, TOPICS.visitsDeadLetter],
};

async function inspectGroup(admin: Admin, group: string): Promise<GroupReport> {
  const description = (await admin.describeGroups([group])).groups[0];
  const lagOfTopics = await topicLags(admin, group);
  const lag = sumOf(lagOfTopics);
  return { group, state: description?.state ?? 'Dead', members: description?.members.length ?? 0, lag, lagOfTopics };
}

export const groupLag = async (admin: Admin, group: string): Promise<number> => sumOf(await topicLags(admin, group));

async function topicLags(admin: Admin, group: string): Promise<Record<string, number>> {
  const lags: Record<string, number> = {};
  for (const topic of TOPICS_OF[group] ?? []) {
    const offsets = await handledOffsets(admin, topic, group);
    lags[topic] = offsets.reduce((sum, { high, handled }) => sum + high - handled, 0);
  }
  return lags;
}

const sumOf = (lags: Record<string, number>): number => Object.values(lags).reduce((sum, lag) => sum + lag, 0);

/**
 * Returns whether a group has handled everything published on a topic before a time in milliseconds since the epoch.
 */
export function hasHandled(
  cluster: Cluster,
  { topic, group, before }: { topic: string; group: string; before: number },
): Promise<boolean> {
  return withAdmin(cluster, async (admin) => {
    const offsets = await handledOffsets(admin, topic, group);
    const handled = new Map(offsets.map((each) => [each.partition, each.handled]));
    const wanted = await admin.fetchTopicOffsetsByTimestamp(topic, before);
    return wanted.every(({ partition, offset }) => handled.get(partition)! >= Number(offset));
  });
}

/** Returns the end of each partition and how far a group has handled it. Deleted messages count as handled. */
async function handledOffsets(admin: Admin, topic: string, group: string) {
  const ends = await admin.fetchTopicOffsets(topic);
  const [committed] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
  const done = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  return ends.map(({ partition, high, low }) => ({
    partition,
    high: Number(high),
    handled: Math.max(done.get(partition) ?? -1, Number(low)),
  }));
}

export interface Cluster {
  options: KafkaOptions;
  logger: Logger;
  clientId: string;
}

/** Runs work on a new connection. Repeats it on another one if a partition has moved to another leader. */
export function withAdmin<T>({ options, logger, clientId }: Cluster, work: (admin: Admin) => Promise<T>): Promise<T> {
  return patiently(
    async () => {
      const admin = kafkaClient(options, { clientId, ...INSPECTION_TIMEOUTS }, logger).admin();
      try {
        await admin.connect();
        return await work(admin);
      } finally {
        await admin.disconnect();
      }
    },
    (error) => hasType(error, LEADER_MOVED),
    MAX_CONNECTIONS,
  );
}
