import { Inject, Injectable } from '@nestjs/common';
import { MAX_UNREADABLE_LINES, type Drain, type DrainReceipt } from '#libs/contracts';
import { BufferedWriter, LOGGER, type Logger } from '#libs/platform';
import { DrainStatusRepository, type DrainStatus } from './drain-status.repository.js';

export type UnreadableLine = Drain['unreadable_lines'][number];

/**
 * Records the results of log batches, which help users set up a source. Combines all results for a project and source
 * into a single write.
 */
@Injectable()
export class DrainStatusService extends BufferedWriter<DrainStatus> {
  constructor(
    private readonly repository: DrainStatusRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, 'could not save the status of drains');
  }

  /** @param unreadable Unreadable lines in body order. */
  add(projectId: string, source: string, receipt: DrainReceipt, unreadable: readonly UnreadableLine[]): void {
    const key = `${projectId} ${source}`;
    const pending = this.buffered.get(key);
    const last = { ...receipt, is_test: receipt.lines === 0 };
    const totals = { batches: 1, ...receipt };
    if (pending !== undefined) {
      for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += pending.totals[name];
    }
    const lines = [...unreadable.toReversed(), ...(pending?.unreadable ?? [])];
    this.buffered.set(key, {
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
