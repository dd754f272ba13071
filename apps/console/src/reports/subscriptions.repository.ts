import { Injectable } from '@nestjs/common';
import { auditedTransaction, executeReturning, executeAndCount } from '#libs/database';
import { DataSource } from 'typeorm';
import type { ZonedSchedule } from './report-period.js';

/** Lifetime of a claim. Another process can take over afterwards. A report takes at most a minute. */
const CLAIM_TIMEOUT_MS = 600_000;
/** Days until a recipient who hasn't confirmed the address is removed. */
const CONFIRMATION_DAYS = 7;

export interface ClaimedReport {
  id: string;
  project_id: string;
  /** Null for recipients without an account. */
  user_id: string | null;
  unsubscription: string;
  /** Number of attempts, including the current one. */
  attempts: number;
  schedule: ZonedSchedule;
  email: string;
  /** First day of the last reported period. Null before the first report. */
  reported_week: string | null;
  claimed_until: Date;
}

interface Settlement {
  nextAttemptAt: Date;
  /** Number of attempts so far for the report that is due at `nextAttemptAt`. */
  attempts: number;
  /** First day of the reported period. Null if no report was sent. */
  reportedWeek: string | null;
}

const IS_CLAIMED = `id = $1 AND next_attempt_at = $2`;

/** SQL condition: user `u` can read the project of subscription `s`. */
export const CAN_READ_PROJECT = `(u.is_admin OR EXISTS (
  SELECT FROM project_members m WHERE (m.project_id, m.user_id) = (s.project_id, s.user_id)))`;

/** SQL for the {@link ZonedSchedule} of project `p`, which has the row `c` in `report_schedules`, if any. */
export const ZONED_SCHEDULE = `jsonb_build_object('frequency', coalesce(c.frequency, 'weekly'),
  'weekday', coalesce(c.weekday, 1), 'time_zone', coalesce(c.time_zone, p.time_zone))`;

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

  /** Deletes a subscription. Its address, if it has no account, can't be added to the project again. */
  async unsubscribe(unsubscription: string): Promise<void> {
    await auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query(
        `INSERT INTO report_refusals (project_id, address)
         SELECT project_id, address FROM report_subscriptions WHERE unsubscription = $1 AND address IS NOT NULL
         ON CONFLICT DO NOTHING`,
        [unsubscription],
      );
      await transaction.query(`DELETE FROM report_subscriptions WHERE unsubscription = $1`, [unsubscription]);
    });
  }

  /** Deletes recipients who didn't confirm their address in time. */
  async deleteUnconfirmed(): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `DELETE FROM report_subscriptions
         WHERE next_attempt_at = 'infinity' AND created_at < now() - make_interval(days => ${CONFIRMATION_DAYS})`,
      ),
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
      // A join could run a subquery several times, and lock another row each time.
      `WITH due AS MATERIALIZED (
         SELECT id, project_id, user_id FROM report_subscriptions WHERE next_attempt_at <= $1
         ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       UPDATE report_subscriptions s SET next_attempt_at = $2, attempts = s.attempts + 1
       FROM due JOIN projects p ON p.id = due.project_id LEFT JOIN users u ON u.id = due.user_id
         LEFT JOIN report_schedules c ON c.project_id = due.project_id
       WHERE s.id = due.id AND (s.user_id IS NULL OR ${CAN_READ_PROJECT})
       RETURNING s.id, s.project_id, s.user_id, s.unsubscription, s.attempts, ${ZONED_SCHEDULE} AS schedule,
         coalesce(s.address, u.email) AS email, s.reported_week::text, s.next_attempt_at AS claimed_until`,
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
    const { id, claimed_until: until } = claimed;
    const extended = new Date(now + CLAIM_TIMEOUT_MS);
    const rows = await executeAndCount(
      this.dataSource,
      `UPDATE report_subscriptions SET next_attempt_at = $3 WHERE ${IS_CLAIMED}`,
      [id, until, extended],
    );
    return rows === 0 ? null : { ...claimed, claimed_until: extended };
  }

  /** Records the outcome of an attempt, unless another process has claimed the report in the meantime. */
  async settle(
    { id, claimed_until: until }: ClaimedReport,
    { nextAttemptAt, attempts, reportedWeek }: Settlement,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE report_subscriptions
       SET next_attempt_at = $3, attempts = $4, reported_week = coalesce($5::date, reported_week) WHERE ${IS_CLAIMED}`,
      [id, until, nextAttemptAt, attempts, reportedWeek],
    );
  }
}
