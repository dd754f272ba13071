import { Injectable } from '@nestjs/common';
import { getFirstIdAt, type ReidentificationReport } from '#libs/contracts';
import { executeReturning } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import {
  ReidentifiedVisitsRepository,
  type ChangedRow,
  type PreparedChange,
} from './reidentified-visits.repository.js';

/** Maximum total document size per page. The first document is always included, even if it's larger. */
export const PAGE_BYTES = 8 * 2 ** 20;
/** Time after which other processes can claim a job that has made no progress. */
const CLAIM_SECONDS = 60;

/** Opaque position in a re-identification. Identifies the last processed visit. */
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
  /** Opaque value that changes whenever a visit is stored in any project. */
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
  /** Visits as JSON text, in order. */
  documents: string[];
  /** Cursor for the last visit, or null if there are no more visits. */
  last: VisitCursor | null;
}

/**
 * Encodes the last processed visit as a cursor.
 *
 * @param at Time of the visit, in microseconds since the epoch.
 */
export const formatCursor = (at: string, id: string): VisitCursor => `${at} ${id}`;
export const parseCursor = (cursor: VisitCursor): [at: string, id: string] => cursor.split(' ') as [string, string];

const toMicroseconds = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint::text`;

/**
 * Compares times in microseconds, which is the precision they are stored with. Otherwise, visits could be skipped or
 * read twice.
 */
const PAGE_QUERY = `
SELECT id, at, document FROM (
  SELECT id, ${toMicroseconds('occurred_at')} AS at, document::text AS document, row_number() OVER w AS number,
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
    protected readonly dataSource: DataSource,
    private readonly visits: ReidentifiedVisitsRepository,
  ) {}

  /**
   * Claims the job that has waited longest, or returns null if no job is waiting. Jobs alternate, so a large or failing
   * job doesn't block the others.
   */
  async claim(claimant: string): Promise<Job | null> {
    const [row] = await this.runWithAsyncCommit((transaction) =>
      executeReturning<JobRow>(
        transaction,
        `UPDATE reidentifications j SET claimed_by = $1, claimed_until = now() + interval '${CLAIM_SECONDS} seconds'
       WHERE id = (
         SELECT id FROM reidentifications
         WHERE state IN ('previewing', 'applying') AND NOT is_paused AND (claimed_by = $1 OR claimed_until < now())
         ORDER BY claimed_until, created_at LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       RETURNING j.id, j.project_id, j.range_to, j.agent_token, j.state, ${toMicroseconds('j.after_at')} AS after_at, j.after_id,
         CASE j.state WHEN 'applying' THEN j.result ELSE j.preview END AS report,
         (SELECT coalesce(sum(position), 0)::text FROM visit_positions) AS newest`,
        [claimant],
      ),
    );
    return row === undefined ? null : toJob(row);
  }

  /** Releases a process's jobs, so other processes can claim them. */
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
   * Reads the next visits, up to a total document size of {@link PAGE_BYTES}.
   *
   * @param maxVisits Maximum number of visits.
   */
  async page({ projectId, cursor, to }: Job, maxVisits: number): Promise<Page> {
    const [at, id] = parseCursor(cursor);
    const rows: { id: string; at: string; document: string }[] = await this.dataSource.transaction(
      async (transaction) => {
        // New partitions have no statistics. Without these settings, PostgreSQL would read and sort all remaining
        // visits for every page.
        await transaction.query(`SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off`);
        // The ID condition lets PostgreSQL skip older partitions, because a visit's ID contains its time of receipt,
        // which is never before `occurred_at`.
        const firstId = getFirstIdAt(Math.max(0, Math.floor(Number(at) / 1000)));
        return transaction.query(PAGE_QUERY, [projectId, at, id, new Date(to), firstId, maxVisits]);
      },
    );
    const last = rows.at(-1);
    return {
      documents: rows.map(({ document }) => document),
      last: last === undefined ? null : formatCursor(last.at, last.id),
    };
  }

  /**
   * Stores a step's changes, report and cursor in one transaction. Does nothing if another process has already
   * completed the step, or if the job was paused or canceled.
   *
   * @param next Cursor after this step, or null at the end.
   * @param createReport Creates the new report from the stored changes. Deleted visits are missing from these.
   * @returns true if the step was stored.
   */
  async step(
    { id, isApplied, cursor }: Job,
    next: VisitCursor | null,
    changes: readonly PreparedChange[],
    createReport: (stored: readonly ChangedRow[]) => ReidentificationReport,
  ): Promise<boolean> {
    const state = isApplied ? 'applying' : 'previewing';
    return this.runStep(async (transaction) => {
      const rows: unknown[] = await transaction.query(
        `SELECT FROM reidentifications WHERE id = $1 AND state = $2 AND NOT is_paused
           AND ${toMicroseconds('after_at')} = $3 AND after_id = $4 FOR UPDATE`,
        [id, state, ...parseCursor(cursor)],
      );
      if (rows.length === 0) return false;
      const report = createReport(changes.length > 0 ? await this.visits.store(transaction, changes) : []);
      const [nextAt = null, nextId = null] = next === null ? [] : parseCursor(next);
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

  /** Runs the transaction of a step. */
  protected runStep<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.runWithAsyncCommit(work);
  }

  /**
   * Runs a transaction that commits without waiting for the disk. If the database crashes, the latest steps can be lost
   * and are then repeated.
   */
  private runWithAsyncCommit<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (transaction) => {
      await transaction.query(`SET LOCAL synchronous_commit = off`);
      return work(transaction);
    });
  }
}

const toJob = (row: JobRow): Job => ({
  id: row.id,
  projectId: row.project_id,
  to: row.range_to.getTime(),
  agentToken: row.agent_token,
  isApplied: row.state === 'applying',
  cursor: formatCursor(row.after_at, row.after_id),
  report: row.report,
  newest: row.newest,
});
