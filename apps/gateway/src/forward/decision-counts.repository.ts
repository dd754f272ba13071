import { Injectable } from '@nestjs/common';
import type { RecordedDecision } from '#libs/policy';
import { DataSource } from 'typeorm';

/** Decisions of one kind within an hour. */
export interface DecisionCount extends RecordedDecision {
  projectId: string;
  /** Start of the hour in ISO 8601 format. */
  hour: string;
  decisions: number;
}

@Injectable()
export class DecisionCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds to the stored counts. Skips projects that no longer exist. */
  async add(counts: readonly DecisionCount[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO policy_decisions AS stored (project_id, rule_id, hour, mode, outcome, decisions)
       SELECT c."projectId", c."ruleId", c.hour, c.mode, c.outcome, c.decisions
       FROM json_to_recordset($1) AS c ("projectId" uuid, "ruleId" uuid, hour timestamptz, mode text, outcome text, decisions bigint)
       JOIN projects p ON p.id = c."projectId"
       ORDER BY 1, 2, 3, 4, 5
       ON CONFLICT (project_id, rule_id, hour, mode, outcome) DO UPDATE SET
         decisions = stored.decisions + excluded.decisions`,
      [JSON.stringify(counts)],
    );
  }
}
