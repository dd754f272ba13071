import { Injectable } from '@nestjs/common';
import type { AlertKind } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { CONDITIONS } from './alert-conditions.sql.js';
import { select, createSnapshot } from './snapshot.js';

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

/** Evaluation times and the maximum number of conditions to return, or null to return all of them. */
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

export interface MetCondition {
  alert_id: string;
  subject: string;
  at: Date;
  value: number;
  usual: number | null;
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
    const catalog = JSON.stringify(agents);
    const metConditions: MetCondition[][] = [];
    for (const { kinds, statement } of CONDITIONS) {
      const watched = alerts.filter(({ kind }) => kinds.includes(kind));
      if (watched.length === 0) continue;
      const parameters = [first, last, JSON.stringify(watched), catalog, limit];
      metConditions.push(await select<MetCondition>(snapshot, statement, parameters));
    }
    return metConditions.flat();
  }

  private readonly liveSnapshot = createSnapshot((text, parameters) => this.dataSource.query(text, parameters));
}
