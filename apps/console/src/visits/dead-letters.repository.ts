import { Injectable } from '@nestjs/common';
import type { DeadLetter } from '#libs/contracts';
import { auditedTransaction } from '#libs/database';
import { DataSource } from 'typeorm';
import type { Principal } from '../access/principal.js';

type Row = Omit<DeadLetter, 'failed_at' | 'replayed_at'> & { failed_at: Date; replayed_at: Date | null };

type DeadLetterBody = DeadLetter & { value: Buffer };

interface DeadLetterPosition {
  failedAt: string;
  id: string;
}

const COLUMNS = `id, project_id, topic, key, headers, octet_length(value) AS size, reason, detail, step, partition,
  "offset", failed_at, replayed_at`;

/** Administrators can read all dead letters. Others can only read those from their projects. */
const VISIBILITY_CONDITION = `($1::boolean OR project_id = ANY ($2::uuid[]))`;

@Injectable()
export class DeadLettersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns dead letters after a position, newest first. */
  async list(
    { admin, projectIds }: Principal,
    { projectId, after, limit }: { projectId: string | null; after: DeadLetterPosition | null; limit: number },
  ): Promise<DeadLetter[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM dead_letters
       WHERE ${VISIBILITY_CONDITION} AND ($3::uuid IS NULL OR project_id = $3)
         AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', failed_at), id) < ($4::timestamptz, $5::uuid))
       ORDER BY failed_at DESC, id DESC LIMIT $6`,
      [admin, projectIds, projectId, after?.failedAt ?? null, after?.id ?? null, limit],
    );
    return rows.map(toDeadLetter);
  }

  async find({ admin, projectIds }: Principal, ids: readonly string[]): Promise<DeadLetterBody[]> {
    const rows: (Row & { value: Buffer })[] = await this.dataSource.query(
      `SELECT ${COLUMNS}, value FROM dead_letters WHERE ${VISIBILITY_CONDITION} AND id = ANY ($3::uuid[])`,
      [admin, projectIds, ids],
    );
    return rows.map(({ value, ...row }) => ({ ...toDeadLetter(row), value }));
  }

  async markReplayed(ids: readonly string[]): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(`UPDATE dead_letters SET replayed_at = now() WHERE id = ANY ($1::uuid[])`, [ids]),
    );
  }
}

const toDeadLetter = (row: Row): DeadLetter => ({
  ...row,
  failed_at: row.failed_at.toISOString(),
  replayed_at: row.replayed_at?.toISOString() ?? null,
});
