import { Injectable } from '@nestjs/common';
import type { EnrichedVisit, VisitChange } from '#libs/contracts';
import { ADVISORY_LOCKS, arrayLiteral } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

/** Maximum number of changes per publication. Each can contain a visit of up to 512 KiB. */
const MAX_CHANGES = 50;

interface ChangeRow {
  sequence: string;
  id: string;
  changed_at: Date;
  project_id: string;
  visit_id: string | null;
  received_at: Date | null;
  occurred_at: Date | null;
}

/**
 * Outbox for publishing visit changes to Kafka. Each change is recorded in the transaction that makes it. Instances
 * without Kafka don't set `instance_settings.publishes_audit` and record no changes.
 */
@Injectable()
export class VisitChangesRepository {
  constructor(protected readonly dataSource: DataSource) {}

  async clear(): Promise<void> {
    await this.dataSource.query(`DELETE FROM visit_changes`);
  }

  /**
   * Publishes the oldest pending changes and then deletes them.
   *
   * @returns the number of published changes, or 0 if another process is publishing.
   * @throws any error from `send`. The changes then remain pending.
   */
  async publishOldest(send: (changes: readonly VisitChange[]) => Promise<void>): Promise<number> {
    return this.dataSource.transaction(async (transaction) => {
      const [{ locked }] = await transaction.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [
        ADVISORY_LOCKS.visitChanges,
      ]);
      if (!locked) return 0;
      const rows: ChangeRow[] = await transaction.query(
        `SELECT * FROM visit_changes ORDER BY sequence LIMIT ${MAX_CHANGES}`,
      );
      if (rows.length === 0) return 0;
      const ids = rows.flatMap(({ visit_id }) => visit_id ?? []);
      const visits = await this.readVisits(transaction, ids);
      await send(rows.map((row) => toChange(row, visits)));
      await transaction.query(`DELETE FROM visit_changes WHERE sequence = ANY ($1::bigint[])`, [
        arrayLiteral(rows.map(({ sequence }) => sequence)),
      ]);
      return rows.length;
    });
  }

  /** Returns the visits in their current state. If a visit has several changes, they all contain this state. */
  protected async readVisits(
    transaction: EntityManager,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, EnrichedVisit>> {
    const visits: { id: string; document: EnrichedVisit }[] = await transaction.query(
      `SELECT id, document FROM visits_full WHERE id = ANY ($1::uuid[])`,
      [arrayLiteral(ids)],
    );
    return new Map(visits.map(({ id, document }) => [id, document]));
  }
}

function toChange(row: ChangeRow, visits: ReadonlyMap<string, EnrichedVisit>): VisitChange {
  const visit = row.visit_id === null ? undefined : visits.get(row.visit_id);
  return {
    id: row.id,
    changed_at: row.changed_at.toISOString(),
    change: row.visit_id === null ? 'project_removed' : visit === undefined ? 'erased' : 'reidentified',
    project_id: row.project_id,
    visit_id: row.visit_id,
    received_at: row.received_at?.toISOString() ?? null,
    occurred_at: row.occurred_at?.toISOString() ?? null,
    ...(visit && { enriched_visit: visit }),
  };
}
