import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { getTimeFromId } from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';
import { DataSource } from 'typeorm';
import type { ArchivedVisit } from '../archived-visit.js';
import { formatDay, PartitionsRepository, toDayNumber, type Visitors } from '../partitions.repository.js';
import { RestoredVisitsRepository } from '../restored-visits.repository.js';
import { ClickHouse } from './clickhouse.js';
import { COLUMN_NAMES, toLine } from './visits-table.js';

@Injectable()
export class ClickHouseRestoredVisitsRepository extends RestoredVisitsRepository {
  constructor(
    dataSource: DataSource,
    partitions: PartitionsRepository,
    private readonly clickhouse: ClickHouse,
  ) {
    super(dataSource, partitions);
  }

  override async store(_visitors: Visitors, visits: readonly ArchivedVisit[]): Promise<number> {
    if (visits.length === 0) return 0;
    // The lock prevents two commands from restoring the same visits at the same time.
    return this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.visitErasure]);
      const stored = await this.findStored(visits);
      const missing = visits.filter(({ id }) => !stored.has(id));
      if (missing.length === 0) return 0;
      const lines = missing.map(toLine).join('\n');
      await this.clickhouse.insert(this.clickhouse.visits, COLUMN_NAMES, lines, randomUUID());
      return missing.length;
    });
  }

  private async findStored(visits: readonly ArchivedVisit[]): Promise<Set<string>> {
    const times = visits.map(({ occurred_at: at }) => at);
    const rows = await this.clickhouse.query<{ id: string }>(
      // With the times, ClickHouse finds the rows by the table's order.
      `SELECT id FROM ${this.clickhouse.visits}
       WHERE day IN {days:Array(Date)} AND project_id IN {projects:Array(UUID)}
         AND occurred_at BETWEEN {first:Int64} AND {last:Int64} AND id IN {ids:Array(UUID)}`,
      {
        days: [...new Set(visits.map(toDay))],
        projects: [...new Set(visits.map(({ project_id: projectId }) => projectId))],
        first: Math.min(...times),
        last: Math.max(...times),
        ids: visits.map(({ id }) => id),
      },
    );
    return new Set(rows.map(({ id }) => id));
  }
}

const toDay = ({ id }: ArchivedVisit): string => formatDay(toDayNumber(getTimeFromId(id)));
