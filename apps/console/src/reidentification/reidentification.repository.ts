import { Injectable } from '@nestjs/common';
import { KEPT_REIDENTIFICATIONS, type Reidentification, type ReidentificationAction } from '#libs/contracts';
import { auditedTransaction, changeRows } from '#libs/database';
import { isUniqueViolation } from '#libs/platform';
import { StoredVisitsRepository } from '#libs/visit-store';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

interface Row extends Omit<Reidentification, 'from' | 'to' | 'created_at'> {
  from: Date;
  to: Date;
  created_at: Date;
}

const FIELDS = `j.id, j.range_from AS "from", j.range_to AS "to", j.agent_token AS agent, j.state, j.is_paused, j.preview, j.result,
  j.error, j.created_at, (SELECT name FROM users WHERE id = j.created_by) AS created_by,
  CASE WHEN j.state IN ('previewed', 'applied') THEN 1
    -- How many visits there are is known from the preview. Most of the time that was asked for may be without any.
    WHEN j.state = 'applying' AND (j.preview->>'looked_at')::float8 > 0
      THEN least(coalesce((j.result->>'looked_at')::float8, 0) / (j.preview->>'looked_at')::float8, 1)
    ELSE least(extract(epoch FROM j.after_at - j.range_from) / extract(epoch FROM j.range_to - j.range_from), 1)::float8
  END AS progress`;

const AT_WORK = `state IN ('previewing', 'applying')`;
/** SQL changes of each action, and the condition under which it is allowed. */
const ACTIONS: Record<ReidentificationAction, { changes: string; condition: string }> = {
  apply: {
    changes: `state = 'applying', after_at = range_from, after_id = DEFAULT, result = NULL`,
    condition: `state = 'previewed'`,
  },
  pause: { changes: 'is_paused = true', condition: AT_WORK },
  resume: { changes: 'is_paused = false, error = NULL', condition: AT_WORK },
  cancel: { changes: `state = 'canceled', is_paused = false`, condition: `state NOT IN ('applied', 'canceled')` },
};

/** Re-identifications of stored visits. Ingest reads them from the table, and stores their progress. */
@Injectable()
export class ReidentificationRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly visits: StoredVisitsRepository,
  ) {}

  async list(projectId: string): Promise<Reidentification[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${FIELDS} FROM reidentifications j WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${KEPT_REIDENTIFICATIONS}`,
      [projectId],
    );
    return rows.map(toReidentification);
  }

  /**
   * Returns when the catalog last changed, or null if the project has no older visits or has been re-identified since.
   */
  async catalogChange(projectId: string): Promise<string | null> {
    // A new release changes agents without updating `changed_at`, but adds a row to `catalog_updates`.
    const [{ changed_at: changedAt }]: [{ changed_at: Date | null }] = await this.dataSource.query(
      `SELECT max(changed_at) AS changed_at
       FROM (
         SELECT changed_at FROM agents UNION ALL SELECT changed_at FROM assistants UNION ALL SELECT updated_at FROM catalog_updates
       ) catalog
       WHERE changed_at > (
         SELECT coalesce(max(created_at), '-infinity') FROM reidentifications WHERE project_id = $1 AND state <> 'canceled'
       )`,
      [projectId],
    );
    if (changedAt === null || !(await this.visits.hasVisitsBefore(projectId, changedAt))) return null;
    return changedAt.toISOString();
  }

  /**
   * Returns whether the catalog or a stored visit of the project has the agent. It might no longer be in the catalog.
   */
  async knowsAgent(projectId: string, agentId: string): Promise<boolean> {
    const agents: unknown[] = await this.dataSource.query(`SELECT FROM agents WHERE id = $1`, [agentId]);
    return agents.length > 0 || this.visits.hasVisitsOfAgent(projectId, agentId);
  }

  async find(projectId: string, id: string): Promise<Reidentification | null> {
    const [row]: Row[] = await this.dataSource.query(
      `SELECT ${FIELDS} FROM reidentifications j WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return row === undefined ? null : toReidentification(row);
  }

  async findAtWork(projectId: string): Promise<Pick<Reidentification, 'id' | 'is_paused'> | null> {
    const [row]: Pick<Reidentification, 'id' | 'is_paused'>[] = await this.dataSource.query(
      `SELECT id, is_paused FROM reidentifications WHERE project_id = $1 AND ${AT_WORK}`,
      [projectId],
    );
    return row ?? null;
  }

  /**
   * Creates a re-identification, and deletes the oldest finished ones.
   *
   * @param createdBy user ID, or null for a program.
   * @returns null if the project already has an active one.
   */
  async create(
    projectId: string,
    { from, to, agent }: { from: Date; to: Date; agent: string | null },
    createdBy: string | null,
  ): Promise<Reidentification | null> {
    const [row]: Row[] = await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `INSERT INTO reidentifications AS j (id, project_id, range_from, range_to, after_at, agent_token, created_by)
       VALUES ($1, $2, $3, $4, $3, $5, (SELECT id FROM users WHERE id = $6))
       ON CONFLICT (project_id) WHERE ${AT_WORK} DO NOTHING RETURNING ${FIELDS}`,
        [v7(), projectId, from, to, agent, createdBy],
      ),
    );
    if (row === undefined) return null;
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `DELETE FROM reidentifications j WHERE project_id = $1 AND NOT (${AT_WORK}) AND id NOT IN (
         SELECT id FROM reidentifications WHERE project_id = $1 ORDER BY id DESC LIMIT $2)`,
        [projectId, KEPT_REIDENTIFICATIONS],
      ),
    );
    return toReidentification(row);
  }

  /**
   * @returns null if the state doesn't allow the action, or `at work` if another re-identification of the project is
   *   active.
   */
  async change(
    projectId: string,
    id: string,
    action: ReidentificationAction,
  ): Promise<Reidentification | 'at work' | null> {
    const { changes, condition } = ACTIONS[action];
    try {
      const [row] = await auditedTransaction(this.dataSource, (transaction) =>
        changeRows<Row>(
          transaction,
          `UPDATE reidentifications j SET ${changes} WHERE project_id = $1 AND id = $2 AND ${condition} RETURNING ${FIELDS}`,
          [projectId, id],
        ),
      );
      return row === undefined ? null : toReidentification(row);
    } catch (error) {
      if (isUniqueViolation(error)) return 'at work';
      throw error;
    }
  }
}

const toReidentification = (row: Row): Reidentification => ({
  ...row,
  from: row.from.toISOString(),
  to: row.to.toISOString(),
  created_at: row.created_at.toISOString(),
});
