import { Injectable } from '@nestjs/common';
import { arrayLiteral, parameterValues, preparedQuery } from '#libs/database';
import { ConfigurationError, isUniqueViolation } from '#libs/platform';
import { DataSource } from 'typeorm';
import { getPendingSeconds, readPendingBatches } from '../pending-batches.repository.js';
import type { PublicOf } from '../public-of.js';
import type { VisitRow } from '../visit-row.js';
import { groupByProject, toCountValues } from '../visit-values.js';
import { byProjectAndId, findStoredIds, uniqueById, type VisitsRepository } from '../visits.repository.js';
import { MAX_BATCH_VISITS } from './batch-number.js';
import { BatchesRepository, encodeVisits, type Batch } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { advanceBatchNumbers, compareStores, describeMissing, describeNewer } from './store-comparison.repository.js';
import { STORE_BATCH } from './store-batch.sql.js';
import { visitStoreMetrics } from './visit-store-metrics.js';
import { findIdsInClickHouse, isPastLedger } from './stored-ids.repository.js';
import { startLine } from './visits-table.js';

@Injectable()
export class ClickHouseVisitsRepository implements PublicOf<VisitsRepository> {
  /** An insert costs ClickHouse about as much CPU as a thousand visits, so batches should be large. */
  readonly batchIntervalMs = 100;
  /** Identity of the PostgreSQL server whose visits were compared with those in ClickHouse. */
  private comparedServer: string | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
    private readonly batches: BatchesRepository,
  ) {}

  async store(deliveredVisits: readonly VisitRow[]): Promise<string[]> {
    const delivered = uniqueById(deliveredVisits).sort(byProjectAndId);
    const projects = new Set<string>();
    for (let start = 0; start < delivered.length; start += MAX_BATCH_VISITS) {
      for (const { projectId } of await this.storeBatch(delivered.slice(start, start + MAX_BATCH_VISITS)))
        projects.add(projectId);
    }
    return [...projects];
  }

  async checkBackups(): Promise<string | null> {
    const { server, newerVisits, missing } = await compareStores(this.dataSource, this.clickhouse);
    if (newerVisits > 0) throw new ConfigurationError(describeNewer(newerVisits));
    await advanceBatchNumbers(this.dataSource, this.clickhouse);
    this.comparedServer = server;
    return missing === null ? null : describeMissing(missing);
  }

  async finishStoring(minAgeMs: number): Promise<number> {
    const pending = await readPendingBatches(this.dataSource);
    visitStoreMetrics.pendingBatches.set(pending.batches);
    visitStoreMetrics.pendingSeconds.set(getPendingSeconds(pending));
    return this.batches.insertPending(minAgeMs);
  }

  /** Stores up to {@link MAX_BATCH_VISITS} visits. Returns those that weren't stored before. */
  private async storeBatch(delivered: VisitRow[]): Promise<VisitRow[]> {
    let rows = await this.excludeStoredLongAgo(delivered);
    for (let isStored = false; !isStored && rows.length > 0;) {
      try {
        if (this.comparedServer === null) await this.checkBackups();
        isStored = await this.storeNew(rows);
        if (!isStored) this.comparedServer = null;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        const stored = await findStoredIds(this.dataSource, rows);
        if (stored.size === 0)
          throw new Error('PostgreSQL reported duplicate visits, but none of them were found', { cause: error });
        rows = rows.filter(({ id }) => !stored.has(id));
      }
    }
    // A visit that was accepted before may still be in a pending batch. Its message must be delivered again until the
    // visit is in ClickHouse.
    const newVisits = new Set(rows);
    const repeated = delivered.filter((row) => !newVisits.has(row));
    if (repeated.length > 0) {
      const projectIds = new Set(repeated.map(({ projectId }) => projectId));
      await this.batches.insertPending(0, [...projectIds]);
    }
    return rows;
  }

  /**
   * Returns false if PostgreSQL was restarted or replaced, so {@link checkBackups} must run first.
   *
   * @throws a unique violation if any visit is already stored.
   */
  private async storeNew(rows: readonly VisitRow[]): Promise<boolean> {
    const startedAt = performance.now();
    const projects = groupByProject(rows);
    const visits = rows.map((row, index) => {
      const count = projects.visits[projects.numbers[index]! - 1]!;
      return { position: count - projects.distances[index]!, line: startLine(row) };
    });
    const values = parameterValues(STORE_BATCH, {
      ...toCountValues(rows, projects),
      ids: arrayLiteral(rows.map(({ id }) => id)),
      'batch.visits': await encodeVisits(visits),
      server: this.comparedServer,
    });
    const [batch] = await preparedQuery<Batch>(this.dataSource, STORE_BATCH, values);
    if (batch === undefined) return false;
    await this.batches.insertAccepted(batch, visits, startedAt);
    return true;
  }

  /** Excludes visits that were stored so long ago that PostgreSQL no longer has their IDs. */
  private async excludeStoredLongAgo(rows: VisitRow[]): Promise<VisitRow[]> {
    const old = rows.map(({ id }) => id).filter(isPastLedger);
    if (old.length === 0) return rows;
    const storedIds = await findIdsInClickHouse(this.clickhouse, old);
    return rows.filter(({ id }) => !storedIds.has(id));
  }
}
