import { Injectable } from '@nestjs/common';
import { preparedQuery } from '#libs/database';
import { DataSource } from 'typeorm';
import type { ImportDay, ImportedLines } from './imported-lines.js';

/** Number of days after a day's first import during which importing its lines again produces the same IDs. */
const MAX_STABLE_DAYS = 30;

/**
 * Start of the period in which a day's first import determines the IDs of its lines. This period is a day shorter than
 * the retention period for unknown visitors, so that lines imported at its end are still stored for at least a day.
 */
const STABLE_SINCE = `$3::timestamptz - interval '1 day' * coalesce((
  SELECT least(${MAX_STABLE_DAYS}, greatest(0.5, least(
    unknown_retention_days, coalesce(retention_days, configured_retention_days)
  ) - 1)) FROM instance_settings
), 0.5)`;

const FIND_OR_ADD_DAYS = {
  name: 'import-days',
  text: `WITH stable AS MATERIALIZED (
    SELECT ${STABLE_SINCE} AS since
  ), known AS (
    SELECT day, first_at, import_id FROM import_days
    WHERE project_id = $1 AND day = ANY ($2::integer[]) AND first_at > (SELECT since FROM stable)
  ), added AS (
    INSERT INTO import_days AS d (project_id, day, first_at, import_id)
    SELECT $1, day, $3, $4 FROM unnest($2::integer[]) AS day WHERE day NOT IN (SELECT day FROM known) ORDER BY day
    ON CONFLICT (project_id, day) DO UPDATE SET
      first_at = CASE WHEN d.first_at > (SELECT since FROM stable) THEN d.first_at ELSE excluded.first_at END,
      import_id = CASE WHEN d.first_at > (SELECT since FROM stable) THEN d.import_id ELSE excluded.import_id END
    RETURNING day, first_at, import_id
  )
  SELECT * FROM known UNION ALL SELECT * FROM added`,
};

/**
 * Finds the import that recorded a request. Import IDs are stored in the `batch_id` column, because imported visits
 * aren't identified by a batch ID.
 */
const FIND_IMPORT = {
  name: 'recorded-by-import',
  text: `SELECT batch_id AS import_id FROM idempotency_keys WHERE project_id = $1 AND key_hash = $2`,
};
const ADD_IMPORT = {
  name: 'remember-import',
  text: `INSERT INTO idempotency_keys (project_id, key_hash, body_hash, batch_id) VALUES ($1, $2, $2, $3)
    ON CONFLICT DO NOTHING`,
};

/** Stores when lines from each day were first imported, and which import requests have been recorded. */
@Injectable()
export class ImportsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the first import of each day. Stores this import for new days.
   *
   * @param now Milliseconds since the epoch.
   */
  async days(
    projectId: string,
    { days, importId }: Pick<ImportedLines, 'days' | 'importId'>,
    now: number,
  ): Promise<Map<number, ImportDay>> {
    if (days.length === 0) return new Map();
    const rows = await preparedQuery<{ day: number; first_at: Date; import_id: string }>(
      this.dataSource,
      FIND_OR_ADD_DAYS,
      [projectId, days, new Date(now), importId],
    );
    return new Map(rows.map((row) => [row.day, { firstAt: row.first_at.getTime(), importId: row.import_id }]));
  }

  /** Returns the ID of the import that recorded exactly these lines in one request, or null. */
  async recordedBy(projectId: string, key: Buffer): Promise<string | null> {
    const rows = await preparedQuery<{ import_id: string }>(this.dataSource, FIND_IMPORT, [projectId, key]);
    return rows[0]?.import_id ?? null;
  }

  async storeRecorded(projectId: string, key: Buffer, importId: string): Promise<void> {
    await preparedQuery(this.dataSource, ADD_IMPORT, [projectId, key, importId]);
  }

  async deleteExpired(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM import_days WHERE first_at < now() - interval '${MAX_STABLE_DAYS + 1} days'`,
    );
  }
}
