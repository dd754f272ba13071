import { Injectable } from '@nestjs/common';
import { MAX_DISMISSED, type DismissedUserAgent } from '#libs/contracts';
import { auditedTransaction, executeAndCount } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

type Row = Omit<DismissedUserAgent, 'dismissed_at'> & { dismissed_at: Date };

const COLUMNS = `d.id, d.user_agent_group, d.dismissed_at,
  (SELECT name FROM users WHERE id = d.dismissed_by) AS dismissed_by`;

/** Stores the user agents that are hidden from a project's unlisted programs. */
@Injectable()
export class DismissedUserAgentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns dismissals, newest first. */
  async list(projectId: string): Promise<DismissedUserAgent[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM dismissed_user_agents d WHERE project_id = $1 ORDER BY dismissed_at DESC, id DESC`,
      [projectId],
    );
    return rows.map(toDismissed);
  }

  async listGroups(projectId: string): Promise<string[]> {
    const rows: { user_agent_group: string }[] = await this.dataSource.query(
      `SELECT user_agent_group FROM dismissed_user_agents WHERE project_id = $1`,
      [projectId],
    );
    return rows.map(({ user_agent_group: group }) => group);
  }

  /**
   * Dismisses a user agent. An existing dismissal isn't changed.
   *
   * @param dismissedBy User ID, or null if unknown.
   * @returns The dismissal, `full` if the project has reached its limit, or `unknown` if the project doesn't exist.
   */
  async dismiss(
    projectId: string,
    group: string,
    dismissedBy: string | null,
  ): Promise<DismissedUserAgent | 'full' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Serializes inserts, so concurrent requests can't exceed the limit.
      const project: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (project.length === 0) return 'unknown';
      const [existing]: Row[] = await transaction.query(
        `SELECT ${COLUMNS} FROM dismissed_user_agents d WHERE project_id = $1 AND user_agent_group = $2`,
        [projectId, group],
      );
      if (existing !== undefined) return toDismissed(existing);
      const [row]: Row[] = await transaction.query(
        `INSERT INTO dismissed_user_agents AS d (id, project_id, user_agent_group, dismissed_by)
         SELECT $1, $2, $3, (SELECT id FROM users WHERE id = $4)
         WHERE (SELECT count(*) FROM dismissed_user_agents WHERE project_id = $2) < $5 RETURNING ${COLUMNS}`,
        [v7(), projectId, group, dismissedBy, MAX_DISMISSED],
      );
      return row === undefined ? 'full' : toDismissed(row);
    });
  }

  async restore(projectId: string, id: string): Promise<boolean> {
    const deleted = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(transaction, `DELETE FROM dismissed_user_agents WHERE project_id = $1 AND id = $2`, [
        projectId,
        id,
      ]),
    );
    return deleted > 0;
  }
}

const toDismissed = (row: Row): DismissedUserAgent => ({ ...row, dismissed_at: row.dismissed_at.toISOString() });
