import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LEDGER_DAYS } from '../ledger.js';
import {
  dropPartition as dropTable,
  getPartitionName,
  PartitionsRepository,
  toDayNumber,
  type DayNumber,
  type Visitors,
} from '../partitions.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { dropPartition, listPartitions } from './parts.js';

/** Shorter than PostgreSQL's `deadlock_timeout` (1 s), after which it cancels one of the statements in a deadlock. */
const DROP_TIMEOUT_MS = 900;

/**
 * Manages partitions for visits in ClickHouse, which creates them on its own, and for their IDs in PostgreSQL, which are
 * in `unknown_visits`.
 */
@Injectable()
export class ClickHousePartitionsRepository extends PartitionsRepository {
  protected override readonly tables = ['unknown_visits'] as const;

  constructor(
    dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
    private readonly batches: BatchesRepository,
  ) {
    super(dataSource);
  }

  override async dropOldIds(): Promise<void> {
    const before = toDayNumber(Date.now()) - LEDGER_DAYS;
    for (const day of await this.list('unknown_visits')) if (day < before) await this.dropIds(day);
    this.clearCache();
  }

  /** Drops the IDs of visits received on a day, unless some of the visits aren't in ClickHouse yet. */
  private async dropIds(day: DayNumber): Promise<void> {
    const table = getPartitionName('unknown_visits', day);
    await this.dataSource.transaction(async (transaction) => {
      // While the table is locked, no visits of this day can be accepted. An ID may only be dropped once ClickHouse can
      // recognize the visit if it's delivered again.
      await transaction.query(`SET LOCAL lock_timeout = ${DROP_TIMEOUT_MS}`);
      await transaction.query(`LOCK TABLE ${table} IN SHARE MODE`);
      await this.batches.waitForAccepted();
      const [{ blocks }] = await transaction.query(
        `SELECT EXISTS (SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted) AS blocks`,
      );
      // A blocked statement has locked the parent table, which the drop would have to wait for.
      if (!blocks) await dropTable(transaction, 'unknown', day, DROP_TIMEOUT_MS);
    });
  }

  protected override drop(_transaction: EntityManager, visitors: Visitors, day: DayNumber): Promise<void> {
    return dropPartition(this.clickhouse, visitors, day);
  }

  protected override async listDays(visitors: Visitors): Promise<DayNumber[]> {
    const partitions = await listPartitions(this.clickhouse);
    return partitions
      .filter(({ is_unknown: isUnknown }) => (isUnknown === 1) === (visitors === 'unknown'))
      .map(({ day }) => toDayNumber(Date.parse(day)));
  }
}
