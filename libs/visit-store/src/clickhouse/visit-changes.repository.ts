import { Injectable } from '@nestjs/common';
import type { EnrichedVisit } from '#libs/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { VisitChangesRepository } from '../visit-changes.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { daysOf } from './visit-ids.js';

@Injectable()
export class ClickHouseVisitChangesRepository extends VisitChangesRepository {
  constructor(
    dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
    private readonly batches: BatchesRepository,
  ) {
    super(dataSource);
  }

  protected override async readVisits(
    _transaction: EntityManager,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, EnrichedVisit>> {
    if (ids.length === 0) return new Map();
    await this.batches.insertReplacements(null);
    // Only the ID of an erased visit is stored, without a document.
    const visits = await this.clickhouse.query<{ id: string; latest: string }>(
      `SELECT id, argMax(document, batch) AS latest FROM ${this.clickhouse.visits}
       WHERE day IN {days:Array(Date)} AND id IN {ids:Array(UUID)} GROUP BY id HAVING latest <> ''`,
      { days: daysOf(ids), ids },
    );
    return new Map(visits.map(({ id, latest }) => [id, JSON.parse(latest) as EnrichedVisit]));
  }
}
