import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  ALERT_PREVIEW_DAYS,
  ALERT_RESTORE_MINUTES,
  MAX_ALERT_EVENTS,
  MAX_ALERTS,
  parseTimestamp,
  type Alert,
  type AlertChange,
  type AlertKind,
  type NewAlert,
} from '#libs/contracts';
import { auditedTransaction, executeReturning, executeAndCount } from '#libs/database';
import { ProblemError } from '#libs/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { EVENT_COLUMNS, type AlertChangeEvent } from './evaluation.repository.js';

type Row = Omit<Alert, 'muted_until' | 'last_fired_at' | 'checked_since' | 'agent_token' | 'daily_events'> & {
  muted_until: Date | null;
  last_fired_at: Date | null;
  checked_since: Date;
  /** Number of events by day in the project's time zone (`YYYY-MM-DD`). Null if there were none. */
  days: Record<string, number> | null;
  time_zone: string;
};

export type AlertSettings = Required<Omit<NewAlert, 'kind'>> & { kind: AlertKind };

const SETTING_COLUMNS = `kind, agent_id, agent_type, operator, threshold, minimum, window_minutes, cooldown_minutes, recovery_minutes,
  channel_ids, is_enabled, muted_until`;
const ALERT_COLUMNS = `a.id, ${SETTING_COLUMNS.replaceAll(/\w+/g, 'a.$&')},
  CASE WHEN NOT a.is_enabled THEN 'off'
    WHEN EXISTS (SELECT FROM alert_events e WHERE e.alert_id = a.id AND e.recovered_at IS NULL) THEN 'firing'
    ELSE 'ok' END AS state,
  (SELECT max(fired_at) FROM alert_events e WHERE e.alert_id = a.id) AS last_fired_at,
  coalesce(a.watched_since, a.created_at) AS checked_since,
  (SELECT jsonb_object_agg(day, events) FROM (
     SELECT to_char(fired_at AT TIME ZONE p.time_zone, 'YYYY-MM-DD') AS day, count(*) AS events FROM alert_events e
     WHERE e.alert_id = a.id AND fired_at > $2 GROUP BY 1
   ) d) AS days, p.time_zone`;

const DAY_MS = 86_400_000;

export const toAlertSettings = ({ kind, ...overrides }: NewAlert): AlertSettings => ({
  kind,
  agent_id: null,
  agent_type: null,
  operator: null,
  channel_ids: null,
  is_enabled: true,
  muted_until: null,
  ...ALERT_KINDS[kind].defaults,
  ...overrides,
});

export type AlertScope = Pick<AlertChange, 'agent_id' | 'agent_type' | 'operator'> & { kind: AlertKind };

/** Columns that determine when an alert fires. A change to one of them closes the alert's open events. */
const WATCHED_COLUMNS = 'agent_id, agent_type, operator, threshold, minimum, window_minutes, is_enabled';
type WatchedRow = AlertScope & Pick<Alert, 'threshold' | 'minimum' | 'window_minutes' | 'is_enabled'>;
const toScope = ({ agent_id, agent_type, operator }: WatchedRow) => ({ agent_id, agent_type, operator });

/** Alert data included in channel messages. */
export type AnnouncedAlert = Pick<Alert, 'id' | 'kind'> & {
  project_id: string;
  project_name: string;
  project_time_zone: string;
};

/** Returns an agent's token. Returns null for a null ID, or if the agent isn't in the catalog. */
export type AgentTokenLookup = (id: string | null) => string | null;

@Injectable()
export class AlertsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the project's alerts, ordered by kind.
   *
   * @param id Alert ID, or null for all alerts.
   */
  async list(projectId: string, now: number, id: string | null = null): Promise<Omit<Alert, 'agent_token'>[]> {
    const since = new Date(now - (ALERT_PREVIEW_DAYS + 1) * DAY_MS);
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${ALERT_COLUMNS} FROM alerts a JOIN projects p ON p.id = a.project_id
       WHERE a.project_id = $1 AND a.deleted_at IS NULL AND ($3::uuid IS NULL OR a.id = $3)
       ORDER BY array_position($4::text[], a.kind), a.created_at, a.id`,
      [projectId, since, id, ALERT_KIND_NAMES],
    );
    return rows.map(({ days, time_zone: timeZone, ...row }) => ({
      ...row,
      muted_until: row.muted_until?.toISOString() ?? null,
      last_fired_at: row.last_fired_at?.toISOString() ?? null,
      checked_since: row.checked_since.toISOString(),
      daily_events: listLastDays(now, timeZone).map((day) => days?.[day] ?? 0),
    }));
  }

  /**
   * Creates an alert.
   *
   * @returns The ID, `full` if the project has reached `MAX_ALERTS`, or `unknown` if the project doesn't exist.
   * @throws {ProblemError} 422 if a channel doesn't belong to the project.
   */
  async create(projectId: string, settings: AlertSettings): Promise<{ id: string } | 'full' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Lock the project, so concurrent requests can't exceed the limit.
      const project: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (project.length === 0) return 'unknown';
      await requireChannels(transaction, projectId, settings.channel_ids);
      return (await isFull(transaction, projectId))
        ? 'full'
        : { id: await insertAlert(transaction, projectId, settings) };
    });
  }

  /**
   * Changes an alert. If its scope or condition changes, its open events are closed, because they would prevent new
   * ones.
   *
   * @param change Must not be empty.
   * @param check Throws if the changed alert isn't allowed. Runs while the alert is locked.
   * @returns False if the alert doesn't exist.
   * @throws {ProblemError} 422 if a channel doesn't belong to the project.
   */
  async change(
    projectId: string,
    id: string,
    change: AlertChange,
    check: (changed: AlertScope) => void = () => undefined,
  ): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Lock channels before the alert, as the deletion of a channel does. The reverse order could deadlock.
      await requireChannels(transaction, projectId, change.channel_ids ?? null);
      const [before]: WatchedRow[] = await transaction.query(
        `SELECT kind, ${WATCHED_COLUMNS} FROM alerts WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
        [projectId, id],
      );
      if (before === undefined) return false;
      check({ kind: before.kind, ...toScope(before), ...change });
      // Safe to interpolate: the body schema only allows column names.
      const names = Object.keys(change);
      const [after] = await executeReturning<WatchedRow>(
        transaction,
        `UPDATE alerts SET ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} WHERE id = $1
         RETURNING kind, ${WATCHED_COLUMNS}`,
        [id, ...toQueryParameters(change)],
      );
      if (isDeepStrictEqual(before, after)) return true;
      await transaction.query(
        `UPDATE alert_events SET recovered_at = now() WHERE alert_id = $1 AND recovered_at IS NULL`,
        [id],
      );
      const isSameScope = isDeepStrictEqual(toScope(before), toScope(after!));
      if (isSameScope && (before.is_enabled || !after!.is_enabled)) return true;
      // The alert now watches something else or was just enabled, so earlier events don't count toward its cooldown.
      await transaction.query(`UPDATE alerts SET watched_since = now() WHERE id = $1`, [id]);
      return true;
    });
  }

  /**
   * Deletes an alert and its history. {@link restore} can undo this for `ALERT_RESTORE_MINUTES`.
   *
   * @returns False if the alert doesn't exist.
   */
  async delete(projectId: string, id: string): Promise<boolean> {
    const deleted = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(
        transaction,
        `UPDATE alerts SET deleted_at = now() WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL`,
        [projectId, id],
      ),
    );
    return deleted > 0;
  }

  /**
   * Restores a deleted alert and its history.
   *
   * @returns `full` if the project has reached `MAX_ALERTS`, or `unknown` if no such alert was deleted recently.
   */
  async restore(projectId: string, id: string): Promise<'restored' | 'full' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [projectId]);
      const deleted: unknown[] = await transaction.query(
        `SELECT FROM alerts WHERE project_id = $1 AND id = $2
           AND deleted_at >= now() - make_interval(mins => ${ALERT_RESTORE_MINUTES}) FOR NO KEY UPDATE`,
        [projectId, id],
      );
      if (deleted.length === 0) return 'unknown';
      if (await isFull(transaction, projectId)) return 'full';
      await transaction.query(`UPDATE alerts SET deleted_at = NULL WHERE id = $1`, [id]);
      return 'restored';
    });
  }

  /** Permanently deletes alerts that can no longer be restored. */
  async purge(now: number): Promise<void> {
    await this.dataSource.query(`DELETE FROM alerts WHERE deleted_at < $1`, [
      new Date(now - ALERT_RESTORE_MINUTES * 60_000),
    ]);
  }

  /** Returns the given alerts, except those without an enabled channel. */
  findAnnounced(transaction: EntityManager, ids: readonly string[]): Promise<AnnouncedAlert[]> {
    return transaction.query(
      `SELECT a.id, a.kind, p.id AS project_id, p.name AS project_name, p.time_zone AS project_time_zone
       FROM alerts a JOIN projects p ON p.id = a.project_id
       WHERE a.id = ANY ($1::uuid[]) AND EXISTS (
         SELECT FROM alert_channels c
         WHERE c.project_id = p.id AND c.is_enabled AND (a.channel_ids IS NULL OR c.id = ANY (a.channel_ids)))`,
      [ids],
    );
  }

  /** Loads agent tokens and returns a function that looks them up by agent ID. */
  async loadAgentTokens(
    ids: readonly (string | null)[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<AgentTokenLookup> {
    const uniqueIds = [...new Set(ids.filter((id) => id !== null))];
    const rows: { id: string; token: string }[] =
      uniqueIds.length === 0
        ? []
        : await manager.query(`SELECT id, record ->> 'token' AS token FROM agents WHERE id = ANY ($1::uuid[])`, [
            uniqueIds,
          ]);
    const tokens = new Map(rows.map(({ id, token }) => [id, token]));
    return (id) => (id === null ? null : (tokens.get(id) ?? null));
  }

  /** Returns the latest `MAX_ALERT_EVENTS` events, newest first. */
  listEvents(projectId: string): Promise<AlertChangeEvent[]> {
    return this.dataSource.query(
      `SELECT ${EVENT_COLUMNS} FROM alert_events e JOIN alerts a ON a.id = e.alert_id
       WHERE e.project_id = $1 AND a.deleted_at IS NULL ORDER BY e.fired_at DESC, e.id DESC LIMIT ${MAX_ALERT_EVENTS}`,
      [projectId],
    );
  }
}

/** Returns the last `ALERT_PREVIEW_DAYS` in a time zone as `YYYY-MM-DD`, oldest first. */
function listLastDays(now: number, timeZone: string): string[] {
  const today = Date.parse(new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now));
  return Array.from({ length: ALERT_PREVIEW_DAYS }, (_, index) =>
    new Date(today - (ALERT_PREVIEW_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/**
 * Converts settings to query parameters. Timestamps are parsed here because PostgreSQL accepts fewer formats than the
 * schema.
 */
const toQueryParameters = (settings: object): unknown[] =>
  Object.entries(settings).map(([name, value]: [string, unknown]) =>
    name === 'muted_until' && typeof value === 'string' ? new Date(parseTimestamp(value)!) : value,
  );

/**
 * Locks channels until the transaction ends. If a channel is deleted concurrently, either this check fails or the
 * deletion removes the channel from the alert.
 *
 * @throws {ProblemError} 422 if a channel doesn't belong to the project.
 */
async function requireChannels(
  transaction: EntityManager,
  projectId: string,
  ids: readonly string[] | null,
): Promise<void> {
  if (ids === null) return;
  const lockedChannels: unknown[] = await transaction.query(
    `SELECT FROM alert_channels WHERE project_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE`,
    [projectId, ids],
  );
  if (lockedChannels.length === new Set(ids.map((id) => id.toLowerCase())).size) return;
  throw new ProblemError('invalid-body', 'The alert references a channel that does not exist in this project.', {
    errors: [{ pointer: '/channel_ids', detail: 'must contain only IDs of channels in this project' }],
  });
}

async function isFull(transaction: EntityManager, projectId: string): Promise<boolean> {
  const [{ count }]: [{ count: number }] = await transaction.query(
    `SELECT count(*)::integer AS count FROM alerts WHERE project_id = $1 AND deleted_at IS NULL`,
    [projectId],
  );
  return count >= MAX_ALERTS;
}

async function insertAlert(transaction: EntityManager, projectId: string, settings: AlertSettings): Promise<string> {
  const id = v7();
  const names = Object.keys(settings);
  await transaction.query(
    `INSERT INTO alerts (id, project_id, ${names.join(', ')})
     VALUES ($1, $2, ${names.map((_, index) => `$${index + 3}`).join(', ')})`,
    [id, projectId, ...toQueryParameters(settings)],
  );
  return id;
}

export async function addDefaultAlerts(transaction: EntityManager, projectId: string): Promise<void> {
  for (const kind of ALERT_KIND_NAMES) {
    if (ALERT_KINDS[kind].isDefault) await insertAlert(transaction, projectId, toAlertSettings({ kind }));
  }
}
