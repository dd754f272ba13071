import { Injectable } from '@nestjs/common';
import type { PolicyCounts } from '#libs/contracts';
import { DataSource } from 'typeorm';

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
}
