import { Inject, Injectable } from '@nestjs/common';
import { READING_DATA_SOURCE, sqlState } from '#libs/database';
import { ProblemError } from '#libs/platform';
import type { DataSource } from 'typeorm';
import { Turns } from '../turns.js';

const QUERY_CANCELED = '57014';
/** Of the {@link READING_CONNECTIONS}: the others are for the timeline, streams and exports. */
const MAX_AT_ONCE = 4;

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
export class SnapshotReader {
  private readonly turns = new Turns(MAX_AT_ONCE);

  constructor(@Inject(READING_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Takes its turn: not within another one's work. @throws ProblemError 504 when its turn or a statement takes too long. */
  read<T>(
    work: (query: Query) => Promise<T>,
    { deadline = 10_000, advice = 'Counting this takes too long. Choose a shorter range.' }: ReadingOptions = {},
  ): Promise<T> {
    const late = () =>
      new ProblemError('deadline-exceeded', 'Too many requests are reading at the same time. Try again in a moment.');
    return this.turns.take(() => this.readNow(work, deadline, advice), deadline, late);
  }

  private async readNow<T>(work: (query: Query) => Promise<T>, deadline: number, advice: string): Promise<T> {
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
