import { Injectable } from '@nestjs/common';
import { USER_TRIGGERED_TYPES, type AlertKind } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { CONDITIONS } from './alert-conditions.sql.js';
import { select, createSnapshot, type Snapshot } from './snapshot.js';

/** An alert to evaluate. It's limited to `agent_id`, `agent_type` or `operator` if one of them is set. */
export interface WatchedAlert {
  id: string;
  project_id: string;
  kind: AlertKind;
  agent_id: string | null;
  agent_type: string | null;
  operator: string | null;
  threshold: number;
  minimum: number;
  window_minutes: number;
  /**
   * Agents first seen after this time are reported even if their visits were counted late. If null, only agents first
   * seen during the evaluated period are reported.
   */
  watched_since: Date | null;
  project_created_at: Date;
}

/** Evaluation times and the maximum number of rows to return, or null to return all of them. */
export interface EvaluationRange {
  first: Date;
  last: Date;
  limit: number | null;
}

export interface ScopedAgent {
  id: string;
  type: string | null;
  operator: string | null;
}

/** A condition that was met at all evaluation times from `at` to `until`, with the same values. */
export interface MetCondition {
  alert_id: string;
  subject: string;
  at: Date;
  until: Date;
  value: number;
  usual: number | null;
}

/** The value closest to firing in a period of an alert's chart. */
export interface MeasuredValue {
  /** Start of the period. */
  time: Date;
  value: number;
  /** Value from which the alert fires. */
  boundary: number | null;
}

/** Evaluates alert conditions that are based on counts. Ignores other kinds of alerts. */
@Injectable()
export class AlertConditionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the times when alert conditions were met. Evaluates them at the end of every 15-minute bucket from `first`
   * to `last`, inclusive.
   *
   * @param agents Agents in the catalog. Alerts for a type or operator ignore all others.
   * @param snapshot Snapshot to read from. By default, each statement reads the latest data.
   */
  async findMetConditions(
    alerts: readonly WatchedAlert[],
    agents: readonly ScopedAgent[],
    { first, last, limit }: EvaluationRange,
    snapshot = this.liveSnapshot,
  ): Promise<MetCondition[]> {
    const metConditions: MetCondition[][] = [];
    for (const { kinds, statement } of CONDITIONS) {
      const watched = alerts.filter(({ kind }) => kinds.includes(kind));
      if (watched.length === 0) continue;
      const parameters = [first, last, JSON.stringify(watched), scopeCatalog(agents, watched), limit];
      metConditions.push(await select<MetCondition>(snapshot, statement, parameters));
    }
    return metConditions.flat();
  }

  /**
   * Returns the times when an alert's condition was met, and its values for a chart, one per `CHART_BUCKET_HOURS` with
   * visits. Both come from one statement, because summing the counts takes most of the time. Returns null for kinds that
   * measure no value.
   */
  async preview(
    alert: WatchedAlert,
    agents: readonly ScopedAgent[],
    { first, last, limit }: EvaluationRange,
    snapshot: Snapshot,
  ): Promise<{ met: MetCondition[]; values: MeasuredValue[] } | null> {
    const statement = CONDITIONS.find(({ kinds }) => kinds.includes(alert.kind))?.previewStatement;
    if (statement == null) return null;
    const parameters = [first, last, JSON.stringify([alert]), scopeCatalog(agents, [alert]), limit];
    const rows = await select<MetCondition | MeasuredValue>(snapshot, statement, parameters);
    const isValue = (row: MetCondition | MeasuredValue): row is MeasuredValue => 'time' in row && row.time !== null;
    return {
      met: rows.filter((row): row is MetCondition => !isValue(row)),
      values: rows.filter(isValue),
    };
  }

  private readonly liveSnapshot = createSnapshot((text, parameters) => this.dataSource.query(text, parameters));
}

/**
 * Returns the agents whose type or operator can affect the result, as JSON. PostgreSQL compares every count with every
 * one of them, so passing the entire catalog would make previews slow.
 */
function scopeCatalog(agents: readonly ScopedAgent[], alerts: readonly WatchedAlert[]): string {
  const types = new Set(alerts.map((alert) => alert.agent_type));
  const operators = new Set(alerts.map((alert) => alert.operator));
  if (alerts.some(({ kind }) => kind === 'disallowed')) for (const type of USER_TRIGGERED_TYPES) types.add(type);
  return JSON.stringify(
    agents.filter(
      ({ type, operator }) => (type !== null && types.has(type)) || (operator !== null && operators.has(operator)),
    ),
  );
}
