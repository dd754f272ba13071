import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { READING_DATA_SOURCE } from '#libs/database';
import { ProblemError, requestContext, sqlState } from '#libs/platform';
import type { Query } from '#libs/visit-store';
import type { DataSource } from 'typeorm';
import type { PoolClient } from 'pg';
import { limited } from '../limited.js';
import { FairQueue } from './fair-queue.js';

export type { Query } from '#libs/visit-store';

const QUERY_CANCELED = '57014';
/** How many of the {@link READING_CONNECTIONS} it uses; the others are for single visits, streams and exports. */
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

/** Reads all of an answer from one snapshot of the database, so that its numbers agree. */
@Injectable()
export class SnapshotReader {
  private readonly queue = new FairQueue({ concurrency: MAX_CONCURRENT, share: SHARE });

  constructor(@Inject(READING_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * Runs the work in a transaction. Work must not call this itself: it could wait for its own turn.
   *
   * @throws ProblemError 504 when its turn or a statement takes too long.
   */
  read<T>(
    work: (query: Query) => Promise<T>,
    {
      timeoutMs = 10_000,
      timeoutDetail = 'Counting this takes too long. Choose a shorter range.',
    }: ReadingOptions = {},
  ): Promise<T> {
    const timeoutError = () =>
      new ProblemError('deadline-exceeded', 'Too many requests are reading at the same time. Try again in a moment.');
    const reader = requestContext.get()?.reader ?? SERVICE;
    const limit = (read: () => Promise<void>) => this.queue.run(reader, read);
    return limited(limit, { timeoutMs, timeoutError }, () => this.readNow(work, timeoutMs, timeoutDetail));
  }

  private async readNow<T>(work: (query: Query) => Promise<T>, timeoutMs: number, timeoutDetail: string): Promise<T> {
    try {
      return await this.dataSource.transaction('REPEATABLE READ', async (transaction) => {
        let settings = '';
        const set = async (planMode: 'auto' | 'force_generic_plan'): Promise<void> => {
          if (settings === planMode) return;
          settings = planMode;
          await transaction.query(
            // Compiling such a statement takes longer than running it.
            `SELECT set_config('statement_timeout', $1, true), set_config('jit', 'off', true), set_config('plan_cache_mode', $2, true)`,
            [String(timeoutMs), planMode],
          );
        };
        const client = (await transaction.queryRunner!.connect()) as PoolClient;
        const run: Query = async (text, parameters, planned) => {
          await set(planned === undefined ? 'auto' : 'force_generic_plan');
          if (planned === undefined) return transaction.query(text, parameters);
          // TypeORM has no prepared statements.
          return (await client.query({ name: hash('sha1', text), text, values: parameters })).rows;
        };
        // One after the other, so that none runs with the settings of another.
        let last: Promise<unknown> = Promise.resolve();
        return work(<Row>(...statement: Parameters<Query>): Promise<Row[]> => {
          const rows = last.then(() => run<Row>(...statement));
          last = rows;
          return rows;
        });
      });
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELED) throw error;
      throw new ProblemError('deadline-exceeded', timeoutDetail, { cause: error });
    }
  }
}
