import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '#libs/database';
import { DataSource } from 'typeorm';
import { ARCHIVED_COLUMNS, type ArchivedVisit } from '../archived-visit.js';
import {
  ExpiredPartitionsRepository,
  MAX_PAGE_BYTES,
  MAX_PAGE_ROWS,
  type FoundVisit,
  type LockedPartition,
  type ProjectVisits,
} from '../expired-partitions.repository.js';
import { formatDay, getPartitionName, PartitionsRepository, type Visitors } from '../partitions.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { limitBytes } from './limit-bytes.js';
import { dropPartition } from './parts.js';
import { OLDEST_FIRST } from './visit-range.js';
import { NO_PROJECT, POSITION } from './visits-table.js';

const LIST_TIMEOUT_MS = 10 * 60_000;

const inPartition = (visitors: Visitors): string =>
  `day = {day:Date} AND agent_id IS ${visitors === 'agents' ? 'NOT NULL' : 'NULL'}`;

@Injectable()
export class ClickHouseExpiredPartitionsRepository extends ExpiredPartitionsRepository {
  constructor(
    dataSource: DataSource,
    partitions: PartitionsRepository,
    private readonly clickhouse: ClickHouse,
    private readonly batches: BatchesRepository,
  ) {
    super(dataSource, partitions);
  }

  protected override async listProjects({ runner, visitors, day }: LockedPartition): Promise<ProjectVisits[]> {
    const removed: { project_id: string }[] = await runner.query(`SELECT project_id FROM removed_projects`);
    return this.clickhouse.query(
      // Whenever a visit changes, another batch replaces its row.
      `SELECT project_id AS projectId, count() AS visits, lower(leftPad(hex(groupBitXor(sipHash64(id, batch))), 16, '0')) AS digest
       FROM ${this.clickhouse.visits}
       WHERE ${inPartition(visitors)} AND project_id != toUUID('${NO_PROJECT}')
         AND project_id NOT IN {removed:Array(UUID)}
       GROUP BY project_id ORDER BY toString(project_id)`,
      { day: formatDay(day), removed: removed.map(({ project_id: id }) => id) },
      { timeoutMs: LIST_TIMEOUT_MS },
    );
  }

  protected override readPage(
    { visitors, day }: LockedPartition,
    projectId: string,
    last: ArchivedVisit | undefined,
  ): Promise<FoundVisit[]> {
    const names = ['id', 'project_id', 'occurred_at', 'client_address', ...ARCHIVED_COLUMNS.map(({ name }) => name)];
    const columns = [...names, 'document'].join(', ');
    return this.clickhouse.query(
      limitBytes(
        `${columns}, position`,
        `SELECT ${columns}, toString(${POSITION}) AS position FROM ${this.clickhouse.visits}
         WHERE ${inPartition(visitors)} AND project_id = {projectId:UUID}
           ${last === undefined ? '' : 'AND occurred_at >= {at:Int64} AND (occurred_at, UUIDToNum(id)) > ({at:Int64}, UUIDToNum({id:UUID}))'}
         ORDER BY ${OLDEST_FIRST} LIMIT ${MAX_PAGE_ROWS}`,
        OLDEST_FIRST,
        MAX_PAGE_BYTES,
      ),
      { day: formatDay(day), projectId, ...(last !== undefined && { at: last.occurred_at, id: last.id }) },
    );
  }

  /** Blocks new visits, too, because dropping a ClickHouse partition doesn't wait for inserts. */
  protected override async block({ runner, day }: LockedPartition): Promise<void> {
    await runner.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.visitErasure]);
    this.partitions.clearCache();
    await this.partitions.ensure([day]);
    await runner.query(`LOCK TABLE ${getPartitionName('unknown_visits', day)} IN SHARE MODE`);
    await this.batches.waitForAccepted();
  }

  protected override async isAwaited(): Promise<boolean> {
    return false;
  }

  protected override async drop({ visitors, day }: LockedPartition): Promise<void> {
    await dropPartition(this.clickhouse, visitors, day);
  }
}
