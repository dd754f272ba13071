import { Injectable } from '@nestjs/common';
import { MAX_SAVED_FILTERS, type NewSavedFilter, type SavedFilter } from '#libs/contracts';
import { auditedTransaction, executeAndCount } from '#libs/database';
import { isUniqueViolation } from '#libs/platform';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

type Row = Omit<SavedFilter, 'created_at'> & { created_at: Date };

@Injectable()
export class SavedFiltersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns filters sorted by name.
   *
   * @param id Null returns all of the project's filters.
   */
  async list(projectId: string, id: string | null = null): Promise<SavedFilter[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT f.id, f.name, f.page, f.search, f.created_at, u.name AS created_by
       FROM saved_filters f LEFT JOIN users u ON u.id = f.created_by
       WHERE f.project_id = $1 AND ($2::uuid IS NULL OR f.id = $2) ORDER BY lower(f.name)`,
      [projectId, id],
    );
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }

  /**
   * @param createdBy User ID, or null if unknown.
   * @returns The filter, `known` if its name is taken, `full` if the project has reached its limit, or `unknown` if the
   *   project doesn't exist.
   */
  async create(
    projectId: string,
    { name, page, search }: NewSavedFilter,
    createdBy: string | null,
  ): Promise<SavedFilter | 'known' | 'full' | 'unknown'> {
    const id = v7();
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Serializes inserts, so concurrent requests can't exceed the limit.
      const project: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (project.length === 0) return 'unknown';
      const [{ count }]: [{ count: number }] = await transaction.query(
        `SELECT count(*)::integer AS count FROM saved_filters WHERE project_id = $1`,
        [projectId],
      );
      if (count >= MAX_SAVED_FILTERS) return 'full';
      const rows: Row[] = await transaction.query(
        `INSERT INTO saved_filters AS f (id, project_id, name, page, search, created_by)
         VALUES ($1, $2, $3, $4, $5, (SELECT id FROM users WHERE id = $6))
         ON CONFLICT (project_id, lower(name)) DO NOTHING
         RETURNING f.id, f.name, f.page, f.search, f.created_at,
           (SELECT name FROM users WHERE id = f.created_by) AS created_by`,
        [id, projectId, name, page, search, createdBy],
      );
      return rows[0] === undefined ? 'known' : { ...rows[0], created_at: rows[0].created_at.toISOString() };
    });
  }

  /** Returns the renamed filter, `known` if the name is taken, or `unknown` if it doesn't exist. */
  async rename(projectId: string, id: string, name: string): Promise<SavedFilter | 'known' | 'unknown'> {
    try {
      await auditedTransaction(this.dataSource, (transaction) =>
        transaction.query(`UPDATE saved_filters SET name = $3 WHERE project_id = $1 AND id = $2`, [
          projectId,
          id,
          name,
        ]),
      );
    } catch (error) {
      if (isUniqueViolation(error)) return 'known';
      throw error;
    }
    const [renamed] = await this.list(projectId, id);
    return renamed ?? 'unknown';
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const deleted = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(transaction, `DELETE FROM saved_filters WHERE project_id = $1 AND id = $2`, [projectId, id]),
    );
    return deleted > 0;
  }
}
