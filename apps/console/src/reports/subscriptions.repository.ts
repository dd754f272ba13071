import { Injectable } from '@nestjs/common';
import { auditedTransaction, executeReturning, executeAndCount } from '#libs/database';
import { DataSource } from 'typeorm';

/** Lifetime of a claim. Another process can take over afterwards. A report takes at most a minute. */
const CLAIM_TIMEOUT_MS = 600_000;

export interface ClaimedReport {
  project_id: string;
  user_id: string;
  unsubscription: string;
  /** Number of attempts, including the current one. */
  attempts: number;
  project_name: string;
  time_zone: string;
  email: string;
  /** First day of the last reported week. Null before the first report. */
  reported_week: string | null;
  claimed_until: Date;
}

interface Settlement {
  nextAttemptAt: Date;
  /** Number of attempts so far for the report that is due at `nextAttemptAt`. */
  attempts: number;
  /** First day of the reported week. Null if no report was sent. */
  reportedWeek: string | null;
}

const IS_CLAIMED = `project_id = $1 AND user_id = $2 AND next_attempt_at = $3`;

/** SQL condition: user `u` can read the project of subscription `s`. */
const CAN_READ_PROJECT = `(u.is_admin OR EXISTS (
  SELECT FROM project_members m WHERE (m.project_id, m.user_id) = (s.project_id, s.user_id)))`;

@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async listProjectIds(userId: string): Promise<string[]> {
    const rows: { project_id: string }[] = await this.dataSource.query(
      `SELECT s.project_id FROM report_subscriptions s JOIN users u ON u.id = s.user_id
       WHERE s.user_id = $1 AND ${CAN_READ_PROJECT} ORDER BY 1`,
      [userId],
    );
    return rows.map(({ project_id: id }) => id);
  }

  /**
   * Replaces a user's subscriptions. Existing subscriptions retain their due time.
   *
   * @param dueAt Due time of the first report, by project ID.
   */
  async replace(userId: string, dueAt: ReadonlyMap<string, Date>): Promise<void> {
    const ids = [...dueAt.keys()];
    await auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query(
        `DELETE FROM report_subscriptions WHERE user_id = $1 AND NOT project_id = ANY ($2::uuid[])`,
        [userId, ids],
      );
      await transaction.query(
        `INSERT INTO report_subscriptions (project_id, user_id, next_attempt_at)
         SELECT p.id, $1, due.at FROM unnest($2::uuid[], $3::timestamptz[]) due (project_id, at)
           JOIN projects p ON p.id = due.project_id
         ON CONFLICT DO NOTHING`,
        [userId, ids, [...dueAt.values()]],
      );
    });
  }

  async delete(unsubscription: string): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(`DELETE FROM report_subscriptions WHERE unsubscription = $1`, [unsubscription]),
    );
  }

  /** Deletes due subscriptions whose users lost access to the project. */
  async deleteInaccessible(now: number): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `DELETE FROM report_subscriptions s USING users u
       WHERE u.id = s.user_id AND s.next_attempt_at <= $1 AND NOT ${CAN_READ_PROJECT}`,
        [new Date(now)],
      ),
    );
  }

  /** Claims a due report, so no other process sends it. */
  async claim(now: number): Promise<ClaimedReport | undefined> {
    const [row] = await executeReturning<ClaimedReport>(
      this.dataSource,
      `UPDATE report_subscriptions s SET next_attempt_at = $2, attempts = s.attempts + 1
       FROM (
         SELECT project_id, user_id FROM report_subscriptions WHERE next_attempt_at <= $1
         ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ) due JOIN projects p ON p.id = due.project_id JOIN users u ON u.id = due.user_id
       WHERE (s.project_id, s.user_id) = (due.project_id, due.user_id) AND ${CAN_READ_PROJECT}
       RETURNING s.project_id, s.user_id, s.unsubscription, s.attempts, p.name AS project_name, p.time_zone, u.email,
         s.reported_week::text, s.next_attempt_at AS claimed_until`,
      [new Date(now), new Date(now + CLAIM_TIMEOUT_MS)],
    );
    return row;
  }

  /**
   * Extends a claim.
   *
   * @returns The extended claim, or null if another process has taken over or the subscription was deleted.
   */
  async extend(claimed: ClaimedReport, now: number): Promise<ClaimedReport | null> {
    const { project_id: project, user_id: user, claimed_until: until } = claimed;
    const extended = new Date(now + CLAIM_TIMEOUT_MS);
    const rows = await executeAndCount(
      this.dataSource,
      `UPDATE report_subscriptions SET next_attempt_at = $4 WHERE ${IS_CLAIMED}`,
      [project, user, until, extended],
    );
    return rows === 0 ? null : { ...claimed, claimed_until: extended };
  }

  /** Records the outcome of an attempt, unless another process has claimed the report in the meantime. */
  async settle(
    { project_id: project, user_id: user, claimed_until: until }: ClaimedReport,
    { nextAttemptAt, attempts, reportedWeek }: Settlement,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE report_subscriptions
       SET next_attempt_at = $4, attempts = $5, reported_week = coalesce($6::date, reported_week) WHERE ${IS_CLAIMED}`,
      [project, user, until, nextAttemptAt, attempts, reportedWeek],
    );
  }
}
