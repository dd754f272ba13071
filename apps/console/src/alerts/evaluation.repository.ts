import { Injectable } from '@nestjs/common';
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  type Alert,
  type AlertEvent,
  type AlertKind,
  type AlertTest,
} from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { ConditionsRepository } from './conditions.repository.js';

export const QUARTER_MS = 900_000;
/** Delay of an evaluation after its quarter hour ends, so the last visits are counted. */
const COUNTING_DELAY_MS = 120_000;
/** Evaluations older than this are skipped after an outage. */
const MAX_CATCH_UP_MS = 6 * 3_600_000;

/** Retention of recovered events in days. Must exceed every cooldown and the period of previews and charts. */
const RETENTION_DAYS = 90;

/** Alert settings needed to describe an event, as of the time it fired. */
export type EventRule = Pick<Alert, 'agent_id' | 'agent_type' | 'operator' | 'window_minutes'>;

export interface AlertChangeEvent {
  id: string;
  alert_id: string;
  project_id: string;
  kind: AlertKind;
  subject: string;
  value: number;
  usual: number | null;
  fired_at: Date;
  recovered_at: Date | null;
  /** Whether to send notifications. False if the alert was muted when it fired. */
  is_told: boolean;
  rule: EventRule;
}

/** Event of an alert's preview. Times are in ISO 8601 format. */
type PastEvent = Pick<AlertEvent, 'subject' | 'value' | 'usual' | 'fired_at' | 'recovered_at'>;

/** Stores the notifications for events in the transaction that changed them. */
export type Announce = (transaction: EntityManager, events: AlertChangeEvent[], at: Date) => Promise<void>;

const RULE_JSON = `jsonb_build_object('agent_id', a.agent_id, 'agent_type', a.agent_type, 'operator', a.operator,
  'window_minutes', a.window_minutes)`;
/** SQL columns of an {@link AlertChangeEvent}, from `alert_events` as `e` and `alerts` as `a`. */
export const EVENT_COLUMNS = `e.id, e.alert_id, e.project_id, a.kind, e.subject, e.value, e.usual, e.fired_at, e.recovered_at, e.is_told,
  e.rule`;
/** Kinds whose events recover immediately after they fire. */
const MOMENTARY_KINDS = ALERT_KIND_NAMES.filter((kind) => !ALERT_KINDS[kind].lasts);
/** Kinds that ignore their cooldown when the count has doubled since they fired. */
const COUNT_KINDS = ALERT_KIND_NAMES.filter((kind) => ALERT_KINDS[kind].test === 'count');
const COUNT_TESTS: ReadonlySet<AlertTest> = new Set<AlertTest>(['seen', 'count']);
/**
 * Kinds of alerts that can't be evaluated until all visits are counted, because further visits can undo their
 * condition. Once a minimum number of visits is reached, in contrast, it remains reached.
 */
const REVERSIBLE_KINDS = ALERT_KIND_NAMES.filter((kind) => !COUNT_TESTS.has(ALERT_KINDS[kind].test));

/**
 * Fires and recovers events in a single statement, so each change is applied and announced exactly once. An early
 * evaluation ($7) fires events but doesn't recover them. When the skipped times are evaluated later, these events stay
 * open because `last_met_at` never moves backwards.
 */
const APPLY_QUERY = `
  WITH met AS (
    SELECT * FROM unnest($2::uuid[], $3::text[], $4::float8[], $5::float8[]) m (alert_id, subject, value, usual)
  ), lasting AS (
    UPDATE alert_events e SET last_met_at = greatest(e.last_met_at, $1) FROM met
    WHERE NOT $7::boolean AND (e.alert_id, e.subject) = (met.alert_id, met.subject) AND e.recovered_at IS NULL
  ), fired AS (
    INSERT INTO alert_events AS e (alert_id, project_id, subject, value, usual, fired_at, last_met_at, recovered_at, is_told, rule)
    SELECT a.id, a.project_id, met.subject, met.value, met.usual, $1, $1,
      CASE WHEN a.kind = ANY ($6::text[]) THEN $1::timestamptz END, coalesce(a.muted_until <= $1, true), ${RULE_JSON}
    FROM met JOIN alerts a ON a.id = met.alert_id AND a.deleted_at IS NULL
    WHERE NOT ($7 AND a.kind = ANY ($8::text[])) AND NOT EXISTS (
      SELECT FROM alert_events o WHERE (o.alert_id, o.subject) = (met.alert_id, met.subject)
        AND (o.recovered_at IS NULL OR o.fired_at > $1::timestamptz - make_interval(mins => a.cooldown_minutes)
          AND o.fired_at >= coalesce(a.watched_since, '-infinity')
          AND NOT (a.kind = ANY ($9::text[]) AND met.value >= 2 * o.value))
    ) RETURNING e.*
  ), recovered AS (
    UPDATE alert_events e SET recovered_at = $1 FROM alerts a
    WHERE NOT $7 AND a.id = e.alert_id AND a.is_enabled AND a.deleted_at IS NULL AND e.recovered_at IS NULL
      AND e.last_met_at <= $1::timestamptz - make_interval(mins => a.recovery_minutes)
      AND NOT EXISTS (SELECT FROM met WHERE (met.alert_id, met.subject) = (e.alert_id, e.subject))
    RETURNING e.*
  )
  SELECT ${EVENT_COLUMNS} FROM (SELECT * FROM fired UNION ALL SELECT * FROM recovered) e JOIN alerts a ON a.id = e.alert_id
  ORDER BY e.alert_id, e.subject`;

const IS_AFFECTED = `(a.id = ANY ($1::uuid[])
  OR EXISTS (SELECT FROM alert_events e WHERE e.alert_id = a.id AND e.recovered_at IS NULL))`;
/** Locks rows in the same order as changes and deletions do: projects, channels, alerts, events. */
const LOCK_QUERIES = [
  `SELECT FROM projects p WHERE EXISTS (SELECT FROM alerts a WHERE a.project_id = p.id AND ${IS_AFFECTED})
   ORDER BY id FOR KEY SHARE`,
  `SELECT FROM alert_channels c WHERE EXISTS (SELECT FROM alerts a WHERE a.project_id = c.project_id AND ${IS_AFFECTED})
   ORDER BY id FOR KEY SHARE`,
  `SELECT FROM alerts a WHERE ${IS_AFFECTED} ORDER BY id FOR SHARE`,
];

/** Evaluates alerts and records the ones that fire and recover. */
@Injectable()
export class AlertEvaluationRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly conditions: ConditionsRepository,
  ) {}

  /**
   * Evaluates all alerts for the next quarter hour that is due. Only one process can do this at a time.
   *
   * @param announce Stores the notifications in the same transaction.
   * @param expectedTime Expected time, from {@link nextDue}. If another process has already evaluated it, this call does
   * nothing.
   * @returns False if no quarter hour is due, or if another process is evaluating.
   */
  evaluateNext(now: number, announce: Announce, expectedTime?: number): Promise<boolean> {
    return this.ifLockAcquired(async (transaction) => {
      const next = await nextDue(transaction, now);
      if (next === null || (expectedTime !== undefined && next !== expectedTime)) return false;
      const at = new Date(next);
      await announce(transaction, await this.apply(transaction, at), at);
      await transaction.query(
        `INSERT INTO alert_evaluation (evaluated_until) VALUES ($1)
         ON CONFLICT (is_only) DO UPDATE SET evaluated_until = excluded.evaluated_until`,
        [at],
      );
      return true;
    });
  }

  /**
   * Fires events based on the visits counted so far, for a time that can't be fully evaluated yet. A repeated or later
   * evaluation of the same time doesn't fire them again.
   *
   * @returns False if another process is evaluating.
   */
  fireEarly(time: number, announce: Announce): Promise<boolean> {
    return this.ifLockAcquired(async (transaction) => {
      const at = new Date(time);
      const until = await evaluatedUntil(transaction);
      if (until === null || until < at) await announce(transaction, await this.apply(transaction, at, true), at);
      return true;
    });
  }

  /** Returns the end of the next quarter hour to evaluate in milliseconds since the epoch, or null if none is due. */
  nextDue(now: number): Promise<number | null> {
    return nextDue(this.dataSource.manager, now);
  }

  /** Returns whether the outbox still contains visits received before a time. */
  async isWaitingForKafka(before: Date): Promise<boolean> {
    const oldest: unknown[] = await this.dataSource.query(
      `SELECT FROM (SELECT created_at FROM visits_outbox ORDER BY id LIMIT 1) o WHERE created_at < $1`,
      [before],
    );
    return oldest.length > 0;
  }

  evaluatedUntil(): Promise<Date | null> {
    return evaluatedUntil(this.dataSource.manager);
  }

  /**
   * Deletes events that recovered more than 90 days ago. Retains each alert's last event, which provides
   * `last_fired_at`.
   */
  async deleteOld(now: number): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM alert_events e WHERE recovered_at < $1
         AND EXISTS (SELECT FROM alert_events o WHERE o.alert_id = e.alert_id AND o.fired_at > e.fired_at)`,
      [new Date(now - RETENTION_DAYS * 86_400_000)],
    );
  }

  /**
   * Records events that an alert would have triggered before it existed. The bell lists them, but channels don't receive
   * them.
   */
  async recordPast(transaction: EntityManager, alertId: string, events: readonly PastEvent[]): Promise<void> {
    await transaction.query(
      `INSERT INTO alert_events AS e (alert_id, project_id, subject, value, usual, fired_at, last_met_at, recovered_at, is_told, rule)
       SELECT a.id, a.project_id, coalesce(p.subject, ''), p.value, p.usual, p.fired_at, coalesce(p.recovered_at, p.fired_at),
         p.recovered_at, true, ${RULE_JSON}
       FROM json_to_recordset($2)
         AS p (subject text, value float8, usual float8, fired_at timestamptz, recovered_at timestamptz)
       JOIN alerts a ON a.id = $1
       ON CONFLICT DO NOTHING`,
      [alertId, JSON.stringify(events)],
    );
  }

  private ifLockAcquired(work: (transaction: EntityManager) => Promise<boolean>): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      const [{ isElected }]: [{ isElected: boolean }] = await transaction.query(
        'SELECT pg_try_advisory_xact_lock($1) AS "isElected"',
        [ADVISORY_LOCKS.alerts],
      );
      return isElected && work(transaction);
    });
  }

  private async apply(transaction: EntityManager, at: Date, isEarly = false): Promise<AlertChangeEvent[]> {
    const met = await this.conditions.findMetConditions(transaction, at);
    const ids = met.map(({ alert_id: id }) => id);
    for (const statement of LOCK_QUERIES) await transaction.query(statement, [ids]);
    return transaction.query(APPLY_QUERY, [
      at,
      ids,
      met.map(({ subject }) => subject),
      met.map(({ value }) => value),
      met.map(({ usual }) => usual),
      MOMENTARY_KINDS,
      isEarly,
      REVERSIBLE_KINDS,
      COUNT_KINDS,
    ]);
  }
}

async function evaluatedUntil(manager: EntityManager): Promise<Date | null> {
  const [row]: { evaluated_until: Date }[] = await manager.query(`SELECT evaluated_until FROM alert_evaluation`);
  return row?.evaluated_until ?? null;
}

/** Returns the end of the latest quarter hour that is due for evaluation, in milliseconds since the epoch. */
export const lastDue = (now: number): number => Math.floor((now - COUNTING_DELAY_MS) / QUARTER_MS) * QUARTER_MS;

async function nextDue(manager: EntityManager, now: number): Promise<number | null> {
  const last = await evaluatedUntil(manager);
  const due = lastDue(now);
  const next = last === null ? due : Math.max(last.getTime() + QUARTER_MS, due - MAX_CATCH_UP_MS);
  return next > due ? null : next;
}
