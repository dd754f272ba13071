import { Inject, Injectable } from '@nestjs/common';
import { MAX_UNREADABLE_LINES, type Drain, type DrainReceipt } from '#libs/contracts';
import { BufferedWriter, LOGGER, type Logger } from '#libs/platform';
import { DrainStatusRepository, type DrainStatus } from './drain-status.repository.js';

export type UnreadableLine = Drain['unreadable_lines'][number];

/**
 * Records the outcome of batches, to help people connect a source. Writes at most one row per project and source at a
 * time.
 */
@Injectable()
export class DrainStatusService extends BufferedWriter<DrainStatus> {
  constructor(
    private readonly repository: DrainStatusRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, 'what became of drains is not listed');
  }

  /** @param unreadable In the order of the body. */
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
      unreadable: lines.slice(0, MAX_UNREADABLE_LINES),
    });
  }

  protected write(statuses: ReadonlyMap<string, DrainStatus>): Promise<void> {
    return this.repository.save([...statuses.values()]);
  }
}
