import { Injectable } from '@nestjs/common';
import { arrayLiteral } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import type { VisitRow } from './visit-row.js';

@Injectable()
export class CheckoutsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Updates the agent of each checkout whose most recent visit was re-identified. */
  async reassignAgents(
    transaction: EntityManager,
    rows: readonly { before: VisitRow; after: VisitRow }[],
  ): Promise<void> {
    // The checkout still exists even if the re-identified visit no longer reports it.
    const reports = rows.flatMap(({ before, after }) => before.checkouts.map(({ digest }) => ({ digest, after })));
    if (reports.length === 0) return;
    const columns = [
      arrayLiteral(reports.map(({ after }) => after.projectId)),
      arrayLiteral(reports.map(({ digest }) => digest)),
      arrayLiteral(reports.map(({ after }) => after.id)),
    ];
    // To avoid deadlocks, lock rows in the same order as the statements that store visits.
    await transaction.query(
      `SELECT FROM checkouts JOIN unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS r (project_id, id, visit_id)
       USING (project_id, id, visit_id) ORDER BY project_id, id FOR UPDATE OF checkouts`,
      columns,
    );
    await transaction.query(
      `UPDATE checkouts c SET agent_id = r.agent_id, is_spoofed = r.result = 'verification_failed'
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) AS r (project_id, id, visit_id, agent_id, result)
       WHERE (c.project_id, c.id, c.visit_id) = (r.project_id, r.id, r.visit_id)`,
      [
        ...columns,
        arrayLiteral(reports.map(({ after }) => after.agentId)),
        arrayLiteral(reports.map(({ after }) => after.result)),
      ],
    );
  }

  /**
   * Anonymizes checkouts whose last visit is more than `days` days old by replacing their IDs. They are still counted.
   */
  async anonymize(days: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE checkouts SET id = gen_random_uuid(), visit_id = NULL
       WHERE last_at < now() - make_interval(days => $1) AND visit_id IS NOT NULL`,
      [days],
    );
  }
}
