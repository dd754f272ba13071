import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { TOPIC_SETTINGS, TOPICS, type TopicName } from '#libs/contracts';
import type { TopicOptions } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';

const DAY_MS = 86_400_000;

const NOT_KNOWN_YET = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']);
const BROKERS_MISSING = new Set(['INVALID_REPLICATION_FACTOR']);
const RETRY_INTERVAL_MS = 200;
/** Half a minute, at least: one broker of a cluster that begins may be that much slower than another. */
const MAX_ATTEMPTS = 150;

/** The topics can't be used; the message says what to do. */
export class TopicsError extends Error {
  override name = 'TopicsError';
}

class TooFewBrokersError extends TopicsError {}

/** As {@link prepareTopics}, but waits for the brokers of a cluster that has just begun. */
export const prepareTopicsPatiently = (admin: Admin, options: TopicOptions): Promise<string[]> =>
  patiently(
    () => prepareTopics(admin, options),
    // The controller may know of fewer brokers than the one that is asked.
    (error) => error instanceof TooFewBrokersError || hasType(error, BROKERS_MISSING),
  );

/**
 * Makes the topics that are missing, or requires them all.
 *
 * @returns what of the existing ones is not as wanted, in words: nothing that keeps visits from flowing.
 * @throws TopicsError when a topic is missing and can't be made, or is too small for our messages.
 */
export async function prepareTopics(admin: Admin, options: TopicOptions): Promise<string[]> {
  const wanted = Object.values(TOPICS);
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter((topic) => !existing.has(topic));
  if (missing.length > 0) {
    if (!options.create) throw new TopicsError(`Make these topics, or set KAFKA_TOPICS=create: ${missing.join(', ')}.`);
    await createTopics(admin, missing, options);
  }
  // Not every broker knows at once of a topic that was just made.
  return patiently(
    () => checkTopics(admin, wanted, options),
    (error) => hasType(error, NOT_KNOWN_YET),
  );
}

/** Does work again while it fails because the cluster isn't yet as it will be. */
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

/** Whether Kafka answered with one of these, of one topic or of several. */
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
  // Topics that another service created in the meantime are not an error.
  await admin.createTopics({
    // kafkajs gives up when the broker that it asks has not heard of the topic yet; the caller looks again.
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

/** Compares the topics with what is wanted. @throws TopicsError when our messages do not fit. */
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
