import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  Bus,
  BusUnavailableError,
  DEAD_LETTERS,
  createDeadLetter,
  type EncodedMessage,
  type Publication,
} from '#libs/bus';
import { RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { CircuitBreaker, Health, LOGGER, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';
import { Counter, Gauge } from 'prom-client';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../gateway-settings.js';
import { MessagePublisher } from './message-publisher.js';
import { OutboxRepository, type OutboxState } from './outbox.repository.js';

/** Maximum time to publish messages, including the fallback to the outbox. */
const PUBLISH_TIMEOUT_MS = 1_900;
/** Interval between outbox checks. The outbox can contain messages from gateways that have since stopped. */
const POLL_INTERVAL_MS = 2_000;
const FORWARD_BYTES = 2 * 1024 * 1024;
/**
 * Maximum total size of in-flight inserts. Includes inserts that the caller is no longer waiting for because of a
 * timeout.
 */
const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024;

const metrics = {
  messages: new Gauge({ name: 'agent_traffic_outbox_messages', help: 'Messages in the outbox' }),
  bytes: new Gauge({ name: 'agent_traffic_outbox_bytes', help: 'Size of the outbox in bytes' }),
  age: new Gauge({ name: 'agent_traffic_outbox_age_seconds', help: 'Age of the oldest message in the outbox' }),
  open: new Gauge({
    name: 'agent_traffic_outbox_circuit_open',
    help: '1 while Kafka is unavailable and messages go to the outbox, 0 otherwise',
  }),
  stored: new Counter({ name: 'agent_traffic_outbox_stored_total', help: 'Messages stored in the outbox' }),
  forwarded: new Counter({
    name: 'agent_traffic_outbox_forwarded_total',
    help: 'Messages forwarded from the outbox to Kafka',
  }),
  refused: new Counter({
    name: 'agent_traffic_outbox_refused_total',
    help: 'Messages that neither Kafka nor the outbox accepted; clients received a 503 response',
  }),
};

/** Publishes messages to Kafka. If Kafka is unavailable, stores them in the database and forwards them later. */
@Injectable()
export class OutboxService extends MessagePublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly circuit = new CircuitBreaker();
  private state: OutboxState = { messages: 0, bytes: 0, age: 0 };
  private inFlightBytes = 0;
  private wake: () => void = () => undefined;
  private closing = false;
  private relaying: Promise<void> | null = null;

  constructor(
    private readonly bus: Bus,
    private readonly outbox: OutboxRepository,
    @Inject(GATEWAY_SETTINGS) private readonly settings: Pick<GatewaySettings, 'OUTBOX_MAX_BYTES'>,
    private readonly health: Health,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  override async publishAll(publications: readonly Publication[]): Promise<void> {
    const messages = publications.flatMap(({ topic, values }) => values.map((value) => topic.encode(value)));
    const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
    if (this.circuit.tryAcquire()) {
      try {
        await this.bus.publishEncoded(messages);
        this.close();
        return;
      } catch (error) {
        if (!(error instanceof BusUnavailableError)) throw error;
        if (error.reason !== 'too_large') this.open(error);
      }
    }
    await this.store(messages, deadline);
  }

  onApplicationBootstrap(): void {
    this.health.register('outbox', () => this.fault(), { critical: false });
    this.relaying = this.relay();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    this.wake();
    await this.relaying;
  }

  private fault(): string | null {
    const { messages, bytes, age } = this.state;
    if (bytes > this.settings.OUTBOX_MAX_BYTES) return `full: ${Math.round(bytes / 2 ** 20)} MiB waiting for Kafka`;
    return messages > 0 ? `${messages} messages waiting for Kafka, the oldest for ${Math.round(age)} s` : null;
  }

  private open(error: Error): void {
    if (!this.circuit.isOpen) this.logger.warn({ err: error }, 'Kafka is unavailable: storing visits in the outbox');
    this.circuit.recordFailure();
    metrics.open.set(1);
  }

  private close(): void {
    if (!this.circuit.isOpen) return;
    this.logger.info('Kafka is available again');
    this.circuit.recordSuccess();
    metrics.open.set(0);
    this.wake();
  }

  private async store(messages: readonly EncodedMessage[], deadline: number): Promise<void> {
    const bytes = messages.reduce((sum, { value }) => sum + value.length, 0);
    try {
      if (this.state.bytes + bytes > this.settings.OUTBOX_MAX_BYTES) throw new Error('the outbox is full');
      if (this.inFlightBytes > 0 && this.inFlightBytes + bytes > MAX_IN_FLIGHT_BYTES)
        throw new Error('too many bytes are being stored');
      this.inFlightBytes += bytes;
      const stored = this.outbox.add(messages).finally(() => {
        this.inFlightBytes -= bytes;
      });
      const milliseconds = Math.max(1, deadline - performance.now());
      await pTimeout(stored, { milliseconds, message: 'the database did not respond in time' });
      this.state.bytes += bytes;
      metrics.stored.inc(messages.length);
    } catch (error) {
      metrics.refused.inc(messages.length);
      throw new BusUnavailableError('neither Kafka nor the outbox accepted the messages', { cause: error });
    }
  }

  private async relay(): Promise<void> {
    while (!this.closing) {
      for (const step of [() => this.forwardAll(), () => this.poll()]) {
        await step().catch((error: Error) => {
          if (error instanceof BusUnavailableError) this.open(error);
          else this.logger.debug({ err: error }, 'could not read the outbox');
        });
      }
      if (!this.closing) await this.pause();
    }
  }

  private async forwardAll(): Promise<void> {
    let forwarded = 0;
    for (let count = 1; count > 0 && !this.closing;) {
      count = await this.outbox.forward(FORWARD_BYTES, (messages) => this.send(messages));
      if (count > 0) this.close();
      metrics.forwarded.inc(count);
      forwarded += count;
    }
    if (forwarded === 0) return;
    this.logger.info({ messages: forwarded }, 'forwarded messages from the outbox to Kafka');
    await this.outbox.shrink();
  }

  /**
   * Sends messages to Kafka. A message that is too large for its topic would block all later ones, so it's located by
   * bisection and published as a dead letter.
   */
  private async send(messages: readonly EncodedMessage[]): Promise<void> {
    try {
      await this.bus.publishEncoded(messages);
    } catch (error) {
      const [message] = messages;
      if (!(error instanceof BusUnavailableError && error.reason === 'too_large')) throw error;
      if (messages.length > 1) {
        const middle = messages.length >> 1;
        await this.send(messages.slice(0, middle));
        await this.send(messages.slice(middle));
      } else if (message === undefined || message.topic === TOPICS.visitsDeadLetter) {
        throw error;
      } else {
        const projectId = message.headers[RECEIVED_HEADERS.projectId] ?? null;
        const why = { reason: 'too_large', detail: error.message, step: 'gateway:outbox', projectId } as const;
        await this.bus.publish(DEAD_LETTERS, [createDeadLetter(message, why)]);
        this.logger.warn({ err: error, project: projectId }, 'dead-lettered visits that are too large for their topic');
      }
    }
  }

  private async poll(): Promise<void> {
    this.state = await this.outbox.state();
    metrics.messages.set(this.state.messages);
    metrics.bytes.set(this.state.bytes);
    metrics.age.set(this.state.age);
  }

  private async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
