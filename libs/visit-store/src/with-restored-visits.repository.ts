import type { DataSource } from 'typeorm';
import { BatchesRepository } from './clickhouse/batches.repository.js';
import { ClickHouse } from './clickhouse/clickhouse.js';
import { ClickHousePartitionsRepository } from './clickhouse/partitions.repository.js';
import { ClickHouseRestoredVisitsRepository } from './clickhouse/restored-visits.repository.js';
import { PartitionsRepository } from './partitions.repository.js';
import { RestoredVisitsRepository } from './restored-visits.repository.js';
import { VisitStoreLocation } from './visit-store-location.repository.js';
import type { VisitStoreOptions } from './visit-store-settings.js';

/**
 * Runs `use` with a repository that restores visits to the configured database.
 *
 * @throws {ConfigurationError} if the visits are in another database than the configured one.
 */
export async function withRestoredVisits<T>(
  dataSource: DataSource,
  options: VisitStoreOptions | null,
  use: (visits: RestoredVisitsRepository) => Promise<T>,
): Promise<T> {
  const clickhouse = options && new ClickHouse(options);
  try {
    await new VisitStoreLocation(dataSource).check(clickhouse);
    return await use(createRepository(dataSource, clickhouse));
  } finally {
    await clickhouse?.close();
  }
}

function createRepository(dataSource: DataSource, clickhouse: ClickHouse | null): RestoredVisitsRepository {
  if (clickhouse === null) return new RestoredVisitsRepository(dataSource, new PartitionsRepository(dataSource));
  const batches = new BatchesRepository(dataSource, clickhouse);
  const partitions = new ClickHousePartitionsRepository(dataSource, clickhouse, batches);
  return new ClickHouseRestoredVisitsRepository(dataSource, partitions, clickhouse);
}
