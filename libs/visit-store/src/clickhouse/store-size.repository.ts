import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StoreSizeRepository, type StoredDay } from '../store-size.repository.js';
import { ClickHouse } from './clickhouse.js';
import { listPartitions } from './parts.js';

/** Size of the visits in ClickHouse, without replicas, and of the counts in PostgreSQL. */
@Injectable()
export class ClickHouseStoreSizeRepository extends StoreSizeRepository {
  constructor(
    dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
  ) {
    super(dataSource);
  }

  override async days(): Promise<StoredDay[]> {
    const partitions = await listPartitions(this.clickhouse);
    return [...Map.groupBy(partitions, ({ day }) => day)]
      .map(([day, sizes]) => ({
        day,
        bytes: sum(sizes.map(({ is_unknown: isUnknown, bytes }) => (isUnknown === 0 ? bytes : 0))),
        unknown_bytes: sum(sizes.map(({ is_unknown: isUnknown, bytes }) => (isUnknown === 1 ? bytes : 0))),
        visits: sum(sizes.map(({ rows }) => rows)),
      }))
      .toReversed();
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
