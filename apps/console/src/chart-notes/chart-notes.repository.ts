import { Injectable } from '@nestjs/common';
import { MAX_CHART_NOTES, type ChartNote, type ChartNotes, type NewChartNote } from '#libs/contracts';
import { auditedTransaction, executeReturning, executeAndCount } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import type { TimeRange } from '../statistics/time-range.js';

type Row = Omit<ChartNote, 'created_at'> & { created_at: Date };

const COLUMNS = `n.id, n.day::text, n.text, n.created_at, (SELECT name FROM users WHERE id = n.created_by) AS created_by`;

@Injectable()
export class ChartNotesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(projectId: string, [first, last]: [string, string]): Promise<ChartNote[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM chart_notes n WHERE project_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day, id`,
      [projectId, first, last],
    );
    return rows.map(toNote);
  }

  async listRulesVersions(projectId: string, { from, to }: TimeRange): Promise<ChartNotes['rules_versions']> {
    const rows: { id: string; saved_at: Date; saved_by: string | null }[] = await this.dataSource.query(
      `SELECT v.id, v.saved_at, u.name AS saved_by FROM rules_versions v LEFT JOIN users u ON u.id = v.saved_by
       WHERE project_id = $1 AND saved_at >= $2 AND saved_at < $3 ORDER BY saved_at, v.id`,
      [projectId, new Date(from), new Date(to)],
    );
    return rows.map((row) => ({ ...row, saved_at: row.saved_at.toISOString() }));
  }

  async listCatalogUpdates({ from, to }: TimeRange): Promise<ChartNotes['catalog_updates']> {
    const rows: (Omit<ChartNotes['catalog_updates'][number], 'updated_at'> & { updated_at: Date })[] =
      await this.dataSource.query(
        `SELECT * FROM catalog_updates WHERE updated_at >= $1 AND updated_at < $2 ORDER BY updated_at`,
        [new Date(from), new Date(to)],
      );
    return rows.map((row) => ({ ...row, updated_at: row.updated_at.toISOString() }));
  }

  /**
   * Creates a note. Returns `full` if the project has reached its limit, or `unknown` if the project doesn't exist.
   *
   * @param createdBy User ID, or null if a program creates the note.
   */
  async create(
    projectId: string,
    { day, text }: NewChartNote,
    createdBy: string | null,
  ): Promise<ChartNote | 'full' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Serializes creation, so concurrent requests can't exceed the limit.
      const project: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (project.length === 0) return 'unknown';
      const [row]: Row[] = await transaction.query(
        `INSERT INTO chart_notes AS n (id, project_id, day, text, created_by)
         SELECT $1, $2, $3, $4, (SELECT id FROM users WHERE id = $5)
         WHERE (SELECT count(*) FROM chart_notes WHERE project_id = $2) < $6 RETURNING ${COLUMNS}`,
        [v7(), projectId, day, text, createdBy, MAX_CHART_NOTES],
      );
      return row === undefined ? 'full' : toNote(row);
    });
  }

  async change(projectId: string, id: string, { day, text }: Partial<NewChartNote>): Promise<ChartNote | null> {
    const [row] = await auditedTransaction(this.dataSource, (transaction) =>
      executeReturning<Row>(
        transaction,
        `UPDATE chart_notes n SET day = coalesce($3, day), text = coalesce($4, text)
       WHERE project_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
        [projectId, id, day ?? null, text ?? null],
      ),
    );
    return row === undefined ? null : toNote(row);
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const deleted = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(transaction, `DELETE FROM chart_notes WHERE project_id = $1 AND id = $2`, [projectId, id]),
    );
    return deleted > 0;
  }
}

const toNote = (row: Row): ChartNote => ({ ...row, created_at: row.created_at.toISOString() });
