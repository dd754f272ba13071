import type { VisitPosition } from '#libs/contracts';
import type { DataSource } from 'typeorm';
import type { StoredPosition } from '../stored-position.js';
import { furthestPosition, type ShardRange } from '../streamed-visits.js';
import type { BindTyped } from '../timeline-filters.js';
import { INDEX_BITS } from './batch-number.js';

/**
 * Returns the position up to which all of a project's visits are in ClickHouse. In each shard, it ends before
 * the oldest pending batch.
 */
export async function readLastPosition(dataSource: DataSource, projectId: string): Promise<VisitPosition> {
  const rows: StoredPosition[] = await dataSource.query(
    `SELECT shard, least(position, pending.first << ${INDEX_BITS})::float8 AS number
     FROM visit_positions LEFT JOIN (
       SELECT shard, min(number) AS first FROM visit_batches WHERE $1::uuid = ANY (projects) GROUP BY shard
     ) pending USING (shard)
     WHERE project_id = $1::uuid`,
    [projectId],
  );
  return furthestPosition([], rows);
}

/** Returns conditions for the visits in any of the ranges. */
export function toRangeConditions(ranges: readonly ShardRange[], bind: BindTyped): string[] {
  const isIn = ({ shard, after, last }: ShardRange): string =>
    `(shard = ${bind(shard, 'UInt8')} AND number > ${bind(after, 'UInt64')} AND number <= ${bind(last, 'UInt64')})`;
  return [
    // Lets ClickHouse skip older visits.
    `number > ${bind(Math.min(...ranges.map(({ after }) => after)), 'UInt64')}`,
    `(${ranges.map(isIn).join(' OR ')})`,
  ];
}
