import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';
import { DataSource } from 'typeorm';
import { AUDIT_COLUMNS, toEntry, type AuditRow } from './audit-row.js';

/**
 * Maximum number of entries per transaction. Kept low because PostgreSQL must decompress each entry to determine its
 * size.
 */
const MAX_ENTRIES = 200;
/** Approximate maximum size of the JSON values per transaction. Limits memory and time after an outage. */
const MAX_BYTES = 1024 * 1024;

@Injectable()
export class AuditOutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Enables or disables the outbox. Disabling it deletes all queued entries. */
  async setEnabled(isEnabled: boolean): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query(`UPDATE instance_settings SET publishes_audit = $1 WHERE publishes_audit <> $1`, [
        isEnabled,
      ]);
      if (!isEnabled) await transaction.query(`DELETE FROM audit_outbox`);
    });
  }

  /**
   * Publishes the oldest entries and deletes the ones that were sent.
   *
   * @returns Number of entries sent, or 0 if none are queued or another process is publishing.
   * @throws The first error from `send`. Entries that weren't sent remain in the outbox.
   */
  async publishOldest(send: (entry: AuditEntry) => Promise<void>): Promise<number> {
    const results = await this.dataSource.transaction(async (transaction) => {
      const [{ locked }] = await transaction.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [
        ADVISORY_LOCKS.auditOutbox,
      ]);
      if (!locked) return [];
      // This reads only committed rows, so a published entry can't be rolled back.
      const rows: AuditRow[] = await transaction.query(
        `WITH waiting AS (
           SELECT id, occurred_at, octet_length(concat(before, after)) AS size
           FROM audit_outbox JOIN audit_entries USING (id) ORDER BY occurred_at, id LIMIT ${MAX_ENTRIES}
         ), summed AS (
           SELECT id, sum(size) OVER (ORDER BY occurred_at, id) - size AS earlier FROM waiting
         )
         SELECT ${AUDIT_COLUMNS} FROM audit_entries
         WHERE id IN (SELECT id FROM summed WHERE earlier < ${MAX_BYTES}) ORDER BY occurred_at, id`,
      );
      const sent = await Promise.allSettled(rows.map(async (row) => send(toEntry(row))));
      const sentIds = rows.filter((_, index) => sent[index]!.status === 'fulfilled').map(({ id }) => id);
      await transaction.query(`DELETE FROM audit_outbox WHERE id = ANY ($1::uuid[])`, [sentIds]);
      return sent;
    });
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return results.length;
  }
}
