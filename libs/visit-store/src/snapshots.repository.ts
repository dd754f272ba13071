import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#libs/database';
import { getSqlState } from '#libs/platform';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { ReadTimeoutError } from './read-timeout-error.js';
import { createSnapshot, type RunStatement, type Snapshot } from './snapshot.js';

const QUERY_CANCELED = '57014';

interface SnapshotOptions {
  /** Time limit for each statement, in milliseconds. */
  timeoutMs: number;
  /** Whether the snapshot must include all committed visits. If false, it can be some seconds old. Default: false. */
  isLatest?: boolean;
}

@Injectable()
export class SnapshotsRepository {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Runs `work` in a snapshot that ends when `work` does. Statements run one at a time. `work` can run a second time if
   * the read replica fails.
   *
   * @throws {ReadTimeoutError} if a statement exceeds the time limit.
   */
  async read<T>(
    { timeoutMs, isLatest = false }: SnapshotOptions,
    work: (snapshot: Snapshot) => Promise<T>,
  ): Promise<T> {
    const read = (dataSource: DataSource): Promise<T> =>
      dataSource.transaction('REPEATABLE READ', async (transaction) =>
        work(createSnapshot(await createStatementRunner(transaction, timeoutMs), timeoutMs)),
      );
    try {
      return await (isLatest ? read(this.database.primary) : this.database.read(read));
    } catch (error) {
      if (getSqlState(error) !== QUERY_CANCELED) throw error;
      throw new ReadTimeoutError(`A statement exceeded the time limit of ${timeoutMs} ms`, { cause: error });
    }
  }
}

async function createStatementRunner(transaction: EntityManager, timeoutMs: number): Promise<RunStatement> {
  const client = (await transaction.queryRunner!.connect()) as PoolClient;
  let currentPlanMode = '';
  const applySettings = async (planMode: 'auto' | 'force_generic_plan'): Promise<void> => {
    if (currentPlanMode === planMode) return;
    currentPlanMode = planMode;
    await transaction.query(
      // JIT compilation of these statements takes longer than running them.
      `SELECT set_config('statement_timeout', $1, true), set_config('jit', 'off', true), set_config('plan_cache_mode', $2, true)`,
      [String(timeoutMs), planMode],
    );
  };
  const run: RunStatement = async (text, parameters, plan) => {
    await applySettings(plan === 'generic' ? 'force_generic_plan' : 'auto');
    if (plan === 'auto') return transaction.query(text, parameters);
    return (await client.query({ name: hash('sha1', text), text, values: parameters })).rows;
  };
  // Run one statement at a time, because the settings apply to the entire transaction.
  let lastResult: Promise<unknown> = Promise.resolve();
  return <Row>(...statement: Parameters<RunStatement>): Promise<Row[]> => {
    const rows = lastResult.then(() => run<Row>(...statement));
    lastResult = rows;
    return rows;
  };
}
