import { Injectable } from '@nestjs/common';
import { auditedTransaction, changeRows, countChanged } from '#libs/database';
import { DataSource } from 'typeorm';

/** For a process that dies; a report takes a minute at most. */
const CLAIM_MS = 600_000;

/** A report that is sent now. */
export interface ClaimedReport {
  project_id: string;
  user_id: string;
  unsubscription: string;
  /** With this one. */
  attempts: number;
  project_name: string;
  time_zone: string;
  email: string;
  /** First day of the last week that was reported; null before the first report. */
  reported_week: string | null;
  claimed_until: Date;
}

/** What follows an attempt. */
interface Settlement {
  nextAttemptAt: Date;
  /** Those made of the report that comes at that time. */
  attempts: number;
  /** First day of the week that was reported; null where none was. */
  reportedWeek: string | null;
}

const IS_CLAIMED = `project_id = $1 AND user_id = $2 AND next_attempt_at = $3`;

/** Somebody who may read the project: `u` and `s`. */
const REACHES = `(u.is_admin OR EXISTS (
  SELECT FROM project_members m WHERE (m.project_id, m.user_id) = (s.project_id, s.user_id)))`;

/** Who gets a weekly report of which project, and when the next one is due. */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async projectsOf(userId: string): Promise<string[]> {
    const rows: { project_id: string }[] = await this.dataSource.query(
      `SELECT s.project_id FROM report_subscriptions s JOIN users u ON u.id = s.user_id
       WHERE s.user_id = $1 AND ${REACHES} ORDER BY 1`,
      [userId],
    );
    return rows.map(({ project_id: id }) => id);
  }

  /** @param dueAt when the first report of each project is due. */
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

  async end(unsubscription: string): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(`DELETE FROM report_subscriptions WHERE unsubscription = $1`, [unsubscription]),
    );
  }

  /** Ends reports that are due to somebody who may no longer read the project. */
  async endOthers(now: number): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `DELETE FROM report_subscriptions s USING users u
       WHERE u.id = s.user_id AND s.next_attempt_at <= $1 AND NOT ${REACHES}`,
        [new Date(now)],
      ),
    );
  }

  /** Takes one that is due, so that no other process does. */
  async claim(now: number): Promise<ClaimedReport | undefined> {
    const [row] = await changeRows<ClaimedReport>(
      this.dataSource,
      `UPDATE report_subscriptions s SET next_attempt_at = $2, attempts = s.attempts + 1
       FROM (
         SELECT project_id, user_id FROM report_subscriptions WHERE next_attempt_at <= $1
         ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ) due JOIN projects p ON p.id = due.project_id JOIN users u ON u.id = due.user_id
       WHERE (s.project_id, s.user_id) = (due.project_id, due.user_id) AND ${REACHES}
       RETURNING s.project_id, s.user_id, s.unsubscription, s.attempts, p.name AS project_name, p.time_zone, u.email,
         s.reported_week::text, s.next_attempt_at AS claimed_until`,
      [new Date(now), new Date(now + CLAIM_MS)],
    );
    return row;
  }

  /** Extends a claim. @returns it anew; null when it is over, or the subscription has ended. */
  async extend(claimed: ClaimedReport, now: number): Promise<ClaimedReport | null> {
    const { project_id: project, user_id: user, claimed_until: until } = claimed;
    const extended = new Date(now + CLAIM_MS);
    const rows = await countChanged(
      this.dataSource,
      `UPDATE report_subscriptions SET next_attempt_at = $4 WHERE ${IS_CLAIMED}`,
      [project, user, until, extended],
    );
    return rows === 0 ? null : { ...claimed, claimed_until: extended };
  }

  /** Records what came of an attempt, unless it was claimed anew meanwhile: then what comes of that counts. */
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
