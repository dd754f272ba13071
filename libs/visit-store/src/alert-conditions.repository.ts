import { Injectable } from '@nestjs/common';
import type { AlertKind } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { CONDITIONS } from './alert-conditions.sql.js';
import { select, snapshotOf } from './snapshot.js';

/** An alert, limited to the agent, the type and the operator that aren't null. */
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
  /** Time from which new agents are reported, even if their visits are counted late. Null: the first time that is looked at. */
  watched_since: Date | null;
  project_created_at: Date;
}

/** Type and operator that an agent has in the catalog. */
export interface ScopedAgent {
  id: string;
  type: string | null;
  operator: string | null;
}

/** An alert's condition was met by counts. */
export interface MetCondition {
  alert_id: string;
  subject: string;
  at: Date;
  value: number;
  usual: number | null;
}

/** Evaluates the conditions of alerts about counts. Other kinds of alerts are ignored. */
@Injectable()
export class AlertConditionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns when the conditions of alerts were met, at ends of quarters of an hour from `first` to `last`.
   *
   * @param agents those of the catalog. Agents that are missing are in no type and of no operator.
   * @param snapshot default: each statement reads the newest state.
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
