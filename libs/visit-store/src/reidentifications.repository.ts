import { Injectable } from '@nestjs/common';
import { firstIdAt, type ReidentificationReport } from '#libs/contracts';
import { changeRows } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import {
  ReidentifiedVisitsRepository,
  type ChangedRow,
  type PreparedChange,
} from './reidentified-visits.repository.js';

/** Maximum total size of the documents on a page. The first document is always included, even if it's larger. */
const PAGE_BYTES = 8 * 2 ** 20;
/** Other processes can claim a job that has made no progress for this long. */
const CLAIM_SECONDS = 60;

/** Opaque position in a re-identification: the last processed visit. */
type VisitCursor = string;

export interface Job {
  id: string;
  projectId: string;
  /** Exclusive end of the range, in milliseconds since the epoch. */
  to: number;
  agentToken: string | null;
  isApplied: boolean;
  cursor: VisitCursor;
  report: ReidentificationReport | null;
  /** Changes whenever a visit of any project is stored. */
  newest: string;
}

interface JobRow {
  id: string;
  project_id: string;
  range_to: Date;
  agent_token: string | null;
  state: 'previewing' | 'applying';
  after_at: string;
  after_id: string;
  report: ReidentificationReport | null;
  newest: string;
}

export interface Page {
  /** JSON text of each visit, in order. */
  documents: string[];
  /** Cursor of the last visit. Null if there are no more visits. */
  last: VisitCursor | null;
}

/** Formats a cursor from the time, in microseconds since the epoch, and the visit ID. */
const cursorOf = (at: string, id: string): VisitCursor => `${at} ${id}`;
const partsOf = (cursor: VisitCursor): [at: string, id: string] => cursor.split(' ') as [string, string];

const MICROSECONDS = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint::text`;

/** Compares times in microseconds, the stored precision, so no visit is skipped or read twice. */
const PAGE = `
SELECT id, at, document FROM (
  SELECT id, ${MICROSECONDS('occurred_at')} AS at, document::text AS document, row_number() OVER w AS number,
    sum(octet_length(document::text)) OVER w AS bytes
  FROM (
    SELECT id, occurred_at, document FROM visits_full
    WHERE project_id = $1::uuid AND id >= $5::uuid AND occurred_at < $4::timestamptz
      AND (occurred_at, id) > (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)
    ORDER BY occurred_at, id LIMIT $6
  ) page WINDOW w AS (ORDER BY occurred_at, id)
) sized WHERE bytes <= ${PAGE_BYTES} OR number = 1 ORDER BY number`;

@Injectable()
export class ReidentificationsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly visits: ReidentifiedVisitsRepository,
  ) {}

  /**
   * Claims the job that has waited longest. Returns null if there is none. Jobs take turns, so a large or failing job
   * doesn't block the others.
   */
  async claim(claimant: string): Promise<Job | null> {
    const [row] = await this.unhurried((transaction) =>
      changeRows<JobRow>(
        transaction,
        `UPDATE reidentifications j SET claimed_by = $1, claimed_until = now() + interval '${CLAIM_SECONDS} seconds'
       WHERE id = (
         SELECT id FROM reidentifications
         WHERE state IN ('previewing', 'applying') AND NOT is_paused AND (claimed_by = $1 OR claimed_until < now())
         ORDER BY claimed_until, created_at LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       RETURNING j.id, j.project_id, j.range_to, j.agent_token, j.state, ${MICROSECONDS('j.after_at')} AS after_at, j.after_id,
         CASE j.state WHEN 'applying' THEN j.result ELSE j.preview END AS report,
         (SELECT coalesce(sum(position), 0)::text FROM visit_positions) AS newest`,
        [claimant],
      ),
    );
    return row === undefined ? null : jobOf(row);
  }

  /** Releases the jobs of a process, so others can claim them. */
  async release(claimant: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE reidentifications SET claimed_until = '-infinity' WHERE claimed_by = $1 AND claimed_until > now()`,
      [claimant],
    );
  }

  async fail(id: string, error: string): Promise<void> {
    await this.dataSource.query(`UPDATE reidentifications SET is_paused = true, error = $2 WHERE id = $1`, [id, error]);
  }

  /**
   * Reads the next visits, up to {@link PAGE_BYTES} of documents.
   *
   * @param most maximum number of visits.
   */
  async page({ projectId, cursor, to }: Job, most: number): Promise<Page> {
    const [at, id] = partsOf(cursor);
    const rows: { id: string; at: string; document: string }[] = await this.dataSource.transaction(
      async (transaction) => {
        // New partitions have no statistics. Without these settings, each page would read and sort all remaining
        // visits.
        await transaction.query(`SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off`);
        // The ID condition skips older partitions: IDs contain the time of receipt, which is never before
        // `occurred_at`.
        const firstId = firstIdAt(Math.max(0, Math.floor(Number(at) / 1000)));
        return transaction.query(PAGE, [projectId, at, id, new Date(to), firstId, most]);
      },
    );
    const last = rows.at(-1);
    return {
      documents: rows.map(({ document }) => document),
      last: last === undefined ? null : cursorOf(last.at, last.id),
    };
  }

  /**
   * Stores the changes, report and cursor of a step in one transaction. Does nothing if another process has done this
   * step, or if the job was paused or canceled.
   *
   * @param next cursor after this step. Null at the end.
   * @param reportOf returns the new report for the stored changes. Changes of deleted visits are missing.
   * @returns true if the step was stored.
   */
  async step(
    { id, isApplied, cursor }: Job,
    next: VisitCursor | null,
    changes: readonly PreparedChange[],
    reportOf: (stored: readonly ChangedRow[]) => ReidentificationReport,
  ): Promise<boolean> {
    const state = isApplied ? 'applying' : 'previewing';
    return this.unhurried(async (transaction) => {
      const rows: unknown[] = await transaction.query(
        `SELECT FROM reidentifications WHERE id = $1 AND state = $2 AND NOT is_paused
           AND ${MICROSECONDS('after_at')} = $3 AND after_id = $4 FOR UPDATE`,
        [id, state, ...partsOf(cursor)],
      );
      if (rows.length === 0) return false;
      const report = reportOf(changes.length > 0 ? await this.visits.store(transaction, changes) : []);
      const [nextAt = null, nextId = null] = next === null ? [] : partsOf(next);
      await transaction.query(
        `UPDATE reidentifications SET
           ${isApplied ? 'moved_at = clock_timestamp(), result' : 'preview'} = $2, error = NULL, claimed_until = now() + interval '${CLAIM_SECONDS} seconds',
           state = CASE WHEN $3::bigint IS NULL THEN $5 ELSE state END,
           after_at = coalesce(timestamptz 'epoch' + $3::bigint * interval '1 microsecond', range_to),
           after_id = coalesce($4, after_id)
         WHERE id = $1`,
        [id, JSON.stringify(report), nextAt, nextId, isApplied ? 'applied' : 'previewed'],
      );
      return true;
    });
  }

  /**
   * Runs a transaction that doesn't wait for the disk when it commits. A crash of the database can lose the latest
   * steps, which are then repeated.
   */
  private unhurried<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (transaction) => {
      await transaction.query(`SET LOCAL synchronous_commit = off`);
      return work(transaction);
    });
  }
}

const jobOf = (row: JobRow): Job => ({
  id: row.id,
  projectId: row.project_id,
  to: row.range_to.getTime(),
  agentToken: row.agent_token,
  isApplied: row.state === 'applying',
  cursor: cursorOf(row.after_at, row.after_id),
  report: row.report,
  newest: row.newest,
});
