import { Inject, Injectable } from '@nestjs/common';
import { sqlState } from '#libs/database';
import { ProblemError } from '#libs/platform';
import { DataSource } from 'typeorm';

const QUERY_CANCELED = '57014';

/** Runs a statement with its parameters. */
export type Query = <Row>(text: string, parameters: unknown[]) => Promise<Row[]>;

export interface ReadingOptions {
  /** Milliseconds for one statement. */
  deadline?: number;
  /** Said when it is over. */
  advice?: string;
}

/** Where charts are read: all of one answer at the same moment, so that its numbers fit together. */
@Injectable()
export class ReadingRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** @throws ProblemError 504 when a statement takes too long. */
  async read<T>(
    work: (query: Query) => Promise<T>,
    { deadline = 10_000, advice = 'This takes too long to count; ask for a shorter range.' }: ReadingOptions = {},
  ): Promise<T> {
    try {
      return await this.dataSource.transaction('REPEATABLE READ', async (transaction) => {
        // Compiling such a statement takes longer than running it.
        await transaction.query(`SELECT set_config('statement_timeout', $1, true), set_config('jit', 'off', true)`, [
          String(deadline),
        ]);
        return work((text, parameters) => transaction.query(text, parameters));
      });
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELED) throw error;
      throw new ProblemError('deadline-exceeded', advice, { cause: error });
    }
  }
}
