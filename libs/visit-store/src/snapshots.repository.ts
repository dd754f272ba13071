import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { READING_DATA_SOURCE } from '#libs/database';
import { sqlState } from '#libs/platform';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { snapshotOf, type RunStatement, type Snapshot } from './snapshot.js';

const QUERY_CANCELED = '57014';

export class ReadTimeoutError extends Error {}

@Injectable()
export class SnapshotsRepository {
  constructor(@Inject(READING_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a snapshot, which ends with it. Reads run one at a time.
   *
   * @param timeoutMs limit for each read.
   * @throws ReadTimeoutError if a read takes longer.
   */
  async read<T>(timeoutMs: number, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    try {
      return await this.dataSource.transaction('REPEATABLE READ', async (transaction) =>
        work(snapshotOf(await statementsIn(transaction, timeoutMs))),
      );
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELED) throw error;
      throw new ReadTimeoutError(`A read took longer than ${timeoutMs} ms`, { cause: error });
    }
  }
}

async function statementsIn(transaction: EntityManager, timeoutMs: number): Promise<RunStatement> {
  const client = (await transaction.queryRunner!.connect()) as PoolClient;
  let current = '';
  const set = async (planMode: 'auto' | 'force_generic_plan'): Promise<void> => {
    if (current === planMode) return;
    current = planMode;
    await transaction.query(
      // Compiling these statements takes longer than running them.
      `SELECT set_config('statement_timeout', $1, true), set_config('jit', 'off', true), set_config('plan_cache_mode', $2, true)`,
      [String(timeoutMs), planMode],
    );
  };
  const run: RunStatement = async (text, parameters, plan) => {
    await set(plan === 'generic' ? 'force_generic_plan' : 'auto');
    if (plan === 'auto') return transaction.query(text, parameters);
    // TypeORM doesn't support prepared statements.
    return (await client.query({ name: hash('sha1', text), text, values: parameters })).rows;
  };
  // Run one statement at a time, because settings apply to the entire transaction.
  let last: Promise<unknown> = Promise.resolve();
  return <Row>(...statement: Parameters<RunStatement>): Promise<Row[]> => {
    const rows = last.then(() => run<Row>(...statement));
    last = rows;
    return rows;
  };
}
