import { Injectable } from '@nestjs/common';
import type { VisitDeletionCursor } from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import {
  addressExpression,
  FIRST_ID,
  VisitDeletionRepository,
  type DeletionCriteria,
  type DeletionStep,
} from '../visit-deletion.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { splitIds } from './visit-ids.js';
import {
  findPartitions,
  IN_PARTITION,
  removeDeletedRows,
  SEARCH_TIMEOUT_MS,
  toName,
  WITH_DELETED_ROWS,
  type VisitPartition,
} from './visit-partitions.js';
import { startIdLine } from './visits-table.js';

const MAX_VISITS_PER_STEP = 30_000;
/** Columns that can contain an address. */
const TEXT_COLUMNS = ['document', 'path', `ifNull(mcp_tool, '')`, `ifNull(client_address, '')`];

interface ErasedVisit {
  id: string;
  project_id: string;
  occurred_at: number;
  received_at: string | null;
}

/**
 * Replaces visits with their IDs, like re-identification replaces visits. After the last visit of a partition, the
 * visits are also removed from the disk.
 */
@Injectable()
export class ClickHouseVisitDeletionRepository extends VisitDeletionRepository {
  constructor(
    dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
    private readonly batches: BatchesRepository,
  ) {
    super(dataSource);
  }

  override async delete(visits: DeletionCriteria, cursor: VisitDeletionCursor | undefined, durationMs: number) {
    await this.batches.insertPending();
    return super.delete(visits, cursor, durationMs);
  }

  protected override async listPartitions(): Promise<string[]> {
    return (await findPartitions(this.clickhouse, 'true')).map(toName).sort();
  }

  protected override async deleteVisits(
    name: string,
    _after: string,
    criteria: DeletionCriteria,
  ): Promise<DeletionStep> {
    const partition = parseName(name);
    const rows = await this.search<{ id: string; is_visible: number }>(
      'id, _row_exists AS is_visible',
      `ORDER BY is_visible DESC LIMIT ${MAX_VISITS_PER_STEP} SETTINGS apply_deleted_mask = ${WITH_DELETED_ROWS.apply_deleted_mask}`,
      partition,
      criteria,
    );
    const ids = rows.flatMap(({ id, is_visible: isVisible }) => (isVisible === 1 ? [id] : []));
    const deleted = ids.length === 0 ? 0 : await this.erase(partition, criteria, ids);
    if (ids.length === MAX_VISITS_PER_STEP) return { deleted, last: FIRST_ID };
    if (rows.length > 0) await removeDeletedRows(this.clickhouse, partition);
    return { deleted, last: null };
  }

  /** @returns the number of erased visits */
  private async erase(
    partition: VisitPartition,
    criteria: DeletionCriteria,
    foundIds: readonly string[],
  ): Promise<number> {
    const erased = await this.dataSource.transaction(async (transaction) => {
      await transaction.query(`SELECT pg_advisory_xact_lock($1)`, [ADVISORY_LOCKS.visitErasure]);
      await this.batches.insertReplacements(transaction);
      // Re-identification may have changed the visits since they were found.
      const visits: ErasedVisit[] = [];
      for (const ids of splitIds(foundIds)) {
        const columns = `id, project_id, occurred_at, JSONExtract(document, 'received_at', 'Nullable(String)') AS received_at`;
        visits.push(...(await this.search<ErasedVisit>(columns, '', partition, criteria, ids)));
      }
      if (visits.length === 0) return 0;
      await recordDeletions(transaction, visits);
      const projectIds = new Set(visits.map(({ project_id: projectId }) => projectId));
      await this.batches.replace(
        transaction,
        [...projectIds],
        visits.map(({ id }) => id),
        visits.map(({ id }) => ({ position: { shard: 0, number: 0 }, line: startIdLine(id) })),
      );
      return visits.length;
    });
    await this.batches.insertReplacements();
    return erased;
  }

  /** Returns columns of the matching visits in a partition. */
  private search<Row>(
    columns: string,
    clauses: string,
    partition: VisitPartition,
    { address, projectId }: DeletionCriteria,
    ids: readonly string[] | null = null,
  ): Promise<Row[]> {
    // The substring search quickly rules out most rows before the regular expression runs.
    const contains = (text: string): string =>
      `(positionCaseInsensitive(${text}, {address:String}) > 0 AND match(${text}, {expression:String}))`;
    const conditions = [
      IN_PARTITION,
      projectId === null ? `project_id <> toUUID('${FIRST_ID}')` : 'project_id = {projectId:UUID}',
      ...(ids === null ? [] : ['id IN {ids:Array(UUID)}']),
      ...(address === null ? [] : [`(${TEXT_COLUMNS.map(contains).join(' OR ')})`]),
    ];
    return this.clickhouse.query(
      `SELECT ${columns} FROM ${this.clickhouse.visits} WHERE ${conditions.join(' AND ')} ${clauses}`,
      {
        ...partition,
        ...(projectId !== null && { projectId }),
        ...(ids !== null && { ids }),
        ...(address !== null && { address, expression: `(?i)${addressExpression(address)}` }),
      },
      { timeoutMs: SEARCH_TIMEOUT_MS },
    );
  }
}

/** Returns the partition with the name that {@link toName} has returned. */
function parseName(name: string): VisitPartition {
  const day = name.slice(-8);
  return {
    day: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`,
    is_unknown: name.startsWith('unknown') ? 1 : 0,
  };
}

/** Records deletions for publication if the instance has Kafka. */
async function recordDeletions(transaction: EntityManager, visits: readonly ErasedVisit[]): Promise<void> {
  await transaction.query(
    `INSERT INTO visit_changes (visit_id, project_id, received_at, occurred_at)
     SELECT id, project_id, received_at, to_timestamp(occurred_at / 1000)
     FROM json_to_recordset($1::json) AS r (id uuid, project_id uuid, received_at timestamptz, occurred_at float8)
     WHERE (SELECT publishes_audit FROM instance_settings)`,
    [JSON.stringify(visits)],
  );
}
