import { Injectable } from '@nestjs/common';
import type { AlertKind } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { CONDITIONS } from './alert-conditions.sql.js';
import { select, snapshotOf } from './snapshot.js';

/** An alert. If `agent_id`, `agent_type` or `operator` is set, the alert is limited to it. */
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
  /** Agents that are new since then are reported even if counted late. Null means since the first evaluated time. */
  watched_since: Date | null;
  project_created_at: Date;
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

/** Evaluates the conditions of alerts that are based on counts. Ignores other kinds of alerts. */
@Injectable()
export class AlertConditionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns when the conditions of alerts were met. Evaluates them at the end of each 15-minute bucket, from `first` to
   * `last`.
   *
   * @param agents agents in the catalog. Other agents match no type or operator.
   * @param snapshot default: each statement reads the latest data.
   */
  async met(
    alerts: readonly WatchedAlert[],
    agents: readonly ScopedAgent[],
    { first, last }: { first: Date; last: Date },
    snapshot = this.unbound,
  ): Promise<MetCondition[]> {
    const catalog = JSON.stringify(agents);
    const met: MetCondition[] = [];
    for (const { kinds, statement } of CONDITIONS) {
      const watched = alerts.filter(({ kind }) => kinds.includes(kind));
      if (watched.length === 0) continue;
      met.push(...(await select<MetCondition>(snapshot, statement, [first, last, JSON.stringify(watched), catalog])));
    }
    return met;
  }

  private readonly unbound = snapshotOf((text, parameters) => this.dataSource.query(text, parameters));
}
