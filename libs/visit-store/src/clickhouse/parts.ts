import { formatDay, type DayNumber, type Visitors } from '../partitions.repository.js';
import type { ClickHouse } from './clickhouse.js';

interface PartitionParts {
  /** `YYYY-MM-DD` */
  day: string;
  is_unknown: 0 | 1;
  rows: number;
  bytes: number;
}

/** Returns the size of each partition, summed over all shards. Counts one replica per shard. */
export function listPartitions(clickhouse: ClickHouse): Promise<PartitionParts[]> {
  const { localVisits, options } = clickhouse;
  const parts = options.cluster === null ? 'system.parts' : `cluster('${options.cluster}', system.parts)`;
  const [, table] = localVisits.split('.');
  return clickhouse.query(
    // The ID consists of the day and the condition. Other IDs belong to parts that only mark deleted rows.
    `SELECT toString(toDate(left(partition_id, 8))) AS day, toUInt8(right(partition_id, 1)) AS is_unknown,
       sum(rows) AS rows, sum(bytes_on_disk) AS bytes
     FROM ${parts}
     WHERE database = {database:String} AND table = {table:String} AND active AND match(partition_id, '^[0-9]{8}-[01]$')
     GROUP BY partition_id ORDER BY partition_id`,
    { database: options.database, table },
  );
}

/** Time limit for dropping a partition on all servers of a cluster. */
const DROP_TIMEOUT_MS = 180_000;

export async function dropPartition(clickhouse: ClickHouse, visitors: Visitors, day: DayNumber): Promise<void> {
  const { localVisits, onCluster } = clickhouse;
  const partition = `('${formatDay(day)}', ${visitors === 'unknown' ? 1 : 0})`;
  await clickhouse.command(
    `ALTER TABLE ${localVisits}${onCluster} DROP PARTITION ${partition}`,
    {},
    { timeoutMs: DROP_TIMEOUT_MS },
  );
}
