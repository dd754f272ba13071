import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  ALERT_PREVIEW_DAYS,
  MAX_ALERT_EVENTS,
  MAX_ALERTS,
  parseTimestamp,
  type Alert,
  type AlertChange,
  type AlertKind,
  type NewAlert,
} from '#libs/contracts';
import { auditedTransaction, changeRows, countChanged } from '#libs/database';
import { ProblemError } from '#libs/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { EVENT, type AlertChangeEvent } from './evaluation.repository.js';

type Row = Omit<Alert, 'muted_until' | 'last_fired_at' | 'agent_token' | 'daily_events'> & {
  muted_until: Date | null;
  last_fired_at: Date | null;
  /** Number of events by day (`YYYY-MM-DD`) in the last `ALERT_PREVIEW_DAYS`. Null if there were none. */
  days: Record<string, number> | null;
};

export type AlertSettings = Required<Omit<NewAlert, 'kind'>> & { kind: AlertKind };

const SETTINGS = `kind, agent_id, agent_type, operator, threshold, minimum, window_minutes, cooldown_minutes, recovery_minutes,
  channel_ids, is_enabled, muted_until`;
const FIELDS = `a.id, ${SETTINGS.replaceAll(/\w+/g, 'a.$&')},
  CASE WHEN NOT a.is_enabled THEN 'off'
    WHEN EXISTS (SELECT FROM alert_events e WHERE e.alert_id = a.id AND e.recovered_at IS NULL) THEN 'firing'
    ELSE 'ok' END AS state,
  (SELECT max(fired_at) FROM alert_events e WHERE e.alert_id = a.id) AS last_fired_at,
  (SELECT jsonb_object_agg(day, events) FROM (
     SELECT to_char(fired_at, 'YYYY-MM-DD') AS day, count(*) AS events FROM alert_events e
     WHERE e.alert_id = a.id AND fired_at > $2 GROUP BY 1
   ) d) AS days`;

const DAY_MS = 86_400_000;

/** Fills in the defaults for this kind of alert. */
export const settingsOf = ({ kind, ...given }: NewAlert): AlertSettings => ({
  kind,
  agent_id: null,
  agent_type: null,
  operator: null,
  channel_ids: null,
  is_enabled: true,
  muted_until: null,
  ...ALERT_KINDS[kind].defaults,
  ...given,
});

export type AlertScope = Pick<AlertChange, 'agent_id' | 'agent_type' | 'operator'> & { kind: AlertKind };

/** Columns that determine which events an alert fires for. */
const WATCHED = 'agent_id, agent_type, operator, threshold, minimum, window_minutes, is_enabled';
type WatchedRow = AlertScope & Pick<Alert, 'threshold' | 'minimum' | 'window_minutes' | 'is_enabled'>;
const scopeOf = ({ agent_id, agent_type, operator }: WatchedRow) => ({ agent_id, agent_type, operator });

/** Data about an alert for messages to its channels. */
export type AnnouncedAlert = Pick<Alert, 'id' | 'kind'> & {
  project_id: string;
  project_name: string;
  project_time_zone: string;
};

/** Returns the token of an agent, or null if the catalog no longer contains it. */
export type TokenOf = (id: string | null) => string | null;

@Injectable()
export class AlertsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns alerts, ordered by kind. @param id Alert to return. Null for all. */
  async list(projectId: string, now: number, id: string | null = null): Promise<Omit<Alert, 'agent_token'>[]> {
    const since = new Date(Math.floor(now / DAY_MS) * DAY_MS - (ALERT_PREVIEW_DAYS - 1) * DAY_MS);
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${FIELDS} FROM alerts a WHERE a.project_id = $1 AND ($3::uuid IS NULL OR a.id = $3)
       ORDER BY array_position($4::text[], a.kind), a.created_at, a.id`,
      [projectId, since, id, ALERT_KIND_NAMES],
    );
    return rows.map(({ days, ...row }) => ({
      ...row,
      muted_until: row.muted_until?.toISOString() ?? null,
      last_fired_at: row.last_fired_at?.toISOString() ?? null,
      daily_events: Array.from({ length: ALERT_PREVIEW_DAYS }, (_, index) => {
        const day = new Date(since.getTime() + index * DAY_MS).toISOString().slice(0, 10);
        return days?.[day] ?? 0;
      }),
    }));
  }

  /**
   * @returns the ID, `full` if the project has reached `MAX_ALERTS`, or `unknown` if the project doesn't exist.
   * @throws ProblemError 422 if a channel doesn't belong to the project.
   */
  async create(projectId: string, settings: AlertSettings): Promise<{ id: string } | 'full' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Serializes concurrent requests, so the limit holds.
      const project: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (project.length === 0) return 'unknown';
      await requireChannels(transaction, projectId, settings.channel_ids);
      const [{ count }]: [{ count: number }] = await transaction.query(
        `SELECT count(*)::integer AS count FROM alerts WHERE project_id = $1`,
        [projectId],
      );
      return count >= MAX_ALERTS ? 'full' : { id: await insertAlert(transaction, projectId, settings) };
    });
  }

  /**
   * Changes an alert. If it then watches something else, its open events end, because they would otherwise prevent new
   * ones from firing.
   *
   * @param change Must not be empty.
   * @param check Throws if the result isn't allowed. The alert is locked while it runs.
   * @returns false if the alert doesn't exist.
   * @throws ProblemError 422 if a channel doesn't belong to the project.
   */
  async change(
    projectId: string,
    id: string,
    change: AlertChange,
    check: (changed: AlertScope) => void = () => undefined,
  ): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Before the alert, to avoid a deadlock: deleting a channel locks them in this order.
      await requireChannels(transaction, projectId, change.channel_ids ?? null);
      const [former]: WatchedRow[] = await transaction.query(
        `SELECT kind, ${WATCHED} FROM alerts WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE`,
        [projectId, id],
      );
      if (former === undefined) return false;
      check({ kind: former.kind, ...scopeOf(former), ...change });
      // The body's schema only allows names of columns.
      const names = Object.keys(change);
      const [latter] = await changeRows<WatchedRow>(
        transaction,
        `UPDATE alerts SET ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} WHERE id = $1
         RETURNING kind, ${WATCHED}`,
        [id, ...valuesOf(change)],
      );
      if (isDeepStrictEqual(former, latter)) return true;
      await transaction.query(
        `UPDATE alert_events SET recovered_at = now() WHERE alert_id = $1 AND recovered_at IS NULL`,
        [id],
      );
      const isSameScope = isDeepStrictEqual(scopeOf(former), scopeOf(latter!));
      if (isSameScope && (former.is_enabled || !latter!.is_enabled)) return true;
      // Events before this time no longer count for the cooldown.
      await transaction.query(`UPDATE alerts SET watched_since = now() WHERE id = $1`, [id]);
      return true;
    });
  }

  /** @returns false if the alert doesn't exist. */
  async delete(projectId: string, id: string): Promise<boolean> {
    const deleted = await auditedTransaction(this.dataSource, (transaction) =>
      countChanged(transaction, `DELETE FROM alerts WHERE project_id = $1 AND id = $2`, [projectId, id]),
    );
    return deleted > 0;
  }

  /** Returns the alerts that go to at least one enabled channel. */
  announced(transaction: EntityManager, ids: readonly string[]): Promise<AnnouncedAlert[]> {
    return transaction.query(
      `SELECT a.id, a.kind, p.id AS project_id, p.name AS project_name, p.time_zone AS project_time_zone
       FROM alerts a JOIN projects p ON p.id = a.project_id
       WHERE a.id = ANY ($1::uuid[]) AND EXISTS (
         SELECT FROM alert_channels c
         WHERE c.project_id = p.id AND c.is_enabled AND (a.channel_ids IS NULL OR c.id = ANY (a.channel_ids)))`,
      [ids],
    );
  }

  /** Loads the tokens of agents by ID. Nulls are ignored. */
  async tokensOf(ids: readonly (string | null)[], manager: EntityManager = this.dataSource.manager): Promise<TokenOf> {
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    const rows: { id: string; token: string }[] =
      wanted.length === 0
        ? []
        : await manager.query(
            `SELECT id, coalesce(own, bundled, feed) ->> 'token' AS token FROM agents WHERE id = ANY ($1::uuid[])`,
            [wanted],
          );
    const tokens = new Map(rows.map(({ id, token }) => [id, token]));
    return (id) => (id === null ? null : (tokens.get(id) ?? null));
  }

  /** Returns events, newest first. */
  events(projectId: string): Promise<AlertChangeEvent[]> {
    return this.dataSource.query(
      `SELECT ${EVENT} FROM alert_events e JOIN alerts a ON a.id = e.alert_id
       WHERE e.project_id = $1 ORDER BY e.fired_at DESC, e.id DESC LIMIT ${MAX_ALERT_EVENTS}`,
      [projectId],
    );
  }
}

/** Parses timestamps, because PostgreSQL accepts fewer formats than the schema. */
const valuesOf = (settings: object): unknown[] =>
  Object.entries(settings).map(([name, value]: [string, unknown]) =>
    name === 'muted_until' && typeof value === 'string' ? new Date(parseTimestamp(value)!) : value,
  );

/**
 * Locks channels until the end of the transaction. If one is deleted concurrently, either this check fails or the
 * deletion removes it from the alert.
 *
 * @throws ProblemError 422 if a channel doesn't belong to the project.
 */
async function requireChannels(
  transaction: EntityManager,
  projectId: string,
  ids: readonly string[] | null,
): Promise<void> {
  if (ids === null) return;
  const known: unknown[] = await transaction.query(
    `SELECT FROM alert_channels WHERE project_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE`,
    [projectId, ids],
  );
  if (known.length === new Set(ids.map((id) => id.toLowerCase())).size) return;
  throw new ProblemError('invalid-body', 'The alert names a channel that the project does not have.', {
    errors: [{ pointer: '/channel_ids', detail: 'must be IDs of channels of the project' }],
  });
}

async function insertAlert(transaction: EntityManager, projectId: string, settings: AlertSettings): Promise<string> {
  const id = v7();
  const names = Object.keys(settings);
  await transaction.query(
    `INSERT INTO alerts (id, project_id, ${names.join(', ')})
     VALUES ($1, $2, ${names.map((_, index) => `$${index + 3}`).join(', ')})`,
    [id, projectId, ...valuesOf(settings)],
  );
  return id;
}

export async function addDefaultAlerts(transaction: EntityManager, projectId: string): Promise<void> {
  for (const kind of ALERT_KIND_NAMES) {
    if (ALERT_KINDS[kind].isDefault) await insertAlert(transaction, projectId, settingsOf({ kind }));
  }
}
