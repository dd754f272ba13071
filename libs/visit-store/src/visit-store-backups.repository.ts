import type { DataSource } from 'typeorm';
import { ClickHouse } from './clickhouse/clickhouse.js';
import { compareStores, deleteNewerVisits, describeNewer } from './clickhouse/store-comparison.repository.js';
import type { VisitStoreOptions } from './visit-store-settings.js';

/** Describes visits that are newer than a restored backup of PostgreSQL. Returns null if there are none. */
export const describeNewerVisits = (dataSource: DataSource, options: VisitStoreOptions): Promise<string | null> =>
  withClickHouse(options, async (clickhouse) => {
    const { newerVisits } = await compareStores(dataSource, clickhouse);
    return newerVisits > 0 ? describeNewer(newerVisits) : null;
  });

/** Deletes the visits that are newer than a restored backup of PostgreSQL. Returns their number. */
export const discardNewerVisits = (dataSource: DataSource, options: VisitStoreOptions): Promise<number> =>
  withClickHouse(options, (clickhouse) => deleteNewerVisits(dataSource, clickhouse));

async function withClickHouse<T>(options: VisitStoreOptions, use: (clickhouse: ClickHouse) => Promise<T>): Promise<T> {
  const clickhouse = new ClickHouse(options);
  try {
    return await use(clickhouse);
  } finally {
    await clickhouse.close();
  }
}
