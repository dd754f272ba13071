import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { TOPICS, type TopicName } from '#libs/contracts';
import { isFulfilledWithin, type Logger } from '#libs/platform';
import { Bus, BusUnavailableError, type Subscription } from '../bus.js';
import { backlogReaders, busMetrics } from '../bus-metrics.js';
import { HandlerQueue, getBacklog } from '../handler-queue.js';
import type { DeadLetter } from '../dead-letter.js';
import type { EncodedMessage } from '../message.js';
import type { Publication } from '../topic.js';
import { DEAD_LETTERS } from '../topics/dead-letters.js';
import { GroupConsumer, SESSION_TIMEOUT_MS } from './group-consumer.js';
import { IdempotentSender } from './idempotent-sender.js';
import { createKafkaClient } from './kafka-client.js';
import { createPartitioner } from './partitioner.js';
import type { KafkaOptions } from './kafka-options.js';
import { Publisher, type PublisherOptions } from './publisher.js';
import { prepareTopics, TopicSetupError } from './topics.js';

interface KafkaBusOptions {
  kafka: KafkaOptions;
  /** Client ID in the brokers' logs and quotas. */
  clientId: string;
  logger: Logger;
  /** Called if the process can't recover. The process must then exit without committing. */
  onFatal(error: Error): void;
  publisher?: PublisherOptions;
  /** Topics whose producers connect at startup, so the first requests don't have to wait. */
  publishes?: readonly TopicName[];
}

const REQUEST_TIMEOUT_MS = 3_000;
const CONSUMER_REQUEST_TIMEOUT_MS = 10_000;
const CONNECT_INTERVAL_MS = 1_000;
const START_TIMEOUT_MS = 5_000;
const PROBE_INTERVAL_MS = 5_000;
/**
 * Timeout for a probe. Leaves enough time for another broker to respond if the first one doesn't within
 * {@link REQUEST_TIMEOUT_MS}.
 */
const PROBE_TIMEOUT_MS = 4_000;
/**
 * A send is retried for minutes, for example if brokers hang. Retries can't cause duplicates, because brokers append
 * each message only once.
 */
const SEND_RETRY = { retries: 40, initialRetryTime: 200, maxRetryTime: 5_000 };
/**
 * Milliseconds between metadata updates. Without them, kafkajs wouldn't find a new leader when a broker stops
 * responding.
 */
const METADATA_MAX_AGE_MS = 10_000;
/**
 * The order of received batches doesn't matter, so several sends can be in flight. All other messages are sent one
 * after another, which preserves the order of a client's visits.
 */
const PUBLISHER_OPTIONS: Record<TopicName, PublisherOptions> = {
  [TOPICS.visitsReceived]: { maxConcurrentSends: 3, isSpread: true },
  // Longer than all retries of a send together. A publication is therefore only repeated after its send has failed.
  [TOPICS.visitsEnriched]: { timeoutMs: 600_000 },
  [TOPICS.visitsDeadLetter]: {},
  // A longer timeout is fine because no client waits for these messages, which can be as large as the topic allows.
  [TOPICS.visitsChanged]: { timeoutMs: 30_000 },
  [TOPICS.audit]: { timeoutMs: 30_000 },
};
const QUEUE_OPTIONS = {
  maxBatchMessages: 2_000,
  maxBatchBytes: 4 * 1024 * 1024,
  concurrency: 2,
  maxGatheringMs: 10,
  // All messages from a fetch arrive in the same event-loop tick, so waiting wouldn't gather any more.
  waitsForFollowUps: false,
};

/** Bus on Apache Kafka. Messages are safe once all in-sync replicas have acknowledged them. */
export class KafkaBus extends Bus {
  private readonly queues: HandlerQueue[] = [];
  private readonly consumers: GroupConsumer[] = [];
  private readonly senders: { topic: TopicName; sender: IdempotentSender }[] = [];
  private readonly admin: Admin;
  private readonly publishers: ReadonlyMap<string, Publisher>;
  private watchdogTimer: NodeJS.Timeout | undefined;
  private state: 'new' | 'connecting' | 'started' | 'closing' = 'new';
  /** Differences between actual and expected topic settings. */
  private differences: string[] = [];
  /** Time of the last failed probe, as a `performance.now()` value. */
  private lastFailedProbeAt = 0;
  private isProbing = false;
  /** True if the latest probe failed. */
  private isUnreachable = false;

  constructor(private readonly options: KafkaBusOptions) {
    super();
    const { kafka, clientId, logger } = options;
    const client = createKafkaClient(
      kafka,
      {
        clientId,
        requestTimeoutMs: REQUEST_TIMEOUT_MS,
        retry: { retries: 3, initialRetryTime: 50, maxRetryTime: 500 },
      },
      logger,
    );
    this.admin = client.admin();
    const { compression } = kafka;
    this.publishers = new Map(
      Object.values(TOPICS).map((topic) => [
        topic,
        new Publisher(() => this.createSender(client, topic), topic, {
          ...PUBLISHER_OPTIONS[topic],
          compression,
          ...options.publisher,
        }),
      ]),
    );
  }

  subscribe<T>(subscription: Subscription<T>): void {
    const { topic, group } = subscription;
    const isSame = ({ subscription: other }: HandlerQueue): boolean =>
      other.topic.name === topic.name && other.group === group;
    if (this.queues.some(isSame)) throw new Error(`group ${group} already has a handler for ${topic.name}`);
    const publish = (letters: readonly DeadLetter[]): Promise<void> => this.publish(DEAD_LETTERS, letters);
    this.queues.push(new HandlerQueue(subscription, { ...QUEUE_OPTIONS, publish }));
  }

  /**
   * Connects to Kafka and retries in the background, so services can start before Kafka. Services that can store
   * messages elsewhere also work without Kafka.
   */
  async start(): Promise<void> {
    this.state = 'connecting';
    backlogReaders.add(this.getBacklog);
    const connected = this.connectUntilSuccessful();
    // Configuration errors surface within this time and make the start fail.
    await Promise.race([connected, sleep(START_TIMEOUT_MS, undefined, { ref: false })]);
    connected.catch((error: Error) => this.options.onFatal(error));
  }

  async publishAll(publications: readonly Publication[]): Promise<void> {
    await this.send(publications.map(({ topic, values }) => [topic.name, values.map((value) => topic.encode(value))]));
  }

  publishEncoded(messages: readonly EncodedMessage[]): Promise<void> {
    return this.send([...Map.groupBy(messages, ({ topic }) => topic)]);
  }

  async close(): Promise<void> {
    this.state = 'closing';
    backlogReaders.delete(this.getBacklog);
    clearInterval(this.watchdogTimer);
    await Promise.all(this.consumers.map((consumer) => consumer.close()));
    const senders = this.senders.map(({ sender }) => sender);
    await Promise.allSettled([...senders, this.admin].map((connection) => connection.disconnect()));
  }

  getFault(): string | null {
    if (this.state === 'closing') return 'closing';
    if (this.state !== 'started') return 'Kafka is not connected yet';
    const faults = [
      ...this.publishers.values().map((publisher) => publisher.fault()),
      ...this.consumers.map((consumer) => consumer.fault()),
      this.isUnreachable && this.lastResponseAt < this.lastFailedProbeAt ? "Kafka isn't responding" : null,
    ];
    return faults.find((fault) => fault !== null) ?? null;
  }

  override getWarning(): string | null {
    return this.differences.length === 0 ? null : this.differences.join('; ');
  }

  override get isHandling(): boolean {
    return this.queues.some(({ bytes }) => bytes > 0);
  }

  private readonly getBacklog = () => [
    ...this.queues.map(getBacklog),
    ...this.publishers.entries().map(([topic, { bytes }]) => ({ topic, bytes })),
  ];

  private createSender(client: Kafka, topic: TopicName): IdempotentSender {
    const sender = new IdempotentSender(() =>
      client.producer({
        idempotent: true,
        createPartitioner: createPartitioner,
        allowAutoTopicCreation: false,
        metadataMaxAge: METADATA_MAX_AGE_MS,
        retry: SEND_RETRY,
      }),
    );
    this.senders.push({ topic, sender });
    return sender;
  }

  private async send(batches: readonly [topic: string, messages: readonly EncodedMessage[]][]): Promise<void> {
    if (this.state === 'new' || this.state === 'connecting') {
      throw new BusUnavailableError('Kafka is not connected yet');
    }
    await Promise.all(batches.map(([topic, messages]) => this.getPublisher(topic).publish(messages)));
  }

  private getPublisher(topic: string): Publisher {
    const publisher = this.publishers.get(topic);
    if (publisher === undefined) throw new Error(`topic ${topic} doesn't exist`);
    return publisher;
  }

  private async connectUntilSuccessful(): Promise<void> {
    const { logger, kafka, publishes = [] } = this.options;
    for (let attempt = 1; this.state === 'connecting'; attempt += 1) {
      try {
        await this.admin.connect();
        this.differences = await prepareTopics(this.admin, kafka.topics);
        const eagerSenders = this.senders.filter(({ topic }) => publishes.includes(topic));
        await Promise.all(eagerSenders.map(({ sender }) => sender.connect()));
        this.startConsumers();
        this.watchdogTimer = setInterval(() => void this.watch(), PROBE_INTERVAL_MS);
        this.state = 'started';
        logger.info({ brokers: kafka.brokers }, 'connected to Kafka');
        for (const difference of this.differences) logger.warn(difference);
      } catch (error) {
        if (error instanceof TopicSetupError || isAccessDenied(error)) throw error;
        if (attempt === 1) logger.warn({ err: error }, "can't connect to Kafka yet; retrying");
        await sleep(CONNECT_INTERVAL_MS);
      }
    }
  }

  private startConsumers(): void {
    const { logger, clientId, kafka, onFatal } = this.options;
    const client = createKafkaClient(
      kafka,
      {
        clientId,
        requestTimeoutMs: CONSUMER_REQUEST_TIMEOUT_MS,
        retry: { retries: 4, initialRetryTime: 200, maxRetryTime: 1_000 },
      },
      logger,
    );
    for (const [group, queues] of Map.groupBy(this.queues, ({ subscription }) => subscription.group)) {
      const consumer = new GroupConsumer(client, { group, queues, onFatal }, logger);
      this.consumers.push(consumer);
      consumer.start();
    }
  }

  private async watch(): Promise<void> {
    if (this.isProbing) return;
    this.isProbing = true;
    await this.probe();
    this.isProbing = false;
    if (!this.isUnreachable) this.exitIfStalled();
  }

  /** Detects outages while nothing is published or consumed. Waits for the response even after the timeout. */
  private async probe(): Promise<void> {
    const response = this.admin.describeCluster().then(
      () => true,
      () => false,
    );
    if (!(await isFulfilledWithin(response, PROBE_TIMEOUT_MS))) this.recordFailedProbe();
    if (await response) this.isUnreachable = false;
    else this.recordFailedProbe();
  }

  private recordFailedProbe(): void {
    this.isUnreachable = true;
    this.lastFailedProbeAt = performance.now();
  }

  private get lastResponseAt(): number {
    const acknowledged = [...this.publishers.values()].map(
      ({ lastAcknowledgedAt: lastAcknowledged }) => lastAcknowledged,
    );
    return Math.max(...acknowledged, ...this.consumers.map(({ lastActiveAt: lastActive }) => lastActive));
  }

  /**
   * Ends the process if a consumer has stalled while Kafka responds. kafkajs can stall after a disconnect, and only a
   * new process recovers.
   */
  private exitIfStalled(): void {
    const stalled = this.consumers.find((consumer) => consumer.fault() !== null);
    if (stalled === undefined) return;
    const stalledMs = performance.now() - Math.max(this.lastFailedProbeAt, stalled.lastActiveAt);
    if (stalledMs < 3 * SESSION_TIMEOUT_MS || this.state !== 'started') return;
    busMetrics.stalls.inc({ group: stalled.group });
    this.options.onFatal(new Error(`group ${stalled.group} has stalled although Kafka is responding`));
  }
}

/** Retrying is pointless if Kafka denied access. */
function isAccessDenied(error: unknown): boolean {
  const { name, type } = error as { name?: string; type?: string };
  return name === 'KafkaJSSASLAuthenticationError' || (type?.endsWith('AUTHORIZATION_FAILED') ?? false);
}
