import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { TOPIC_SETTINGS, TOPICS, type Topic } from '#libs/contracts';
import type { TopicOptions } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';

const DAY_MS = 86_400_000;

const NOT_KNOWN_YET = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']);
const RETRY_INTERVAL_MS = 200;
const MAX_ATTEMPTS = 50;

/** The topics can't be used; the message says what to do. */
export class TopicsError extends Error {
  override name = 'TopicsError';
}

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
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await checkTopics(admin, wanted, options);
    } catch (error) {
      // Not every broker knows at once of a topic that was just made.
      const isTooEarly = NOT_KNOWN_YET.has(String((error as { type?: unknown }).type));
      if (!isTooEarly || attempt === MAX_ATTEMPTS) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

async function createTopics(admin: Admin, topics: readonly Topic[], options: TopicOptions): Promise<void> {
  const { brokers } = await admin.describeCluster();
  if (brokers.length < options.replicationFactor) {
    throw new TopicsError(
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
async function checkTopics(admin: Admin, topics: readonly Topic[], options: TopicOptions): Promise<string[]> {
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
