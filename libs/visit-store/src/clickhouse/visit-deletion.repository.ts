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
import {
  findPartitions,
  IN_PARTITION,
  removeDeletedRows,
  SEARCH_TIMEOUT_MS,
  toName,
  type VisitPartition,
} from './visit-partitions.js';
import { startIdLine } from './visits-table.js';

const MAX_VISITS_PER_STEP = 100_000;
/**
 * Name of the step that deletes visits of all partitions, because finding a project's visits doesn't require a search.
 * Like {@link REMOVAL}, it sorts after the names of all partitions.
 */
const ALL_PARTITIONS = 'visits_all';
/** Name of the last step, which removes deleted visits from the disk. */
const REMOVAL = 'visits_removal';
/** Columns that can contain an address. */
const TEXT_COLUMNS = ['document', 'path', `ifNull(mcp_tool, '')`, `ifNull(client_address, '')`];

interface ErasedVisit {
  id: string;
  project_id: string;
  occurred_at: number;
  received_at: string | null;
}

/**
 * Replaces visits with their IDs, like re-identification replaces visits. After the last visit, they are also removed
 * from the disk.
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
    await this.batches.insertPending(0, visits.projectId === null ? null : [visits.projectId]);
    return super.delete(visits, cursor, durationMs);
  }

  protected override async listPartitions({ address }: DeletionCriteria): Promise<string[]> {
    if (address === null) return [ALL_PARTITIONS, REMOVAL];
    return [...(await findPartitions(this.clickhouse, 'true')).map(toName).sort(), REMOVAL];
  }

  protected override async deleteVisits(
    name: string,
    _after: string,
    criteria: DeletionCriteria,
  ): Promise<DeletionStep> {
    if (name === REMOVAL) {
      await this.removeFromDisk(criteria);
      return { deleted: 0, last: null };
    }
    const partition = name === ALL_PARTITIONS ? null : parseName(name);
    // A search can take long, so it runs before the lock is acquired.
    const ids = criteria.address === null ? null : await this.findIds(partition, criteria);
    const deleted = ids?.length === 0 ? 0 : await this.erase(partition, criteria, ids);
    return { deleted, last: (ids?.length ?? deleted) === MAX_VISITS_PER_STEP ? FIRST_ID : null };
  }

  private async removeFromDisk(criteria: DeletionCriteria): Promise<void> {
    const { conditions, parameters } = toConditions(null, criteria);
    const partitions = await findPartitions(
      this.clickhouse,
      ['_row_exists = 0', ...conditions].join(' AND '),
      parameters,
    );
    await removeDeletedRows(this.clickhouse, partitions);
  }

  private async findIds(partition: VisitPartition | null, criteria: DeletionCriteria): Promise<string[]> {
    const rows = await this.search<{ id: string }>('id', partition, criteria);
    return rows.map(({ id }) => id);
  }

  /**
   * @param foundIds Visits to erase if they still match, or null to erase any visits that match.
   * @returns the number of erased visits
   */
  private async erase(
    partition: VisitPartition | null,
    criteria: DeletionCriteria,
    foundIds: readonly string[] | null,
  ): Promise<number> {
    const projectIds = criteria.projectId === null ? null : [criteria.projectId];
    const erased = await this.dataSource.transaction(async (transaction) => {
      await transaction.query(`SELECT pg_advisory_xact_lock($1)`, [ADVISORY_LOCKS.visitErasure]);
      await this.batches.insertReplacements(projectIds, transaction);
      // Re-identification may have changed the visits since they were found.
      const columns = `id, project_id, occurred_at, JSONExtract(document, 'received_at', 'Nullable(String)') AS received_at`;
      const visits = await this.search<ErasedVisit>(columns, partition, criteria, foundIds);
      if (visits.length === 0) return 0;
      await recordDeletions(transaction, visits);
      const erasedProjects = new Set(visits.map(({ project_id: projectId }) => projectId));
      await this.batches.replace(
        transaction,
        [...erasedProjects],
        visits.map(({ id }) => id),
        visits.map(({ id }) => ({ position: { shard: 0, number: 0 }, line: startIdLine(id) })),
      );
      return visits.length;
    });
    await this.batches.insertReplacements(projectIds);
    return erased;
  }

  /** Returns columns of matching visits, up to {@link MAX_VISITS_PER_STEP}. */
  private search<Row>(
    columns: string,
    partition: VisitPartition | null,
    criteria: DeletionCriteria,
    ids: readonly string[] | null = null,
  ): Promise<Row[]> {
    const { conditions, parameters } = toConditions(partition, criteria);
    if (ids !== null) conditions.push('id IN {ids:Array(UUID)}');
    return this.clickhouse.query(
      `SELECT ${columns} FROM ${this.clickhouse.visits} WHERE ${conditions.join(' AND ')} LIMIT ${MAX_VISITS_PER_STEP}`,
      { ...parameters, ...(ids !== null && { ids }) },
      { timeoutMs: SEARCH_TIMEOUT_MS },
    );
  }
}

/** @param partition Partition to search, or null for all partitions. */
function toConditions(partition: VisitPartition | null, { address, projectId }: DeletionCriteria) {
  // The substring search quickly rules out most rows before the regular expression runs.
  const contains = (text: string): string =>
    `(positionCaseInsensitive(${text}, {address:String}) > 0 AND match(${text}, {expression:String}))`;
  return {
    conditions: [
      ...(partition === null ? [] : [IN_PARTITION]),
      projectId === null ? `project_id <> toUUID('${FIRST_ID}')` : 'project_id = {projectId:UUID}',
      ...(address === null ? [] : [`(${TEXT_COLUMNS.map(contains).join(' OR ')})`]),
    ],
    parameters: {
      ...partition,
      ...(projectId !== null && { projectId }),
      ...(address !== null && { address, expression: `(?i)${addressExpression(address)}` }),
    },
  };
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
