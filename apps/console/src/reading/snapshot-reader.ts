import { Injectable } from '@nestjs/common';
import { ProblemError, requestContext } from '#libs/platform';
import { ReadTimeoutError, type Snapshot, SnapshotsRepository } from '#libs/visit-store';
import { limited } from '../limited.js';
import { FairQueue } from './fair-queue.js';

/** How many of the `READING_CONNECTIONS` it uses; the others are for single visits, streams and exports. */
const MAX_CONCURRENT = 4;
/** How many of them one principal or project may use: the rest is for others. */
const SHARE = 3;
/** For what no request reads, such as reports. */
const SERVICE = { principal: 'service', project: '' };

interface ReadingOptions {
  /** For one statement, and for the wait before the first. */
  timeoutMs?: number;
  /** What the client is told when a statement takes longer. */
  timeoutDetail?: string;
}

/** Reads all of an answer from one snapshot of the visit store, so that its numbers agree. */
@Injectable()
export class SnapshotReader {
  private readonly queue = new FairQueue({ concurrency: MAX_CONCURRENT, share: SHARE });

  constructor(private readonly snapshots: SnapshotsRepository) {}

  /**
   * Runs the work with a snapshot. Work must not call this itself: it could wait for its own turn.
   *
   * @throws ProblemError 504 when its turn or a statement takes too long.
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
