import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { KEPT_UNREADABLE_LINES, type Drain, type DrainReceipt } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { DrainStatusRepository, type DrainStatus } from './drain-status.repository.js';

/** Milliseconds between two writes. */
const WRITE_INTERVAL_MS = 1_000;

export type UnreadableLine = Drain['unreadable_lines'][number];

/**
 * Collects what became of batches, for people who connect a source, and writes it a second later: one row for each source
 * of a project, whatever arrives. Nothing waits for it; while PostgreSQL is away it is lost.
 */
@Injectable()
export class DrainStatusService implements BeforeApplicationShutdown {
  private waiting = new Map<string, DrainStatus>();
  private readonly timer: NodeJS.Timeout;
  private isWriting = false;

  constructor(
    private readonly repository: DrainStatusRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS);
    this.timer.unref();
  }

  /** @param unreadable in the order of the body. */
  add(projectId: string, source: string, receipt: DrainReceipt, unreadable: readonly UnreadableLine[]): void {
    const key = `${projectId} ${source}`;
    const known = this.waiting.get(key);
    const last = { ...receipt, is_test: receipt.lines === 0 };
    const totals = { batches: 1, ...receipt };
    if (known !== undefined) {
      for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += known.totals[name];
    }
    const lines = [...unreadable.toReversed(), ...(known?.unreadable ?? [])];
    this.waiting.set(key, {
      projectId,
      source,
      at: new Date().toISOString(),
      last,
      totals,
      unreadable: lines.slice(0, KEPT_UNREADABLE_LINES),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private async write(): Promise<void> {
    if (this.isWriting || this.waiting.size === 0) return;
    const statuses = [...this.waiting.values()];
    this.waiting = new Map();
    this.isWriting = true;
    try {
      await this.repository.save(statuses);
    } catch (error) {
      this.logger.debug({ err: error }, 'what became of drains is not listed');
    } finally {
      this.isWriting = false;
    }
  }
}
