import type { Logger } from './logger.js';
import { PeriodicService } from './periodic-service.js';

const WRITE_INTERVAL_MS = 1_000;

/**
 * Buffers values and writes them once a second and before shutdown. Callers never wait. If a write fails, its values
 * are lost.
 */
export abstract class BufferedWriter<V> extends PeriodicService {
  protected buffered = new Map<string, V>();

  constructor(
    logger: Logger,
    private readonly lossMessage: string,
    intervalMs = WRITE_INTERVAL_MS,
  ) {
    super(logger, intervalMs, lossMessage);
  }

  protected abstract write(values: ReadonlyMap<string, V>): Promise<void>;

  /** Called with the values of a failed write. */
  protected onLoss(_values: ReadonlyMap<string, V>): void {}

  protected async runRound(): Promise<void> {
    if (this.buffered.size === 0) return;
    const values = this.buffered;
    this.buffered = new Map();
    try {
      await this.write(values);
    } catch (error) {
      this.onLoss(values);
      this.logger.debug({ err: error }, this.lossMessage);
    }
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.runRound();
  }
}
