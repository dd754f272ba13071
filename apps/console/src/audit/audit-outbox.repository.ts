import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { AUDIT_COLUMNS, toEntry, type AuditRow } from './audit-row.js';

const BATCH = 200;
/** Key of the advisory lock under which entries are passed on: by one process, so that they keep their order. */
const LOCK = 4_116_820_631;

/** Entries of the audit log that wait for Kafka. */
@Injectable()
export class AuditOutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Has entries wait from now on, or no longer. */
  async turn(isOn: boolean): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query(`UPDATE instance_settings SET publishes_audit = $1 WHERE publishes_audit <> $1`, [isOn]);
      if (!isOn) await transaction.query(`DELETE FROM audit_outbox`);
    });
  }

  /**
   * Hands over the oldest entries that wait, and forgets them once that is done.
   *
   * @returns whether there are more.
   */
  async pass(send: (entries: AuditEntry[]) => Promise<void>): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      const [{ locked }] = await transaction.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [LOCK]);
      if (!locked) return false;
      // What is read here is committed, so nothing is told that could still be undone.
      const rows: AuditRow[] = await transaction.query(
        `SELECT ${AUDIT_COLUMNS} FROM audit_outbox JOIN audit_entries USING (id) ORDER BY occurred_at, id LIMIT $1`,
        [BATCH],
      );
      if (rows.length === 0) return false;
      await send(rows.map(toEntry));
      await transaction.query(`DELETE FROM audit_outbox WHERE id = ANY ($1::uuid[])`, [rows.map(({ id }) => id)]);
      return rows.length === BATCH;
    });
  }
}
