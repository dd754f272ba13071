import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';
import { DataSource } from 'typeorm';
import { AUDIT_COLUMNS, toEntry, type AuditRow } from './audit-row.js';

/** Entries that are looked at to find those that fit; each is unpacked for its size. */
const MAX_ENTRIES = 200;
/** Of values in JSON, handed over at a time: what an outage left must not take the memory or the time of a process. */
const MAX_BYTES = 1024 * 1024;

/** Entries of the audit log that wait for Kafka. */
@Injectable()
export class AuditOutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Starts to keep new entries for Kafka, or stops and deletes those that wait. */
  async setEnabled(isEnabled: boolean): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query(`UPDATE instance_settings SET publishes_audit = $1 WHERE publishes_audit <> $1`, [
        isEnabled,
      ]);
      if (!isEnabled) await transaction.query(`DELETE FROM audit_outbox`);
    });
  }

  /**
   * Publishes the oldest entries that wait, and deletes those that were sent.
   *
   * @returns how many were sent; 0 where none waits, or another process is publishing.
   * @throws the first error of `send`. What was not sent stays.
   */
  async publishOldest(send: (entry: AuditEntry) => Promise<void>): Promise<number> {
    const results = await this.dataSource.transaction(async (transaction) => {
      const [{ locked }] = await transaction.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [
        ADVISORY_LOCKS.auditOutbox,
      ]);
      if (!locked) return [];
      // What is read here is committed, so nothing is told that could still be undone.
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
      const taken = rows.filter((_, index) => sent[index]!.status === 'fulfilled').map(({ id }) => id);
      await transaction.query(`DELETE FROM audit_outbox WHERE id = ANY ($1::uuid[])`, [taken]);
      return sent;
    });
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return results.length;
  }
}
