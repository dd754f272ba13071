import { Inject, Injectable } from '@nestjs/common';
import { READING_DATA_SOURCE, sqlState } from '#libs/database';
import { ProblemError } from '#libs/platform';
import type { DataSource } from 'typeorm';
import type { PoolClient } from 'pg';
import pLimit from 'p-limit';
import { limited } from '../limited.js';

const QUERY_CANCELED = '57014';
/** How many of the {@link READING_CONNECTIONS} it uses; the others are for single visits, streams and exports. */
const MAX_CONCURRENT = 4;

/**
 * Runs a statement with its parameters.
 *
 * @param name of a statement that takes about as long to plan as to run: PostgreSQL then plans it once for each connection. Unique
 *   to its text.
 */
export type Query = <Row>(text: string, parameters: unknown[], name?: string) => Promise<Row[]>;

export interface ReadingOptions {
  /** For one statement, and for the wait before the first. */
  timeoutMs?: number;
  /** What the client is told when a statement takes longer. */
  timeoutDetail?: string;
}

/** Reads all of an answer from one snapshot of the database, so that its numbers agree. */
@Injectable()
export class SnapshotReader {
  private readonly limit = pLimit(MAX_CONCURRENT);

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
    return limited(this.limit, { timeoutMs, timeoutError }, () => this.readNow(work, timeoutMs, timeoutDetail));
  }

  private async readNow<T>(work: (query: Query) => Promise<T>, timeoutMs: number, timeoutDetail: string): Promise<T> {
    try {
      return await this.dataSource.transaction('REPEATABLE READ', async (transaction) => {
        // Compiling such a statement takes longer than running it.
        await transaction.query(`SELECT set_config('statement_timeout', $1, true), set_config('jit', 'off', true)`, [
          String(timeoutMs),
        ]);
        const client = (await transaction.queryRunner!.connect()) as PoolClient;
        return work(async (text, parameters, name) => {
          if (name === undefined) return transaction.query(text, parameters);
          // TypeORM has no prepared statements.
          return (await client.query({ name, text, values: parameters })).rows;
        });
      });
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELED) throw error;
      throw new ProblemError('deadline-exceeded', timeoutDetail, { cause: error });
    }
  }
}
