import { Injectable } from '@nestjs/common';
import type { DeadLetter } from '#libs/bus';
import { DataSource } from 'typeorm';

const RETENTION_DAYS = 90;

@Injectable()
export class DeadLettersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores dead letters. Reopens dead letters that failed again after a replay. */
  async store(rows: readonly DeadLetter[]): Promise<void> {
    const column = <K extends keyof DeadLetter>(name: K): DeadLetter[K][] => rows.map((row) => row[name]);
    await this.dataSource.query(
      `INSERT INTO dead_letters AS d
         (id, project_id, topic, key, value, headers, reason, detail, step, partition, "offset", failed_at)
       SELECT DISTINCT ON (id) * FROM unnest(
         $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::jsonb[], $7::text[], $8::text[], $9::text[],
         $10::int[], $11::text[], $12::timestamptz[]
       ) AS r (id, project_id, topic, key, value, headers, reason, detail, step, partition, "offset", failed_at)
       ORDER BY id
       ON CONFLICT (id) DO UPDATE SET replayed_at = NULL, failed_at = excluded.failed_at
       WHERE d.replayed_at IS NOT NULL`,
      [
        column('id'),
        column('projectId'),
        column('topic'),
        column('key'),
        column('value'),
        rows.map((row) => JSON.stringify(row.headers)),
        column('reason'),
        column('detail'),
        column('step'),
        column('partition'),
        column('offset'),
        column('failedAt'),
      ],
    );
  }

  async deleteExpired(): Promise<void> {
    await this.dataSource.query(`DELETE FROM dead_letters WHERE failed_at < now() - make_interval(days => $1)`, [
      RETENTION_DAYS,
    ]);
  }
}
