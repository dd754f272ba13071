import { Injectable } from '@nestjs/common';
import { arrayLiteral } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import type { VisitRow } from './visit-row.js';

@Injectable()
export class CheckoutsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Updates the agents of checkouts whose newest visit was re-identified. */
  async move(transaction: EntityManager, rows: readonly { before: VisitRow; after: VisitRow }[]): Promise<void> {
    // After re-identification, a visit may no longer report its checkout, but the checkout still exists.
    const reports = rows.flatMap(({ before, after }) => before.checkouts.map(({ digest }) => ({ digest, after })));
    if (reports.length === 0) return;
    const columns = [
      arrayLiteral(reports.map(({ after }) => after.projectId)),
      arrayLiteral(reports.map(({ digest }) => digest)),
      arrayLiteral(reports.map(({ after }) => after.id)),
    ];
    // Lock in the same order as statements that store visits, to avoid deadlocks.
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

  /** Removes the IDs of checkouts whose last visit is more than `days` days old. They still count. */
  async anonymize(days: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE checkouts SET id = gen_random_uuid(), visit_id = NULL
       WHERE last_at < now() - make_interval(days => $1) AND visit_id IS NOT NULL`,
      [days],
    );
  }
}
