import { Injectable } from '@nestjs/common';
import { MAX_UNREADABLE_LINES, type Drain } from '#libs/contracts';
import { DataSource } from 'typeorm';

/** Results of a source's batches since the last write. */
export interface DrainStatus {
  projectId: string;
  source: string;
  /** Time of the last batch in ISO 8601 format. */
  at: string;
  last: Drain['last_batch'];
  totals: Drain['totals'];
  /** Unreadable lines, newest first. */
  unreadable: Drain['unreadable_lines'];
}

@Injectable()
export class DrainStatusRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Updates the stored statuses with new results. Skips projects that no longer exist. */
  async save(statuses: readonly DrainStatus[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO drains AS d (project_id, source, first_batch_at, last_batch_at, last_batch, totals, unreadable_lines)
       SELECT s."projectId", s.source, s.at, s.at, s.last, s.totals, s.unreadable
       FROM json_to_recordset($1) AS s ("projectId" uuid, source text, at timestamptz, last jsonb, totals jsonb, unreadable jsonb)
       JOIN projects p ON p.id = s."projectId"
       ORDER BY 1, 2
       ON CONFLICT (project_id, source) DO UPDATE SET
         last_batch_at = excluded.last_batch_at,
         last_batch = excluded.last_batch,
         totals = (
           SELECT jsonb_object_agg(key, value::bigint + coalesce((d.totals ->> key)::bigint, 0))
           FROM jsonb_each_text(excluded.totals)
         ),
         unreadable_lines = (
           SELECT coalesce(jsonb_agg(line ORDER BY position), '[]') FROM (
             SELECT line, position FROM jsonb_array_elements(excluded.unreadable_lines || d.unreadable_lines)
               WITH ORDINALITY AS lines (line, position)
             ORDER BY position LIMIT ${MAX_UNREADABLE_LINES}
           ) newest
         )`,
      [JSON.stringify(statuses)],
    );
  }

  async fastlyServiceIds(): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT DISTINCT unnest(fastly_service_ids) AS id FROM drain_settings ORDER BY 1`,
    );
    return rows.map(({ id }) => id);
  }
}
