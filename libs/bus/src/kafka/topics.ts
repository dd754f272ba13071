import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { TOPIC_SETTINGS, TOPICS, type TopicName } from '#libs/contracts';
import type { TopicOptions } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';

const DAY_MS = 86_400_000;

const NOT_KNOWN_YET = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']);
const BROKERS_MISSING = new Set(['INVALID_REPLICATION_FACTOR']);
const RETRY_INTERVAL_MS = 200;
/** Allows at least 30 seconds, because one broker of a starting cluster can be that much slower than another. */
const MAX_ATTEMPTS = 150;

/** Thrown if the topics can't be used. The message contains the fix. */
export class TopicsError extends Error {
  override name = 'TopicsError';
}

class TooFewBrokersError extends TopicsError {}

/** Like {@link prepareTopics}, but waits for the brokers of a starting cluster. */
export const prepareTopicsPatiently = (admin: Admin, options: TopicOptions): Promise<string[]> =>
  patiently(
    () => prepareTopics(admin, options),
    // The controller may know of fewer brokers than the broker that responds.
    (error) => error instanceof TooFewBrokersError || hasType(error, BROKERS_MISSING),
  );

/**
 * Creates missing topics, or requires that all topics exist.
 *
 * @returns differences between actual and expected topic settings. None of them prevents publishing.
 * @throws TopicsError if a topic is missing and can't be created, or its settings would reject or lose messages.
 */
export async function prepareTopics(admin: Admin, options: TopicOptions): Promise<string[]> {
  const wanted = Object.values(TOPICS);
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter((topic) => !existing.has(topic));
  if (missing.length > 0) {
    if (!options.create) throw new TopicsError(`Make these topics, or set KAFKA_TOPICS=create: ${missing.join(', ')}.`);
    await createTopics(admin, missing, options);
  }
  // Brokers don't all learn of a new topic at once.
  return patiently(
    () => checkTopics(admin, wanted, options),
    (error) => hasType(error, NOT_KNOWN_YET),
  );
}

/** Repeats work while it fails because the cluster isn't ready yet. */
export async function patiently<T>(
  work: () => Promise<T>,
  isTooEarly: (error: unknown) => boolean,
  maxAttempts = MAX_ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTooEarly(error) || attempt === maxAttempts) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

/** Returns whether an error, or one of the errors that it aggregates, has one of the types. */
export function hasType(error: unknown, types: ReadonlySet<unknown>): boolean {
  const { errors = [error] } = error as { errors?: unknown[] };
  return errors.some((each) => types.has((each as { type?: unknown }).type));
}

async function createTopics(admin: Admin, topics: readonly TopicName[], options: TopicOptions): Promise<void> {
  const { brokers } = await admin.describeCluster();
  if (brokers.length < options.replicationFactor) {
    throw new TooFewBrokersError(
      `Topics shall have ${options.replicationFactor} copies, and the Kafka cluster has ${brokers.length} broker(s). ` +
        'Add brokers, or set KAFKA_REPLICATION_FACTOR and KAFKA_MIN_INSYNC_REPLICAS.',
    );
  }
  // Doesn't fail if another service has created a topic in the meantime.
  await admin.createTopics({
    // kafkajs fails if the broker it asks doesn't know the topic yet. The caller retries instead.
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
 * @throws TopicsError if a topic would reject or lose messages.
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
    const largest = Number(config.get('max.message.bytes'));
    const { maxMessageBytes } = TOPIC_SETTINGS[topic];
    if (largest < maxMessageBytes) {
      throw new TopicsError(`Set max.message.bytes of ${topic} to ${maxMessageBytes}; it is ${largest}.`);
    }
    if (config.get('cleanup.policy') !== 'delete') {
      throw new TopicsError(`Set cleanup.policy of ${topic} to delete: a compacted topic loses visits.`);
    }
    const partitions = found.find(({ name }) => name === topic)?.partitions ?? [];
    const copies = Math.min(...partitions.map(({ replicas }) => replicas.length));
    const inSync = Number(config.get('min.insync.replicas'));
    if (copies < options.replicationFactor) {
      differences.push(`${topic} has ${copies} of ${options.replicationFactor} copies`);
    }
    if (inSync < options.minInsyncReplicas) {
      differences.push(`${topic} has min.insync.replicas=${inSync} instead of ${options.minInsyncReplicas}`);
    }
  }
  return differences;
}
