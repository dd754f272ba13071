import { Injectable } from '@nestjs/common';
import type { EnrichedVisit, VisitChange } from '#libs/contracts';
import { ADVISORY_LOCKS, arrayLiteral } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

/** Maximum number of changes to publish at once. Each can contain a visit of up to 512 KiB. */
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
 * Outbox of visit changes for Kafka. Changes are recorded in the transaction that makes them, but only if
 * `instance_settings.publishes_audit` is set. Instances with Kafka set it.
 */
@Injectable()
export class VisitChangesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async clear(): Promise<void> {
    await this.dataSource.query(`DELETE FROM visit_changes`);
  }

  /**
   * Publishes the oldest pending changes and deletes them.
   *
   * @returns the number of published changes, or 0 if another process is publishing.
   * @throws errors of `send`. In that case, the changes stay pending.
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
      const visits = await storedVisits(transaction, rows);
      await send(rows.map((row) => changeOf(row, visits)));
      await transaction.query(`DELETE FROM visit_changes WHERE sequence = ANY ($1::bigint[])`, [
        arrayLiteral(rows.map(({ sequence }) => sequence)),
      ]);
      return rows.length;
    });
  }
}

/** Returns the current state of the visits. If a visit has several changes, they all get this state. */
async function storedVisits(
  transaction: EntityManager,
  rows: readonly ChangeRow[],
): Promise<ReadonlyMap<string, EnrichedVisit>> {
  const ids = rows.flatMap(({ visit_id }) => visit_id ?? []);
  const visits: { id: string; document: EnrichedVisit }[] = await transaction.query(
    `SELECT id, document FROM visits_full WHERE id = ANY ($1::uuid[])`,
    [arrayLiteral(ids)],
  );
  return new Map(visits.map(({ id, document }) => [id, document]));
}

function changeOf(row: ChangeRow, visits: ReadonlyMap<string, EnrichedVisit>): VisitChange {
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
