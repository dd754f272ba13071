import { Injectable } from '@nestjs/common';
import { arrayLiteral, parameterValues, preparedQuery } from '#libs/database';
import { isUniqueViolation } from '#libs/platform';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import type { VisitRow } from './visit-row.js';
import { STORE_VISITS } from './store-visits.sql.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import { valuesOf } from './visit-values.js';

const STORED_VISITS = {
  name: 'stored-visits',
  text: `
SELECT id FROM visits WHERE id = ANY ($1::uuid[]) UNION SELECT id FROM unknown_visits WHERE id = ANY ($1::uuid[])`,
};

@Injectable()
export class VisitsRepository {
  /**
   * Runs one statement at a time, because concurrent inserts leave index pages emptier. The next batch is read and its
   * forms are recorded in the meantime.
   */
  private readonly limit = pLimit(1);
  /**
   * True if redelivered visits are likely, for example after a start. Stored visits are then filtered out before the
   * insert.
   */
  private expectsRepeats = true;

  constructor(
    private readonly dataSource: DataSource,
    private readonly forms: VisitFormsRepository,
  ) {}

  /**
   * Stores and counts new visits.
   *
   * @returns IDs of the projects with new visits.
   */
  async store(delivered: readonly VisitRow[]): Promise<string[]> {
    // Keeps the first of several visits with the same ID, because their visitors may differ.
    const seen = new Set<string>();
    const each = delivered.filter(({ id }) => !seen.has(id) && seen.add(id)).sort(inOrder);
    let rows = this.expectsRepeats ? await this.withoutStored(each) : each;
    this.expectsRepeats &&= rows.length < each.length;
    while (rows.length > 0) {
      try {
        await this.storeNew(rows);
        break;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        this.expectsRepeats = true;
        const left = await this.withoutStored(rows);
        // The visits aren't at fault, so they are retried.
        if (left.length === rows.length) throw new Error('visits that are stored were not found', { cause: error });
        rows = left;
      }
    }
    return [...new Set(rows.map(({ projectId }) => projectId))];
  }

  /**
   * Stores all visits or none.
   *
   * @throws A unique violation if a visit is already stored.
   */
  private async storeNew(rows: readonly VisitRow[]): Promise<void> {
    if (await this.tryToStore(rows)) return;
    this.forms.forget();
    if (!(await this.tryToStore(rows))) throw new Error('forms of visits are gone as soon as they are recorded');
  }

  /** Stores nothing and returns false if forms are missing. */
  private async tryToStore(rows: readonly VisitRow[]): Promise<boolean> {
    const values = parameterValues(STORE_VISITS, valuesOf(rows, await this.forms.divide(rows)));
    const missing = await this.limit(() => preparedQuery(this.dataSource, STORE_VISITS, values));
    return missing.length === 0;
  }

  private async withoutStored(rows: VisitRow[]): Promise<VisitRow[]> {
    if (rows.length === 0) return rows;
    const ids = arrayLiteral(rows.map(({ id }) => id));
    const stored = await preparedQuery<{ id: string }>(this.dataSource, STORED_VISITS, [ids]);
    const known = new Set(stored.map(({ id }) => id));
    return rows.filter(({ id }) => !known.has(id));
  }
}

const inOrder = (one: VisitRow, other: VisitRow): number =>
  compare(one.projectId, other.projectId) || compare(one.id, other.id);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
