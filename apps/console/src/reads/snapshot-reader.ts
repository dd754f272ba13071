import { Injectable } from '@nestjs/common';
import { ProblemError, requestContext } from '#libs/platform';
import { ReadTimeoutError, type Snapshot, SnapshotsRepository } from '#libs/visit-store';
import { runLimited } from '../run-limited.js';
import { FairQueue } from './fair-queue.js';

/**
 * Maximum number of concurrent reads, each of which uses one connection from the read pool. The other connections are
 * reserved for single visits, streams and exports.
 */
const MAX_CONCURRENT_READS = 4;
/** Maximum number of concurrent reads per principal and per project. */
const MAX_CONCURRENT_PER_READER = 3;
/** Reader for work outside of a request, such as weekly reports. */
const BACKGROUND_READER = { principal: 'service', project: '' };

interface ReadOptions {
  /** Timeout for each statement, and for the wait in the queue. Default: 10,000. */
  timeoutMs?: number;
  /** Whether the snapshot must include all committed visits. If false, it can be some seconds old. Default: false. */
  isLatest?: boolean;
  /** Problem detail of the error thrown when a statement times out. */
  timeoutDetail?: string;
}

/** Reads all data for a response from one snapshot of the visit store, so its numbers are consistent. */
@Injectable()
export class SnapshotReader {
  private readonly queue = new FairQueue({ concurrency: MAX_CONCURRENT_READS, share: MAX_CONCURRENT_PER_READER });

  constructor(private readonly snapshots: SnapshotsRepository) {}

  /**
   * Runs `work` with a snapshot. `work` must not call this method, because it could wait for its own slot.
   *
   * @throws {ProblemError} 504 if a statement, or the wait for a slot, takes too long.
   */
  read<T>(
    work: (snapshot: Snapshot) => Promise<T>,
    {
      timeoutMs = 10_000,
      isLatest = false,
      timeoutDetail = 'Counting the visits took too long. Choose a shorter range.',
    }: ReadOptions = {},
  ): Promise<T> {
    const timeoutError = () =>
      new ProblemError('deadline-exceeded', 'The server is busy with other reads. Try again in a moment.');
    const reader = requestContext.get()?.reader ?? BACKGROUND_READER;
    const limit = (read: () => Promise<void>) => this.queue.run(reader, read);
    return runLimited(limit, { timeoutMs, timeoutError }, async () => {
      try {
        return await this.snapshots.read({ timeoutMs, isLatest }, work);
      } catch (error) {
        if (!(error instanceof ReadTimeoutError)) throw error;
        throw new ProblemError('deadline-exceeded', timeoutDetail, { cause: error });
      }
    });
  }
}
