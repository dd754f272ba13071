import { getPartitionName, toDayNumber } from '../partitions.repository.js';
import type { ClickHouse } from './clickhouse.js';

/** Time limit for rewriting partitions. */
export const REWRITE_TIMEOUT_MS = 600_000;
/**
 * Maximum number of partitions per statement. Each statement takes some time for every part of the table, but all
 * partitions at once could exceed the time limit.
 */
const MAX_PARTITIONS_PER_STATEMENT = 100;
/** Time limit for searching the documents of a partition. */
export const SEARCH_TIMEOUT_MS = 300_000;

/** Partition of the table with visits: those of agents or of unknown visitors that were received on a UTC day. */
export interface VisitPartition {
  /** `YYYY-MM-DD` */
  day: string;
  /** 1 for visits by unknown visitors and for IDs of visits that aren't stored. */
  is_unknown: 0 | 1;
}

/** SQL condition for the rows of a partition, with the members of {@link VisitPartition} as parameters. */
export const IN_PARTITION = 'day = {day:Date} AND (agent_id IS NULL) = {is_unknown:UInt8}';

/** Returns the name of the partition's table in PostgreSQL. */
export const toName = ({ day, is_unknown: isUnknown }: VisitPartition): string =>
  getPartitionName(isUnknown === 1 ? 'unknown_visits' : 'visits', toDayNumber(Date.parse(day)));

/** Lists partitions that contain matching rows, including deleted ones that are still on the disk. */
export const findPartitions = (
  clickhouse: ClickHouse,
  condition: string,
  parameters: Record<string, unknown> = {},
): Promise<VisitPartition[]> =>
  clickhouse.query(
    `SELECT day, agent_id IS NULL AS is_unknown FROM ${clickhouse.visits} WHERE ${condition} GROUP BY ALL ORDER BY ALL`,
    parameters,
    { timeoutMs: SEARCH_TIMEOUT_MS, settings: { apply_deleted_mask: 0 } },
  );

/** Changes partitions on all servers and waits until it has taken effect. */
export async function alterPartitions(
  clickhouse: ClickHouse,
  partitions: readonly VisitPartition[],
  change: (partition: string) => string,
  parameters: Record<string, unknown> = {},
): Promise<void> {
  for (let start = 0; start < partitions.length; start += MAX_PARTITIONS_PER_STATEMENT) {
    const changes = partitions
      .slice(start, start + MAX_PARTITIONS_PER_STATEMENT)
      .map(({ day, is_unknown: isUnknown }) => change(`IN PARTITION ('${day}', ${isUnknown})`));
    await clickhouse.command(
      `ALTER TABLE ${clickhouse.localVisits}${clickhouse.onCluster} ${changes.join(', ')}`,
      parameters,
      { timeoutMs: REWRITE_TIMEOUT_MS, settings: { mutations_sync: '2' } },
    );
  }
}

/** Removes deleted rows of partitions from the disk. */
export async function removeDeletedRows(clickhouse: ClickHouse, partitions: readonly VisitPartition[]): Promise<void> {
  // Only marks in the parts themselves are considered for the removal, not those in patch parts.
  await alterPartitions(clickhouse, partitions, (name) => `APPLY PATCHES ${name}`);
  await alterPartitions(clickhouse, partitions, (name) => `APPLY DELETED MASK ${name}`);
}
