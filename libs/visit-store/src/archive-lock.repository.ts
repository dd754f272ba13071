import { ADVISORY_LOCKS, withoutTimeouts } from '#libs/database';
import type { DataSource, QueryRunner } from 'typeorm';

/** Throws if another process could be changing the archive, because the lock's connection was lost. */
export type LockCheck = () => Promise<void>;

/**
 * Runs `use` unless another process is changing the archive. While it runs, no other process can. Its connection holds
 * the lock and has no timeouts.
 *
 * @returns false if another process is changing the archive.
 */
export async function withArchiveLock(
  dataSource: DataSource,
  use: (checkLock: LockCheck, runner: QueryRunner) => Promise<void>,
): Promise<boolean> {
  const lockDataSource = await withoutTimeouts(dataSource).initialize();
  try {
    const runner = lockDataSource.createQueryRunner();
    // A session can acquire its own lock repeatedly.
    const acquire = async (): Promise<boolean> => {
      const [{ locked }] = await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [ADVISORY_LOCKS.archive]);
      return locked;
    };
    const checkLock = async (): Promise<void> => {
      if (!(await acquire())) throw new Error('Another process has started to change the archive');
    };
    try {
      if (!(await acquire())) return false;
      await use(checkLock, runner);
      return true;
    } finally {
      // If the connection was lost, so was the lock.
      await runner.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
      await runner.release();
    }
  } finally {
    await lockDataSource.destroy();
  }
}
