import { Injectable } from '@nestjs/common';
import type { PolicyOutcome, PolicyRule } from '#libs/contracts';
import { DataSource } from 'typeorm';
import type { StoredForecast } from './policy-versions.repository.js';

export interface ForecastVersion {
  id: string;
  saved_at: Date;
  /** Time at which the next version replaced this one, or null. */
  replaced_at: Date | null;
  rules: PolicyRule[];
  forecast: StoredForecast;
  /** Decisions in the hours that only this version applied to. */
  counts: { rule_id: string; outcome: PolicyOutcome; decisions: number }[];
}

@Injectable()
export class PolicyOutcomesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the newest versions with a forecast, newest first.
   *
   * @param now Milliseconds since the epoch.
   */
  async list(projectId: string, now: number, limit: number): Promise<ForecastVersion[]> {
    return this.dataSource.query(
      `SELECT v.id, v.saved_at, v.replaced_at, v.rules, v.forecast, coalesce(c.counts, '[]') AS counts
       FROM (
         SELECT *, lead(saved_at) OVER (ORDER BY saved_at, id) AS replaced_at
         FROM policy_versions WHERE project_id = $1
       ) v LEFT JOIN LATERAL (
         SELECT json_agg(json_build_object('rule_id', rule_id, 'outcome', outcome, 'decisions', decisions)) AS counts
         FROM (
           SELECT rule_id, outcome, sum(decisions)::float8 AS decisions FROM policy_decisions d
           WHERE d.project_id = $1 AND hour >= date_trunc('hour', v.saved_at) + interval '1 hour'
             AND hour < date_trunc('hour', coalesce(v.replaced_at, $2))
           GROUP BY rule_id, outcome
         ) sums
       ) c ON true
       WHERE v.forecast IS NOT NULL ORDER BY v.saved_at DESC, v.id DESC LIMIT $3`,
      [projectId, new Date(now), limit],
    );
  }
}
