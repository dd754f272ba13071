import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { TOPIC_SETTINGS, TOPICS, type TopicName } from '#libs/contracts';
import type { TopicOptions } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';

const DAY_MS = 86_400_000;

const TOPIC_PENDING_ERRORS = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']);
const MISSING_BROKER_ERRORS = new Set(['INVALID_REPLICATION_FACTOR']);
const RETRY_INTERVAL_MS = 200;
/** Allows at least 30 seconds, because brokers in a starting cluster can start that far apart. */
const MAX_ATTEMPTS = 150;

/** Thrown if the topics can't be used. The message explains how to fix that. */
export class TopicSetupError extends Error {
  override name = 'TopicsError';
}

class TooFewBrokersError extends TopicSetupError {}

/** Like {@link prepareTopics}, but waits for brokers in a starting cluster. */
export const prepareTopicsWithRetries = (admin: Admin, options: TopicOptions): Promise<string[]> =>
  retryUntilReady(
    () => prepareTopics(admin, options),
    // The controller, which is the broker that creates topics, may not know all the brokers yet that the queried broker
    // reports.
    (error) => error instanceof TooFewBrokersError || hasType(error, MISSING_BROKER_ERRORS),
  );

/**
 * Creates missing topics, or requires that all topics exist.
 *
 * @returns Differences between actual and expected topic settings that don't prevent publishing.
 * @throws {TopicSetupError} if a topic is missing and can't be created, or if its settings would reject or lose messages.
 */
export async function prepareTopics(admin: Admin, options: TopicOptions): Promise<string[]> {
  const requiredTopics = Object.values(TOPICS);
  const existing = new Set(await admin.listTopics());
  const missing = requiredTopics.filter((topic) => !existing.has(topic));
  if (missing.length > 0) {
    if (!options.create)
      throw new TopicSetupError(`Create these topics, or set KAFKA_TOPICS=create: ${missing.join(', ')}.`);
    await createTopics(admin, missing, options);
  }
  // Brokers don't all learn about a new topic at the same time.
  return retryUntilReady(
    () => checkTopics(admin, requiredTopics, options),
    (error) => hasType(error, TOPIC_PENDING_ERRORS),
  );
}

/** Repeats work while it fails because the cluster isn't ready yet. */
export async function retryUntilReady<T>(
  work: () => Promise<T>,
  isRetryable: (error: unknown) => boolean,
  maxAttempts = MAX_ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || attempt === maxAttempts) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

/** Returns true if an error, or an error that it aggregates, has one of the types. */
export function hasType(error: unknown, types: ReadonlySet<unknown>): boolean {
  const { errors = [error] } = error as { errors?: unknown[] };
  return errors.some((innerError) => types.has((innerError as { type?: unknown }).type));
}

async function createTopics(admin: Admin, topics: readonly TopicName[], options: TopicOptions): Promise<void> {
  const { brokers } = await admin.describeCluster();
  if (brokers.length < options.replicationFactor) {
    throw new TooFewBrokersError(
      `Topics require ${options.replicationFactor} replicas, but the Kafka cluster has only ${brokers.length} broker(s). ` +
        'Add brokers, or lower KAFKA_REPLICATION_FACTOR and KAFKA_MIN_INSYNC_REPLICAS.',
    );
  }
  // Doesn't fail if another service has created a topic in the meantime.
  await admin.createTopics({
    // kafkajs fails if the queried broker doesn't know the topic yet. The caller retries instead.
    waitForLeaders: false,
    topics: topics.map((topic) => ({
      topic,
      numPartitions: options.partitions,
      replicationFactor: options.replicationFactor,
      configEntries: [
        { name: 'max.message.bytes', value: String(TOPIC_SETTINGS[topic].maxMessageBytes) },
        { name: 'min.insync.replicas', value: String(options.minInsyncReplicas) },
        { name: 'retention.ms', value: String(TOPIC_SETTINGS[topic].retentionDays * DAY_MS) },
        { name: 'cleanup.policy', value: 'delete' },
      ],
    })),
  });
}

/**
 * Returns differences between actual and expected topic settings.
 *
 * @throws {TopicSetupError} if a topic would reject or lose messages.
 */
async function checkTopics(admin: Admin, topics: readonly TopicName[], options: TopicOptions): Promise<string[]> {
  const { topics: found } = await admin.fetchTopicMetadata({ topics: [...topics] });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({
      type: loadKafkajs().ConfigResourceTypes.TOPIC,
      name,
      configNames: ['max.message.bytes', 'min.insync.replicas', 'cleanup.policy'],
    })),
  });
  const differences: string[] = [];
  for (const topic of topics) {
    const entries = resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [];
    const config = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    const maxBytes = Number(config.get('max.message.bytes'));
    const { maxMessageBytes } = TOPIC_SETTINGS[topic];
    if (maxBytes < maxMessageBytes) {
      throw new TopicSetupError(`Set max.message.bytes of ${topic} to ${maxMessageBytes} (got ${maxBytes}).`);
    }
    if (config.get('cleanup.policy') !== 'delete') {
      throw new TopicSetupError(`Set cleanup.policy of ${topic} to delete. A compacted topic loses visits.`);
    }
    const partitions = found.find(({ name }) => name === topic)?.partitions ?? [];
    const replicaCount = Math.min(...partitions.map(({ replicas }) => replicas.length));
    const minInsyncReplicas = Number(config.get('min.insync.replicas'));
    if (replicaCount < options.replicationFactor) {
      differences.push(`${topic} has ${replicaCount} of ${options.replicationFactor} replicas`);
    }
    if (minInsyncReplicas < options.minInsyncReplicas) {
      differences.push(`${topic} has min.insync.replicas=${minInsyncReplicas} instead of ${options.minInsyncReplicas}`);
    }
  }
  return differences;
}
