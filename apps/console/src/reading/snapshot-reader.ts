import { Injectable } from '@nestjs/common';
import { ProblemError, requestContext } from '#libs/platform';
import { ReadTimeoutError, type Snapshot, SnapshotsRepository } from '#libs/visit-store';
import { limited } from '../limited.js';
import { FairQueue } from './fair-queue.js';

/**
 * Maximum number of reads at a time, each on one of the `READING_CONNECTIONS`. The others serve single visits, streams
 * and exports.
 */
const MAX_CONCURRENT = 4;
/** Maximum number of concurrent reads per principal and per project. */
const SHARE = 3;
/** Reader for work without a request, such as weekly reports. */
const SERVICE = { principal: 'service', project: '' };

interface ReadingOptions {
  /** Limit for each statement, and for the wait in the queue. */
  timeoutMs?: number;
  /** Error detail if a statement takes longer. */
  timeoutDetail?: string;
}

/** Reads everything for a response from one snapshot of the visit store, so its numbers are consistent. */
@Injectable()
export class SnapshotReader {
  private readonly queue = new FairQueue({ concurrency: MAX_CONCURRENT, share: SHARE });

  constructor(private readonly snapshots: SnapshotsRepository) {}

  /**
   * Runs work with a snapshot. The work must not call this method: it could wait for its own slot.
   *
   * @throws {ProblemError} 504 if the wait or a statement takes too long.
   */
  read<T>(
    work: (snapshot: Snapshot) => Promise<T>,
    {
      timeoutMs = 10_000,
      timeoutDetail = 'Counting this takes too long. Choose a shorter range.',
    }: ReadingOptions = {},
  ): Promise<T> {
    const timeoutError = () =>
      new ProblemError('deadline-exceeded', 'Too many requests are reading at the same time. Try again in a moment.');
    const reader = requestContext.get()?.reader ?? SERVICE;
    const limit = (read: () => Promise<void>) => this.queue.run(reader, read);
    return limited(limit, { timeoutMs, timeoutError }, async () => {
      try {
        return await this.snapshots.read(timeoutMs, work);
      } catch (error) {
        if (!(error instanceof ReadTimeoutError)) throw error;
        throw new ProblemError('deadline-exceeded', timeoutDetail, { cause: error });
      }
    });
  }
}
