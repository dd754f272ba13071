import { Injectable } from '@nestjs/common';
import { MAX_REIDENTIFICATIONS, type Reidentification, type ReidentificationAction } from '#libs/contracts';
import { auditedTransaction, executeReturning } from '#libs/database';
import { isUniqueViolation } from '#libs/platform';
import { StoredVisitsRepository } from '#libs/visit-store';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

interface Row extends Omit<Reidentification, 'from' | 'to' | 'created_at'> {
  from: Date;
  to: Date;
  created_at: Date;
}

const COLUMNS = `j.id, j.range_from AS "from", j.range_to AS "to", j.agent_token AS agent, j.state, j.is_paused, j.preview, j.result,
  j.error, j.created_at, (SELECT name FROM users WHERE id = j.created_by) AS created_by,
  CASE WHEN j.state IN ('previewed', 'applied') THEN 1
    -- Measure progress by the number of visits that the preview counted. Most of the time range may contain no visits.
    WHEN j.state = 'applying' AND (j.preview->>'looked_at')::float8 > 0
      THEN least(coalesce((j.result->>'looked_at')::float8, 0) / (j.preview->>'looked_at')::float8, 1)
    ELSE least(extract(epoch FROM j.after_at - j.range_from) / extract(epoch FROM j.range_to - j.range_from), 1)::float8
  END AS progress`;

const IS_ACTIVE = `state IN ('previewing', 'applying')`;
/** SQL changes for each action, and the condition under which the action is allowed. */
const ACTIONS: Record<ReidentificationAction, { changes: string; condition: string }> = {
  apply: {
    changes: `state = 'applying', after_at = range_from, after_id = DEFAULT, result = NULL`,
    condition: `state = 'previewed'`,
  },
  pause: { changes: 'is_paused = true', condition: IS_ACTIVE },
  resume: { changes: 'is_paused = false, error = NULL', condition: IS_ACTIVE },
  cancel: { changes: `state = 'canceled', is_paused = false`, condition: `state NOT IN ('applied', 'canceled')` },
};

/** Stores re-identification jobs. The ingest service reads them from the table and updates their progress. */
@Injectable()
export class ReidentificationRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly visits: StoredVisitsRepository,
  ) {}

  async list(projectId: string): Promise<Reidentification[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM reidentifications j WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${MAX_REIDENTIFICATIONS}`,
      [projectId],
    );
    return rows.map(toReidentification);
  }

  /**
   * Returns when the catalog last changed, or null if the project has no older visits or has been re-identified since.
   */
  async findCatalogChange(projectId: string): Promise<string | null> {
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

  /** Returns whether the agent is in the catalog or, if it has been deleted, in one of the project's stored visits. */
  async hasAgent(projectId: string, agentId: string): Promise<boolean> {
    const agents: unknown[] = await this.dataSource.query(`SELECT FROM agents WHERE id = $1`, [agentId]);
    return agents.length > 0 || this.visits.hasVisitsOfAgent(projectId, agentId);
  }

  async find(projectId: string, id: string): Promise<Reidentification | null> {
    const [row]: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM reidentifications j WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return row === undefined ? null : toReidentification(row);
  }

  async findActive(projectId: string): Promise<Pick<Reidentification, 'id' | 'is_paused'> | null> {
    const [row]: Pick<Reidentification, 'id' | 'is_paused'>[] = await this.dataSource.query(
      `SELECT id, is_paused FROM reidentifications WHERE project_id = $1 AND ${IS_ACTIVE}`,
      [projectId],
    );
    return row ?? null;
  }

  /**
   * Creates a re-identification, and deletes the oldest finished ones.
   *
   * @param createdBy User ID, or null if a program creates it.
   * @returns Null if the project already has an active re-identification.
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
       ON CONFLICT (project_id) WHERE ${IS_ACTIVE} DO NOTHING RETURNING ${COLUMNS}`,
        [v7(), projectId, from, to, agent, createdBy],
      ),
    );
    if (row === undefined) return null;
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `DELETE FROM reidentifications j WHERE project_id = $1 AND NOT (${IS_ACTIVE}) AND id NOT IN (
         SELECT id FROM reidentifications WHERE project_id = $1 ORDER BY id DESC LIMIT $2)`,
        [projectId, MAX_REIDENTIFICATIONS],
      ),
    );
    return toReidentification(row);
  }

  /**
   * @returns Null if the state doesn't allow the action, or `at work` if the project has another active
   * re-identification.
   */
  async change(
    projectId: string,
    id: string,
    action: ReidentificationAction,
  ): Promise<Reidentification | 'at work' | null> {
    const { changes, condition } = ACTIONS[action];
    try {
      const [row] = await auditedTransaction(this.dataSource, (transaction) =>
        executeReturning<Row>(
          transaction,
          `UPDATE reidentifications j SET ${changes} WHERE project_id = $1 AND id = $2 AND ${condition} RETURNING ${COLUMNS}`,
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
