import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { TOPICS, type TopicName } from '#libs/contracts';
import { isFulfilledWithin, type Logger } from '#libs/platform';
import { Bus, BusUnavailableError, type Subscription } from '../bus.js';
import { busesWaiting, busMetrics } from '../bus-metrics.js';
import { HandlerQueue, waitingIn } from '../handler-queue.js';
import type { DeadLetter } from '../dead-letter.js';
import type { EncodedMessage } from '../message.js';
import type { Publication } from '../topic.js';
import { DEAD_LETTERS } from '../topics/dead-letters.js';
import { GroupConsumer, SESSION_TIMEOUT_MS } from './group-consumer.js';
import { IdempotentSender } from './idempotent-sender.js';
import { kafkaClient } from './kafka-client.js';
import { partitioner } from './partitioner.js';
import type { KafkaOptions } from './kafka-options.js';
import { Publisher, type PublisherOptions } from './publisher.js';
import { prepareTopics, TopicsError } from './topics.js';

interface KafkaBusOptions {
  kafka: KafkaOptions;
  /** Client ID in the brokers' logs and quotas. */
  clientId: string;
  logger: Logger;
  /** Called when the process can't recover and must exit without committing. */
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
/** Long enough for a second broker to respond if the first one doesn't. */
const PROBE_TIMEOUT_MS = 4_000;
/** Retries each send for minutes. Even if brokers hang for that long, they append it only once. */
const SEND_RETRY = { retries: 40, initialRetryTime: 200, maxRetryTime: 5_000 };
/** Milliseconds between metadata updates. kafkajs doesn't look for a new leader when a broker stops responding. */
const METADATA_MAX_AGE_MS = 10_000;
/**
 * Received batches have no order, so their sends can run concurrently. A client's visits keep their order only if sends
 * are sequential.
 */
const PUBLISHING: Record<TopicName, PublisherOptions> = {
  [TOPICS.visitsReceived]: { sendsAtOnce: 3, isSpread: true },
  // Longer than all retries of a send, so messages are published again only if it has failed.
  [TOPICS.visitsEnriched]: { timeoutMs: 600_000 },
  [TOPICS.visitsDeadLetter]: {},
  // No client waits for these, and a message can be as large as the topic allows.
  [TOPICS.visitsChanged]: { timeoutMs: 30_000 },
  [TOPICS.audit]: { timeoutMs: 30_000 },
};
const QUEUE_OPTIONS = {
  maxBatchMessages: 2_000,
  maxBatchBytes: 4 * 1024 * 1024,
  concurrency: 2,
  maxGatheringMs: 10,
  // Messages of a fetch arrive in one event-loop tick, so waiting would bring no others.
  waitsForNext: false,
};

/** Bus on Apache Kafka. Messages are safe when all in-sync replicas have acknowledged them. */
export class KafkaBus extends Bus {
  private readonly queues: HandlerQueue[] = [];
  private readonly consumers: GroupConsumer[] = [];
  private readonly senders: { topic: TopicName; sender: IdempotentSender }[] = [];
  private readonly admin: Admin;
  private readonly publishers: ReadonlyMap<string, Publisher>;
  private watchdog: NodeJS.Timeout | undefined;
  private state: 'new' | 'connecting' | 'started' | 'closing' = 'new';
  /** Differences between actual and expected topic settings. */
  private differences: string[] = [];
  /** Time of the last failed probe, on the `performance.now()` clock. */
  private lastAway = 0;
  private isProbing = false;
  /** Whether the latest probe failed. */
  private isAway = false;

  constructor(private readonly options: KafkaBusOptions) {
    super();
    const { kafka, clientId, logger } = options;
    const client = kafkaClient(
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
        new Publisher(() => this.newSender(client, topic), topic, {
          ...PUBLISHING[topic],
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
    if (this.queues.some(isSame)) throw new Error(`group ${group} has two handlers for ${topic.name}`);
    const publish = (letters: readonly DeadLetter[]): Promise<void> => this.publish(DEAD_LETTERS, letters);
    this.queues.push(new HandlerQueue(subscription, { ...QUEUE_OPTIONS, publish }));
  }

  /**
   * Connects to Kafka and keeps trying in the background. Services can start before Kafka. If they can store messages
   * elsewhere, they also work without it.
   */
  async start(): Promise<void> {
    this.state = 'connecting';
    busesWaiting.add(this.waiting);
    const connected = this.connectForEver();
    // Configuration errors surface within this time and fail the start.
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
    busesWaiting.delete(this.waiting);
    clearInterval(this.watchdog);
    await Promise.all(this.consumers.map((consumer) => consumer.close()));
    const senders = this.senders.map(({ sender }) => sender);
    await Promise.allSettled([...senders, this.admin].map((each) => each.disconnect()));
  }

  fault(): string | null {
    if (this.state === 'closing') return 'closing';
    if (this.state !== 'started') return 'Kafka is not connected yet';
    const faults = [
      ...this.publishers.values().map((publisher) => publisher.fault()),
      ...this.consumers.map((consumer) => consumer.fault()),
      this.isAway && this.lastHeard < this.lastAway ? 'Kafka does not respond' : null,
    ];
    return faults.find((fault) => fault !== null) ?? null;
  }

  override warning(): string | null {
    return this.differences.length === 0 ? null : this.differences.join('; ');
  }

  override get isHandling(): boolean {
    return this.queues.some(({ bytes }) => bytes > 0);
  }

  private readonly waiting = () => [
    ...this.queues.map(waitingIn),
    ...this.publishers.entries().map(([topic, { bytes }]) => ({ topic, bytes })),
  ];

  private newSender(client: Kafka, topic: TopicName): IdempotentSender {
    const sender = new IdempotentSender(() =>
      client.producer({
        idempotent: true,
        createPartitioner: partitioner,
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
    await Promise.all(batches.map(([topic, messages]) => this.publisherOf(topic).publish(messages)));
  }

  private publisherOf(topic: string): Publisher {
    const publisher = this.publishers.get(topic);
    if (publisher === undefined) throw new Error(`there is no topic ${topic}`);
    return publisher;
  }

  private async connectForEver(): Promise<void> {
    const { logger, kafka, publishes = [] } = this.options;
    for (let attempt = 1; this.state === 'connecting'; attempt += 1) {
      try {
        await this.admin.connect();
        this.differences = await prepareTopics(this.admin, kafka.topics);
        const first = this.senders.filter(({ topic }) => publishes.includes(topic));
        await Promise.all(first.map(({ sender }) => sender.connect()));
        this.consume();
        this.watchdog = setInterval(() => void this.watch(), PROBE_INTERVAL_MS);
        this.state = 'started';
        logger.info({ brokers: kafka.brokers }, 'connected to Kafka');
        for (const difference of this.differences) logger.warn(difference);
      } catch (error) {
        if (error instanceof TopicsError || isRefusal(error)) throw error;
        if (attempt === 1) logger.warn({ err: error }, 'Kafka does not answer yet; trying again');
        await sleep(CONNECT_INTERVAL_MS);
      }
    }
  }

  private consume(): void {
    const { logger, clientId, kafka, onFatal } = this.options;
    const client = kafkaClient(
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
    if (!this.isAway) this.endIfStalled();
  }

  /** Detects outages while nothing is published or consumed. Waits for the response even after the timeout. */
  private async probe(): Promise<void> {
    const response = this.admin.describeCluster().then(
      () => true,
      () => false,
    );
    if (!(await isFulfilledWithin(response, PROBE_TIMEOUT_MS))) this.noteAway();
    if (await response) this.isAway = false;
    else this.noteAway();
  }

  private noteAway(): void {
    this.isAway = true;
    this.lastAway = performance.now();
  }

  private get lastHeard(): number {
    const acknowledged = [...this.publishers.values()].map(({ lastAcknowledged }) => lastAcknowledged);
    return Math.max(...acknowledged, ...this.consumers.map(({ lastActive }) => lastActive));
  }

  /**
   * Ends the process if a consumer has stalled although Kafka responds. kafkajs can stall after a disconnect, and only
   * a new process recovers.
   */
  private endIfStalled(): void {
    const stalled = this.consumers.find((consumer) => consumer.fault() !== null);
    if (stalled === undefined) return;
    const since = performance.now() - Math.max(this.lastAway, stalled.lastActive);
    if (since < 3 * SESSION_TIMEOUT_MS || this.state !== 'started') return;
    busMetrics.stalls.inc({ group: stalled.group });
    this.options.onFatal(new Error(`group ${stalled.group} stands still, though Kafka answers`));
  }
}

/** Whether Kafka denied access, so retrying is pointless. */
function isRefusal(error: unknown): boolean {
  const { name, type } = error as { name?: string; type?: string };
  return name === 'KafkaJSSASLAuthenticationError' || (type?.endsWith('AUTHORIZATION_FAILED') ?? false);
}
