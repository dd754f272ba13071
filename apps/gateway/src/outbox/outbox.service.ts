import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus, BusUnavailableError, DEAD_LETTERS, deadLetter, type EncodedMessage, type Publication } from '#libs/bus';
import { RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { Circuit, Health, LOGGER, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';
import { Counter, Gauge } from 'prom-client';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../gateway-settings.js';
import { MessagePublisher } from './message-publisher.js';
import { OutboxRepository, type OutboxState } from './outbox.repository.js';

/** Maximum duration of a publication, including the fallback. */
const DEADLINE_MS = 1_900;
/** Interval between checks of the outbox. It may also contain messages of other gateways that have ended. */
const LOOK_INTERVAL_MS = 2_000;
const FORWARD_BYTES = 2 * 1024 * 1024;
/** Maximum bytes of in-flight inserts, including those whose caller has timed out. */
const MAX_BYTES_UNDER_WAY = 64 * 1024 * 1024;

const metrics = {
  messages: new Gauge({ name: 'agent_traffic_outbox_messages', help: 'Messages in the outbox' }),
  bytes: new Gauge({ name: 'agent_traffic_outbox_bytes', help: 'Size of the outbox in bytes' }),
  age: new Gauge({ name: 'agent_traffic_outbox_age_seconds', help: 'Age of the oldest message' }),
  open: new Gauge({ name: 'agent_traffic_outbox_circuit_open', help: '1 while visits go to the outbox' }),
  stored: new Counter({ name: 'agent_traffic_outbox_stored_total', help: 'Messages put into the outbox' }),
  forwarded: new Counter({
    name: 'agent_traffic_outbox_forwarded_total',
    help: 'Messages sent from the outbox to Kafka',
  }),
  refused: new Counter({
    name: 'agent_traffic_outbox_refused_total',
    help: 'Messages rejected by Kafka and the outbox; clients got 503',
  }),
};

/**
 * Publishes to Kafka. Messages that Kafka doesn't acknowledge in time are stored in the database and forwarded later.
 */
@Injectable()
export class OutboxService extends MessagePublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly circuit = new Circuit();
  private state: OutboxState = { messages: 0, bytes: 0, age: 0 };
  private bytesUnderWay = 0;
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
    const deadline = performance.now() + DEADLINE_MS;
    if (this.circuit.admits()) {
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
    if (bytes > this.settings.OUTBOX_MAX_BYTES) return `full: ${Math.round(bytes / 2 ** 20)} MiB wait for Kafka`;
    return messages > 0 ? `${messages} messages wait for Kafka, the oldest for ${Math.round(age)} s` : null;
  }

  private open(error: Error): void {
    if (!this.circuit.isOpen) this.logger.warn({ err: error }, 'Kafka does not take visits: they go to the outbox');
    this.circuit.failed();
    metrics.open.set(1);
  }

  private close(): void {
    if (!this.circuit.isOpen) return;
    this.logger.info('Kafka takes visits again');
    this.circuit.succeeded();
    metrics.open.set(0);
    this.wake();
  }

  private async store(messages: readonly EncodedMessage[], deadline: number): Promise<void> {
    const bytes = messages.reduce((sum, { value }) => sum + value.length, 0);
    try {
      if (this.state.bytes + bytes > this.settings.OUTBOX_MAX_BYTES) throw new Error('the outbox is full');
      if (this.bytesUnderWay > 0 && this.bytesUnderWay + bytes > MAX_BYTES_UNDER_WAY) throw new Error('too much waits');
      this.bytesUnderWay += bytes;
      const stored = this.outbox.add(messages).finally(() => {
        this.bytesUnderWay -= bytes;
      });
      const milliseconds = Math.max(1, deadline - performance.now());
      await pTimeout(stored, { milliseconds, message: 'the database does not answer' });
      this.state.bytes += bytes;
      metrics.stored.inc(messages.length);
    } catch (error) {
      metrics.refused.inc(messages.length);
      throw new BusUnavailableError('neither Kafka nor the outbox takes the messages', { cause: error });
    }
  }

  private async relay(): Promise<void> {
    while (!this.closing) {
      for (const step of [() => this.forwardAll(), () => this.look()]) {
        await step().catch((error: Error) => {
          if (error instanceof BusUnavailableError) this.open(error);
          else this.logger.debug({ err: error }, 'the outbox cannot be read');
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
    this.logger.info({ messages: forwarded }, 'sent on from the outbox');
    await this.outbox.shrink();
  }

  /**
   * Forwards messages. A message too large for its topic would block all others behind it, so it's found by bisection
   * and published as a dead letter.
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
        await this.bus.publish(DEAD_LETTERS, [deadLetter(message, why)]);
        this.logger.warn(
          { err: error, project: projectId },
          'visits are too large for their topic and became a dead letter',
        );
      }
    }
  }

  private async look(): Promise<void> {
    this.state = await this.outbox.state();
    metrics.messages.set(this.state.messages);
    metrics.bytes.set(this.state.bytes);
    metrics.age.set(this.state.age);
  }

  private async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_INTERVAL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
