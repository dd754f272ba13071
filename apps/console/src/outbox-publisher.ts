import { PeriodicService, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';

const POLL_INTERVAL_MS = 1_000;

interface Outbox<T> {
  /** Sends and deletes the oldest items. Returns the number sent. */
  publishOldest(send: (item: T) => Promise<void>): Promise<number>;
}

export abstract class OutboxPublisher<T> extends PeriodicService {
  constructor(
    private readonly items: Outbox<T>,
    logger: Logger,
    failure: string,
  ) {
    super(logger, POLL_INTERVAL_MS, failure);
  }

  protected abstract publish(item: T): Promise<void>;

  protected async runRound(): Promise<void> {
    // Don't wait for Kafka during shutdown. Unacknowledged items are published again later.
    const send = (item: T) => pTimeout(this.publish(item), { milliseconds: Infinity, signal: this.shutdownSignal });
    try {
      while (!this.shutdownSignal.aborted && (await this.items.publishOldest(send)) > 0) continue;
    } catch (error) {
      if (!this.shutdownSignal.aborted) throw error;
    }
  }
}
