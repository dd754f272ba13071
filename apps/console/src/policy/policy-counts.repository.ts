import { Injectable } from '@nestjs/common';
import type { PolicyCounts } from '#libs/contracts';
import { DataSource } from 'typeorm';

/** Number of days for which visits are stored, or null if unknown. */
interface VisitRetention {
  days: number | null;
  /** For visits by unknown visitors. */
  unknown_days: number | null;
}

/** Requests with one outcome in an hour. */
export interface HourCount extends Omit<PolicyCounts['counts'][number], 'rule_id'> {
  /** Start of the hour, in milliseconds since the epoch. */
  hour: number;
}

@Injectable()
export class PolicyCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param from Start of an hour, in milliseconds since the epoch. */
  async sum(projectId: string, from: number): Promise<PolicyCounts['counts']> {
    return this.dataSource.query(
      `SELECT rule_id, mode, outcome, sum(decisions)::float8 AS decisions FROM policy_decisions
       WHERE project_id = $1 AND hour >= $2 GROUP BY rule_id, mode, outcome ORDER BY rule_id, mode, outcome`,
      [projectId, new Date(from)],
    );
  }

  async findRetention(): Promise<VisitRetention> {
    const [row]: [VisitRetention] = await this.dataSource.query(
      `SELECT days, least(unknown_retention_days, days) AS unknown_days
       FROM instance_settings, coalesce(retention_days, configured_retention_days) AS days`,
    );
    return row;
  }

  /** Returns the start of the hour of the last decision, or null if there are none since `from`. */
  async findLastHour(projectId: string, from: number): Promise<string | null> {
    const [row]: { hour: Date | null }[] = await this.dataSource.query(
      `SELECT max(hour) AS hour FROM policy_decisions WHERE project_id = $1 AND hour >= $2`,
      [projectId, new Date(from)],
    );
    return row?.hour?.toISOString() ?? null;
  }

  /**
   * Returns the requests that any of the rules decided on, by hour.
   *
   * @param from Start of an hour, in milliseconds since the epoch.
   */
  async sumByHour(projectId: string, ruleIds: readonly string[], from: number): Promise<HourCount[]> {
    return this.dataSource.query(
      `SELECT (extract(epoch FROM hour) * 1000)::float8 AS hour, mode, outcome, sum(decisions)::float8 AS decisions
       FROM policy_decisions WHERE project_id = $1 AND rule_id = ANY ($2::uuid[]) AND hour >= $3
       GROUP BY 1, mode, outcome ORDER BY 1, mode, outcome`,
      [projectId, ruleIds, new Date(from)],
    );
  }
}
