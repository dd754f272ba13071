import type { Logger } from './logger.js';
import { PeriodicService } from './periodic-service.js';

const INTERVAL_MS = 1_000;

/**
 * Buffers values and writes them once a second and before the process ends. Callers never wait. If a write fails, its
 * values are lost.
 */
export abstract class BufferedWriter<V> extends PeriodicService {
  /** Values for the next write, by key. */
  protected waiting = new Map<string, V>();

  /** @param loss Log message for a failed write. */
  constructor(
    logger: Logger,
    private readonly loss: string,
    intervalMs = INTERVAL_MS,
  ) {
    super(logger, intervalMs, loss);
  }

  protected abstract write(values: ReadonlyMap<string, V>): Promise<void>;

  /** Called with the values of a failed write. */
  protected lost(_values: ReadonlyMap<string, V>): void {}

  protected async round(): Promise<void> {
    if (this.waiting.size === 0) return;
    const values = this.waiting;
    this.waiting = new Map();
    try {
      await this.write(values);
    } catch (error) {
      this.lost(values);
      this.logger.debug({ err: error }, this.loss);
    }
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.round();
  }
}
