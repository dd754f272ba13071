import { Injectable } from '@nestjs/common';
import { arrayLiteral, parameterValues, preparedQuery } from '#libs/database';
import { isUniqueViolation } from '#libs/platform';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import type { VisitRow } from './visit-row.js';
import { STORE_VISITS } from './store-visits.sql.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import { toParameterValues } from './visit-values.js';

const STORED_VISITS = {
  name: 'stored-visits',
  text: `
SELECT id FROM visits WHERE id = ANY ($1::uuid[]) UNION SELECT id FROM unknown_visits WHERE id = ANY ($1::uuid[])`,
};

@Injectable()
export class VisitsRepository {
  /** Recommended minimum time between the starts of two small batches, in milliseconds. */
  readonly batchIntervalMs: number = 0;
  /**
   * Runs one statement at a time, because concurrent inserts leave more empty space in index pages. In the meantime,
   * the next batch is read and its forms are recorded.
   */
  private readonly limit = pLimit(1);
  /**
   * True if redelivered visits are likely, for example after a restart. Visits that are already stored are then
   * filtered out before the insert.
   */
  private expectsRedelivery = true;

  constructor(
    private readonly dataSource: DataSource,
    private readonly forms: VisitFormsRepository,
  ) {}

  /**
   * Stores and counts new visits. Ignores visits that are already stored.
   *
   * @returns IDs of the projects with new visits.
   */
  async store(deliveredVisits: readonly VisitRow[]): Promise<string[]> {
    const uniqueVisits = uniqueById(deliveredVisits).sort(byProjectAndId);
    let rows = this.expectsRedelivery ? await this.excludeStored(uniqueVisits) : uniqueVisits;
    this.expectsRedelivery &&= rows.length < uniqueVisits.length;
    while (rows.length > 0) {
      try {
        await this.storeNew(rows);
        break;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        this.expectsRedelivery = true;
        const newVisits = await this.excludeStored(rows);
        // PostgreSQL reported a duplicate that doesn't exist. Since the visits themselves are valid, the error makes
        // the caller retry all of them.
        if (newVisits.length === rows.length)
          throw new Error('PostgreSQL reported duplicate visits, but none of them were found', { cause: error });
        rows = newVisits;
      }
    }
    return [...new Set(rows.map(({ projectId }) => projectId))];
  }

  /**
   * Checks that no backup was restored that would cause visits to be stored twice.
   *
   * @returns a description of visits that are missing because of a restored backup, or null if none are missing. Always
   * null, because all data is in one database.
   * @throws {ConfigurationError} if visits would be stored twice.
   */
  async checkBackups(): Promise<string | null> {
    return null;
  }

  /**
   * Completes writes that other processes have started but not finished.
   *
   * @param _minAgeMs Minimum age of the writes in milliseconds.
   * @returns the number of completed writes. Always 0, because a single statement stores a batch.
   */
  async finishStoring(_minAgeMs: number): Promise<number> {
    return 0;
  }

  /**
   * Stores all visits or none.
   *
   * @throws a unique violation if any visit is already stored.
   */
  private async storeNew(rows: readonly VisitRow[]): Promise<void> {
    if (await this.tryStore(rows)) return;
    this.forms.clearCache();
    if (!(await this.tryStore(rows)))
      throw new Error('Visit forms disappeared from the database right after they were recorded');
  }

  /** Stores all visits. If any of their forms are missing in the database, returns false and stores nothing. */
  private async tryStore(rows: readonly VisitRow[]): Promise<boolean> {
    const values = parameterValues(STORE_VISITS, toParameterValues(rows, await this.forms.divide(rows)));
    const missing = await this.limit(() => preparedQuery(this.dataSource, STORE_VISITS, values));
    return missing.length === 0;
  }

  private async excludeStored(rows: VisitRow[]): Promise<VisitRow[]> {
    if (rows.length === 0) return rows;
    const storedIds = await findStoredIds(this.dataSource, rows);
    return rows.filter(({ id }) => !storedIds.has(id));
  }
}

/**
 * Returns the first visit for each ID. Visits with the same ID can't be merged, because they can be from different
 * visitors.
 */
export function uniqueById(visits: readonly VisitRow[]): VisitRow[] {
  const seenIds = new Set<string>();
  return visits.filter(({ id }) => !seenIds.has(id) && seenIds.add(id));
}

/** Returns the IDs of the visits that are stored. */
export async function findStoredIds(dataSource: DataSource, rows: readonly VisitRow[]): Promise<Set<string>> {
  const ids = arrayLiteral(rows.map(({ id }) => id));
  const stored = await preparedQuery<{ id: string }>(dataSource, STORED_VISITS, [ids]);
  return new Set(stored.map(({ id }) => id));
}

export const byProjectAndId = (one: VisitRow, other: VisitRow): number =>
  compare(one.projectId, other.projectId) || compare(one.id, other.id);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
