import { Inject, Injectable } from '@nestjs/common';
import { errorMessage } from '#libs/platform';
import { DataSource } from 'typeorm';
import { ClickHouse } from './clickhouse/clickhouse.js';
import { readPendingBatches, type PendingBatches } from './pending-batches.repository.js';

const TIMEOUT_MS = 3_000;

interface VisitStoreStatus {
  /** Name of the database that stores the visits. */
  name: string;
  /** Reason why it's unavailable, or null. */
  fault: string | null;
  pending: PendingBatches;
}

@Injectable()
export class VisitStoreStatusRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(ClickHouse) private readonly clickhouse: ClickHouse | null,
  ) {}

  async read(): Promise<VisitStoreStatus> {
    const [pending, fault] = await Promise.all([readPendingBatches(this.dataSource), this.findFault()]);
    return { name: this.clickhouse === null ? 'PostgreSQL' : 'ClickHouse', fault, pending };
  }

  /** Returns the reason why the visit store is unavailable, or null. */
  async findFault(): Promise<string | null> {
    return this.clickhouse?.query('SELECT 1', {}, { timeoutMs: TIMEOUT_MS }).then(() => null, errorMessage) ?? null;
  }
}
