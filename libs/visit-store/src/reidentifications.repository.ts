import { Injectable } from '@nestjs/common';
import { firstIdAt, type ReidentificationReport } from '#libs/contracts';
import { changeRows } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import {
  ReidentifiedVisitsRepository,
  type ChangedRow,
  type PreparedChange,
} from './reidentified-visits.repository.js';

/** How large the documents of a step may be together, but for the first. */
const PAGE_BYTES = 8 * 2 ** 20;
/** Another process goes on where one has not been heard of for so long. */
const CLAIM_SECONDS = 60;

/** Opaque position of a re-identification: the last visit that was processed. */
type VisitCursor = string;

/** A re-identification that is at work. */
export interface Job {
  id: string;
  projectId: string;
  /** Milliseconds since the epoch, exclusive. */
  to: number;
  agentToken: string | null;
  isApplied: boolean;
  cursor: VisitCursor;
  report: ReidentificationReport | null;
  /** Changes with each visit that is stored, of any project. */
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

/** Some of the visits, in order. */
export interface Page {
  /** JSON of each. */
  documents: string[];
  /** The last of them; null at the end. */
  last: VisitCursor | null;
}

/** Microseconds since the epoch, as text because a number isn't precise enough, and the visit's ID. */
const cursorOf = (at: string, id: string): VisitCursor => `${at} ${id}`;
const partsOf = (cursor: VisitCursor): [at: string, id: string] => cursor.split(' ') as [string, string];

const MICROSECONDS = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint::text`;

/** Times are compared as they are stored, to the microsecond, so that no visit is left out or read twice. */
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
   * Takes the re-identification that waits for the longest time, if there is one; null otherwise. They take turns: one that
   * is large, or cannot go on, keeps no other one from it.
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

  /** Lets others go on. */
  async release(claimant: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE reidentifications SET claimed_until = '-infinity' WHERE claimed_by = $1 AND claimed_until > now()`,
      [claimant],
    );
  }

  /** Pauses a re-identification that cannot go on. */
  async fail(id: string, error: string): Promise<void> {
    await this.dataSource.query(`UPDATE reidentifications SET is_paused = true, error = $2 WHERE id = $1`, [id, error]);
  }

  /**
   * Reads the visits that follow, until the documents are large.
   *
   * @param most visits.
   */
  async page({ projectId, cursor, to }: Job, most: number): Promise<Page> {
    const [at, id] = partsOf(cursor);
    const rows: { id: string; at: string; document: string }[] = await this.dataSource.transaction(
      async (transaction) => {
        // Before there are statistics of a partition, all visits that follow would be read and sorted for every page.
        await transaction.query(`SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off`);
        // A visit occurs before it is received, so its id is not before the time.
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
   * Stores the changes of a step together with its report and its last visit, all or nothing. Does nothing if another
   * process did this step, or if somebody paused or canceled the re-identification.
   *
   * @param next null at the end.
   * @param reportOf returns the new report for the changes that were stored: visits may have been deleted.
   * @returns whether it was done.
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
   * Does work in a transaction that nobody has to wait for on the disk. The last ones are gone where the database dies: what
   * they did is done again then.
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
