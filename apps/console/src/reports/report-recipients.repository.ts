import { Injectable } from '@nestjs/common';
import { MAX_REPORT_RECIPIENTS, type ReportRecipient, type ReportSchedule } from '#libs/contracts';
import { auditedTransaction, executeAndCount, executeReturning } from '#libs/database';
import { DataSource } from 'typeorm';
import { getNextReportTime, type RequestedPeriod, type ZonedSchedule } from './report-period.js';
import { CAN_READ_PROJECT, ZONED_SCHEDULE } from './subscriptions.repository.js';

export interface AddedRecipient {
  id: string;
  /** Secret in the links of emails. */
  unsubscription: string;
}

/** Report that someone asked to send now. */
interface RequestedReport {
  period: RequestedPeriod;
  /** Time of the request in milliseconds since the epoch. */
  at: number;
}

/** Requested report for one recipient. */
export interface ClaimedRequest {
  id: string;
  project_id: string;
  email: string;
  unsubscription: string;
  user_id: string | null;
  schedule: ZonedSchedule;
  requested_report: RequestedReport;
}

type RecipientRow = Omit<ReportRecipient, 'delivery'> & {
  delivery_state: 'waiting' | 'sending' | 'sent' | 'failed' | null;
  delivery_at: Date | null;
  delivery_error: string | null;
};

/** Time after which a report that is being sent was interrupted because the process crashed. Sending takes at most a few minutes. */
const SENDING_TIMEOUT_MS = 600_000;
export const INTERRUPTED = 'Sending was interrupted. The report may have arrived.';

/** SQL for the subscriptions `s` of project $1, and their users `u`. External recipients have no user. */
const ACCESSIBLE = `FROM report_subscriptions s LEFT JOIN users u ON u.id = s.user_id
  WHERE s.project_id = $1 AND (s.user_id IS NULL OR ${CAN_READ_PROJECT})`;

/** Stores the report schedules of projects and their recipients. */
@Injectable()
export class ReportRecipientsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the project's schedule as set, in which the time zone can be null. */
  async findSchedule(projectId: string): Promise<ReportSchedule> {
    const [row]: ReportSchedule[] = await this.dataSource.query(
      `SELECT frequency, weekday, time_zone FROM report_schedules WHERE project_id = $1`,
      [projectId],
    );
    return row ?? { frequency: 'weekly', weekday: 1, time_zone: null };
  }

  async listZonedSchedules(projectIds: readonly string[]): Promise<Map<string, ZonedSchedule>> {
    const rows: { id: string; schedule: ZonedSchedule }[] = await this.dataSource.query(
      `SELECT p.id, ${ZONED_SCHEDULE} AS schedule FROM projects p LEFT JOIN report_schedules c ON c.project_id = p.id
       WHERE p.id = ANY ($1::uuid[])`,
      [projectIds],
    );
    return new Map(rows.map(({ id, schedule }) => [id, schedule]));
  }

  /** Changes the schedule of the project's reports, including waiting reports. */
  async changeSchedule(
    projectId: string,
    { frequency, weekday, time_zone: zone }: ReportSchedule,
    nextAt: Date,
  ): Promise<void> {
    await auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query(
        `INSERT INTO report_schedules (project_id, frequency, weekday, time_zone) VALUES ($1, $2, $3, $4)
         ON CONFLICT (project_id) DO UPDATE SET frequency = $2, weekday = $3, time_zone = $4`,
        [projectId, frequency, weekday, zone],
      );
      await transaction.query(
        `UPDATE report_subscriptions SET next_attempt_at = $2, attempts = 0, reported_week = NULL
         WHERE project_id = $1 AND next_attempt_at < 'infinity'`,
        [projectId, nextAt],
      );
    });
  }

  /** Returns members first, then others in the order they were added. */
  async list(projectId: string, now: number): Promise<ReportRecipient[]> {
    const rows: RecipientRow[] = await this.dataSource.query(
      `SELECT s.id, coalesce(s.address, u.email) AS address, s.user_id IS NOT NULL AS is_member,
         s.next_attempt_at < 'infinity' AS is_confirmed, s.delivery_state, s.delivery_at, s.delivery_error
       ${ACCESSIBLE} ORDER BY s.user_id IS NULL, s.created_at, s.id`,
      [projectId],
    );
    return rows.map(({ delivery_state: state, delivery_at: at, delivery_error: error, ...recipient }) => {
      const isAbandoned = state === 'sending' && now - at!.getTime() > SENDING_TIMEOUT_MS;
      return {
        ...recipient,
        delivery:
          state === null
            ? null
            : isAbandoned
              ? { state: 'failed', at: at!.toISOString(), error: INTERRUPTED }
              : { state: state === 'waiting' ? 'sending' : state, at: at!.toISOString(), error },
      };
    });
  }

  /** Requests the report for all confirmed recipients. Returns their number. */
  request(projectId: string, report: RequestedReport): Promise<number> {
    return executeAndCount(
      this.dataSource,
      `UPDATE report_subscriptions d
       SET requested_report = $3, delivery_state = 'waiting', delivery_at = $2, delivery_error = NULL
       FROM (SELECT s.id ${ACCESSIBLE} AND s.next_attempt_at < 'infinity') r WHERE d.id = r.id`,
      [projectId, new Date(report.at), report],
    );
  }

  /**
   * Claims a requested report, so no other process sends it and a crash doesn't send it twice.
   *
   * @param except IDs of subscriptions to skip.
   */
  async claimRequest(now: number, except: readonly string[] = []): Promise<ClaimedRequest | undefined> {
    const [row] = await executeReturning<ClaimedRequest>(
      this.dataSource,
      // A join could run a subquery several times, and lock another row each time.
      `WITH r AS MATERIALIZED (
         SELECT s.id, s.requested_report, coalesce(s.address, u.email) AS email
         FROM report_subscriptions s LEFT JOIN users u ON u.id = s.user_id
         WHERE s.requested_report IS NOT NULL AND NOT s.id = ANY ($2::uuid[])
           AND (s.user_id IS NULL OR ${CAN_READ_PROJECT})
         ORDER BY s.delivery_at, s.id LIMIT 1 FOR UPDATE OF s SKIP LOCKED
       )
       UPDATE report_subscriptions d SET requested_report = NULL, delivery_state = 'sending', delivery_at = $1
       FROM r, projects p LEFT JOIN report_schedules c ON c.project_id = p.id
       WHERE d.id = r.id AND p.id = d.project_id
       RETURNING d.id, d.project_id, r.email, d.unsubscription, d.user_id, ${ZONED_SCHEDULE} AS schedule,
         r.requested_report`,
      [new Date(now), except],
    );
    return row;
  }

  /** Returns a claimed report whose sending didn't start, unless the report was requested again. */
  async releaseRequest({ id, requested_report: report }: ClaimedRequest): Promise<void> {
    await this.dataSource.query(
      `UPDATE report_subscriptions SET requested_report = $2, delivery_state = 'waiting'
       WHERE id = $1 AND delivery_state = 'sending'`,
      [id, report],
    );
  }

  /**
   * Records the outcome of a delivery.
   *
   * @param error Null if the report was sent.
   */
  async recordDelivery(id: string, error: string | null, now: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE report_subscriptions SET delivery_state = $2, delivery_at = $3, delivery_error = $4
       WHERE id = $1 AND requested_report IS NULL`,
      [id, error === null ? 'sent' : 'failed', new Date(now), error],
    );
  }

  /**
   * Adds a recipient without an account, who must confirm the address.
   *
   * @param address In lowercase.
   * @returns `full` if the project has reached `MAX_REPORT_RECIPIENTS`, `exists` if it already has the
   * address, or `refused` if the recipient unsubscribed from the project's reports.
   */
  async add(projectId: string, address: string): Promise<AddedRecipient | 'full' | 'exists' | 'refused'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Lock the project, so concurrent requests can't exceed the limit.
      await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [projectId]);
      const [{ count, exists }]: [{ count: number; exists: boolean }] = await transaction.query(
        `SELECT count(s.address)::integer AS count, coalesce(bool_or(lower(coalesce(s.address, u.email)) = $2), false) AS exists
         ${ACCESSIBLE}`,
        [projectId, address],
      );
      if (exists) return 'exists';
      const refusals: unknown[] = await transaction.query(
        `SELECT FROM report_refusals WHERE project_id = $1 AND address = $2`,
        [projectId, address],
      );
      if (refusals.length > 0) return 'refused';
      if (count >= MAX_REPORT_RECIPIENTS) return 'full';
      const [added]: [AddedRecipient] = await transaction.query(
        `INSERT INTO report_subscriptions (project_id, address, next_attempt_at) VALUES ($1, $2, 'infinity')
         RETURNING id, unsubscription`,
        [projectId, address],
      );
      return added;
    });
  }

  /** Removes a recipient. Returns false if it doesn't exist. */
  async remove(projectId: string, id: string): Promise<boolean> {
    const removed = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(transaction, `DELETE FROM report_subscriptions WHERE project_id = $1 AND id = $2`, [
        projectId,
        id,
      ]),
    );
    return removed > 0;
  }

  /**
   * Confirms a recipient's address, so the next report is sent to it.
   *
   * @returns False if the recipient doesn't exist.
   */
  async confirm(unsubscription: string, now: number): Promise<boolean> {
    const [row]: { schedule: ZonedSchedule }[] = await this.dataSource.query(
      `SELECT ${ZONED_SCHEDULE} AS schedule FROM report_subscriptions s JOIN projects p ON p.id = s.project_id
         LEFT JOIN report_schedules c ON c.project_id = p.id WHERE s.unsubscription = $1`,
      [unsubscription],
    );
    if (row === undefined) return false;
    await this.dataSource.query(
      `UPDATE report_subscriptions SET next_attempt_at = $2 WHERE unsubscription = $1 AND next_attempt_at = 'infinity'`,
      [unsubscription, new Date(getNextReportTime(row.schedule, now))],
    );
    return true;
  }
}
