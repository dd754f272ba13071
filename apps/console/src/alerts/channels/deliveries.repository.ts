import { Injectable } from '@nestjs/common';
import { MAX_ALERT_DELIVERIES, type AlertDelivery } from '#libs/contracts';
import { recordAuditedAction, auditedTransaction, executeReturning, executeAndCount } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import type { AlertMessage } from './alert-message.js';
import type { SealedChannel } from './channels.repository.js';

/**
 * Lifetime of a claim, in case the process crashes. Must exceed the longest attempt: 20 s for a webhook, and longer for
 * an email, which may wait for a connection.
 */
const CLAIM_TIMEOUT_MS = 420_000;
const RETENTION_DAYS = 30;
/** Maximum number of concurrent attempts per project, so one project can't delay other projects' alerts. */
const MAX_ATTEMPTS_PER_PROJECT = 3;
/**
 * Maximum number of concurrent attempts on channels that didn't respond last time, so responsive channels always have
 * capacity.
 */
const MAX_UNRESPONSIVE_ATTEMPTS = 10;

export interface ClaimedDelivery extends SealedChannel {
  id: string;
  channel_id: string;
  project_id: string;
  message: AlertMessage;
  created_at: Date;
  attempts: number;
  claimed_until: Date;
  /** Addresses that haven't received the email yet. Null if none of them has received it. */
  left_addresses: string[] | null;
}

export interface Attempt {
  status: number | null;
  /** Null if the message was delivered. */
  error: string | null;
  isAnswered: boolean;
  /**
   * Addresses that haven't received the email yet. Null if all or none of them have received it. `isFinal` means that
   * the server rejected them permanently.
   */
  left: { addresses: readonly string[]; isFinal: boolean } | null;
}

/** Action after a failed attempt: retry at a given time, give up, or disable the channel for the given reason. */
export type AfterFailure = { nextAttemptAt: Date } | 'nothing' | { disables: string };

type Row = Record<'id' | 'channel_id' | 'type' | 'title', string> & {
  state: AlertDelivery['state'];
  attempts: number;
  status: number | null;
  error: string | null;
} & Record<'created_at', Date> &
  Record<'last_attempt_at' | 'next_attempt_at', Date | null>;

const DELIVERY_COLUMNS = `d.id, d.channel_id, d.type, d.message ->> 'title' AS title, d.created_at, d.attempts, d.last_attempt_at,
  d.next_attempt_at, d.status, d.error,
  CASE WHEN d.delivered_at IS NOT NULL THEN 'delivered' WHEN d.next_attempt_at IS NOT NULL THEN 'waiting' ELSE 'failed' END AS state`;
const CLAIMED_COLUMNS = `d.id, d.channel_id, d.project_id, d.message, d.created_at, d.attempts, d.claimed_until, d.left_addresses, c.kind,
  c.target, c.secret, c.former_secret, c.former_secret_until`;

const IS_DUE = 'd.next_attempt_at <= $1 AND (d.claimed_until IS NULL OR d.claimed_until <= $1)';

@Injectable()
export class DeliveriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the project's deliveries, newest first.
   *
   * @param id Delivery ID, or null for all deliveries.
   */
  async list(projectId: string, id: string | null = null): Promise<AlertDelivery[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${DELIVERY_COLUMNS} FROM alert_deliveries d WHERE project_id = $1 AND ($2::uuid IS NULL OR id = $2)
       ORDER BY created_at DESC, id DESC LIMIT ${MAX_ALERT_DELIVERIES}`,
      [projectId, id],
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
      next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    }));
  }

  /**
   * Queues messages for their projects' enabled channels. If an alert selects channels, its messages are only queued
   * for the selected ones. Skips messages of deleted alerts.
   */
  async enqueue(transaction: EntityManager, messages: readonly AlertMessage[], now: Date): Promise<void> {
    if (messages.length === 0) return;
    await transaction.query(
      `INSERT INTO alert_deliveries (channel_id, project_id, type, message, created_at, next_attempt_at)
       SELECT c.id, c.project_id, m ->> 'type', m, $2, $2
       FROM unnest($1::jsonb[]) m JOIN alert_channels c ON c.project_id = (m -> 'project' ->> 'id')::uuid AND c.is_enabled
         LEFT JOIN alerts a ON a.id = (m -> 'alert' ->> 'id')::uuid
       WHERE a.deleted_at IS NULL AND (a.channel_ids IS NULL OR c.id = ANY (a.channel_ids))`,
      [messages.map((message) => JSON.stringify(message)), now],
    );
  }

  /**
   * Stores a message that won't be retried, and claims it for immediate delivery.
   *
   * @returns Undefined if the channel doesn't exist.
   */
  async claimNew(channelId: string, message: AlertMessage, now: number): Promise<ClaimedDelivery | undefined> {
    // Lock rows in the same order as a deletion, to avoid deadlocks.
    const [row]: ClaimedDelivery[] = await this.dataSource.query(
      `WITH p AS MATERIALIZED (
         SELECT id FROM projects WHERE id = $2 FOR KEY SHARE
       ), c AS (
         SELECT c.* FROM p JOIN alert_channels c ON c.project_id = p.id WHERE c.id = $1 FOR KEY SHARE OF c
       ), d AS (
         INSERT INTO alert_deliveries (channel_id, project_id, type, message, created_at, claimed_until)
         SELECT id, project_id, $3, $4::jsonb, $5::timestamptz, $6::timestamptz FROM c
         RETURNING *
       ) SELECT ${CLAIMED_COLUMNS} FROM d JOIN c ON c.id = d.channel_id`,
      [
        channelId,
        message.project.id,
        message.type,
        JSON.stringify(message),
        new Date(now),
        new Date(now + CLAIM_TIMEOUT_MS),
      ],
    );
    return row;
  }

  /** Returns the number of messages that a test or replay sends: one per address for email, otherwise one. */
  async countRecipients(projectId: string, ids: { channelId?: string; deliveryId?: string }): Promise<number> {
    const [row]: { recipients: number }[] = await this.dataSource.query(
      `SELECT CASE WHEN kind = 'email' THEN cardinality(string_to_array(target_hint, ', ')) ELSE 1 END AS recipients
       FROM alert_channels
       WHERE project_id = $1 AND id = coalesce($2::uuid, (SELECT channel_id FROM alert_deliveries WHERE id = $3))`,
      [projectId, ids.channelId ?? null, ids.deliveryId ?? null],
    );
    return row?.recipients ?? 1;
  }

  /** Claims due deliveries, so no other process attempts them. Deliveries to disabled channels remain queued. */
  async claim(now: number, limit: number): Promise<ClaimedDelivery[]> {
    const rows = await executeReturning<ClaimedDelivery>(
      this.dataSource,
      // A join could run a subquery several times, and lock other rows each time.
      `WITH due AS MATERIALIZED (
         SELECT d.id FROM alert_deliveries d JOIN (
           SELECT id, rank, is_unanswered, row_number() OVER (PARTITION BY is_unanswered ORDER BY rank, next_attempt_at, id) + (
             SELECT count(*) FROM alert_deliveries d JOIN alert_channels c ON c.id = d.channel_id
             WHERE next_attempt_at <= $1 AND claimed_until > $1 AND c.is_unanswered
           ) AS turn
           FROM (
             SELECT d.id, d.next_attempt_at, c.is_unanswered, coalesce(busy.attempts, 0)
               + row_number() OVER (PARTITION BY d.project_id ORDER BY c.is_unanswered, d.next_attempt_at, d.id) AS rank
             FROM alert_deliveries d JOIN alert_channels c ON c.id = d.channel_id LEFT JOIN (
               SELECT project_id, count(*) AS attempts FROM alert_deliveries
               WHERE next_attempt_at <= $1 AND claimed_until > $1 GROUP BY project_id
             ) busy ON busy.project_id = d.project_id
             WHERE ${IS_DUE} AND c.is_enabled
           ) waiting WHERE rank <= ${MAX_ATTEMPTS_PER_PROJECT}
         ) ranked ON ranked.id = d.id
         WHERE (turn <= ${MAX_UNRESPONSIVE_ATTEMPTS} OR NOT is_unanswered) AND ${IS_DUE}
         ORDER BY is_unanswered, rank, d.next_attempt_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED
       )
       UPDATE alert_deliveries d SET claimed_until = $2
       FROM due, alert_channels c
       WHERE d.id = due.id AND c.id = d.channel_id
       RETURNING ${CLAIMED_COLUMNS}`,
      [new Date(now), new Date(now + CLAIM_TIMEOUT_MS), limit],
    );
    return rows;
  }

  /**
   * Records the outcome of an attempt, unless another process has claimed the delivery in the meantime.
   *
   * @param after Action to take if the attempt failed.
   * @param notice Builds the message to the other channels if this channel is disabled.
   */
  async settle(
    { id, channel_id: channelId, claimed_until: claim }: ClaimedDelivery,
    { status, error, isAnswered, left }: Attempt,
    { at, after, notice }: { at: Date; after: AfterFailure; notice: (name: string, reason: string) => AlertMessage },
  ): Promise<void> {
    const next = typeof after === 'object' && 'nextAttemptAt' in after ? after.nextAttemptAt : null;
    const reason = error !== null && typeof after === 'object' && 'disables' in after ? after.disables : null;
    await auditedTransaction(this.dataSource, async (transaction) => {
      // Lock the channel first to avoid a deadlock: disabling it also updates its other deliveries.
      if (reason !== null) await transaction.query(`SELECT FROM alert_channels WHERE id = $1 FOR UPDATE`, [channelId]);
      await transaction.query(`UPDATE alert_channels SET is_unanswered = $2 WHERE id = $1 AND is_unanswered <> $2`, [
        channelId,
        !isAnswered,
      ]);
      const settled = await executeAndCount(
        transaction,
        `UPDATE alert_deliveries SET attempts = attempts + 1, last_attempt_at = $2, claimed_until = NULL, status = $3, error = $4,
           delivered_at = CASE WHEN $4::text IS NULL THEN $2::timestamptz END, left_addresses = $6,
           -- Leave null if the channel was disabled in the meantime, which cancels all its queued deliveries.
           next_attempt_at = CASE WHEN next_attempt_at IS NOT NULL THEN $5::timestamptz END
         WHERE id = $1 AND claimed_until = $7`,
        [id, at, status, error, next, left?.addresses ?? null, claim],
      );
      if (reason === null || settled === 0) return;
      const [disabled] = await executeReturning<{ name: string }>(
        transaction,
        `UPDATE alert_channels SET is_enabled = false, disabled_reason = $2 WHERE id = $1 AND is_enabled RETURNING name`,
        [channelId, reason],
      );
      if (disabled === undefined) return;
      await transaction.query(
        `UPDATE alert_deliveries SET next_attempt_at = NULL, error = coalesce(error, 'The channel was turned off.')
         WHERE channel_id = $1 AND next_attempt_at IS NOT NULL`,
        [channelId],
      );
      await this.enqueue(transaction, [notice(disabled.name, reason)], at);
    });
  }

  /** Releases a claim without recording an attempt. */
  async release({ id, claimed_until: claim }: ClaimedDelivery): Promise<void> {
    await this.dataSource.query(
      `UPDATE alert_deliveries SET claimed_until = NULL WHERE id = $1 AND claimed_until = $2`,
      [id, claim],
    );
  }

  /**
   * Queues a finished delivery again and restarts its retry schedule.
   *
   * @returns False if the delivery doesn't exist or isn't finished, or if its channel is disabled.
   */
  async replay(projectId: string, id: string, now: number): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const replayed = await executeAndCount(
        transaction,
        `UPDATE alert_deliveries d SET attempts = 0, next_attempt_at = $3, delivered_at = NULL, status = NULL, error = NULL
         FROM alert_channels c
         WHERE d.project_id = $1 AND d.id = $2 AND d.next_attempt_at IS NULL AND c.id = d.channel_id AND c.is_enabled
           AND (d.claimed_until IS NULL OR d.claimed_until <= $3)`,
        [projectId, id, new Date(now)],
      );
      if (replayed > 0) await recordAuditedAction(transaction, { subject: 'alert_delivery', id, projectId });
      return replayed > 0;
    });
  }

  /** Deletes deliveries older than 30 days, unless they are queued for an enabled channel. */
  async deleteOld(now: number): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM alert_deliveries d WHERE created_at < $1 AND (next_attempt_at IS NULL OR NOT EXISTS (
         SELECT FROM alert_channels c WHERE c.id = d.channel_id AND c.is_enabled))`,
      [new Date(now - RETENTION_DAYS * 86_400_000)],
    );
  }
}
