import { getSqlState, isUnavailableError } from '#libs/platform';
import pTimeout from 'p-timeout';
import { Counter } from 'prom-client';
import type { DataSource } from 'typeorm';
import type { ReadReplica } from './read-replica.js';

/** SQLSTATE of a read that the replica canceled because it conflicted with a change from the primary. */
const RECOVERY_CONFLICT = '40001';

const readsCounter = new Counter({
  name: 'agent_traffic_replica_reads_total',
  help: 'Reads that are allowed to use the read replica, by source: replica or primary',
  labelNames: ['source'],
});

/** Runs reads on the replica. Uses the primary if there's no replica, or while it's unavailable or too far behind. */
export class ReadDatabase {
  constructor(
    /** Connection pool for reads from the primary. */
    readonly primary: DataSource,
    private readonly replica: ReadReplica | null,
  ) {}

  /**
   * Runs `work`, which must only read data. The data can be several seconds old, and a later call can see older data
   * than an earlier one. If the replica fails, `work` is repeated on the primary.
   */
  async read<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
    if (this.replica === null) return work(this.primary);
    if (this.replica.problem === null) {
      const { dataSource, failureSignal: signal } = this.replica;
      try {
        const result = await pTimeout(work(dataSource), { milliseconds: Infinity, signal });
        readsCounter.inc({ source: 'replica' });
        return result;
      } catch (error) {
        if (!signal.aborted && !isUnavailableError(error) && getSqlState(error) !== RECOVERY_CONFLICT) throw error;
      }
    }
    readsCounter.inc({ source: 'primary' });
    return work(this.primary);
  }
}
