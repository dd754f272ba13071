import { Injectable } from '@nestjs/common';
import {
  MAX_RULES_VERSIONS,
  type ProjectRules,
  type RulesSelection,
  type RulesVersion,
  type RulesVersionList,
} from '#libs/contracts';
import { auditedTransaction } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';

type Row = Omit<RulesVersion, 'saved_at'> & { saved_at: Date };

const COLUMNS = 'v.id, v.selection, v.catalog_version, v.saved_at, u.name AS saved_by';
const TABLES = 'rules_versions v LEFT JOIN users u ON u.id = v.saved_by';

@Injectable()
export class ProjectRulesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the versions without their texts, newest first. */
  async list(projectId: string, manager: EntityManager = this.dataSource.manager): Promise<RulesVersionList> {
    const rows: Row[] = await manager.query(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE project_id = $1 ORDER BY saved_at DESC, id DESC`,
      [projectId],
    );
    return { versions: rows.map(toVersion) };
  }

  async find(projectId: string, id: string): Promise<RulesVersion | null> {
    const [row]: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS}, v.text FROM ${TABLES} WHERE project_id = $1 AND v.id = $2`,
      [projectId, id],
    );
    return row === undefined ? null : toVersion(row);
  }

  /**
   * Saves a version and deletes the oldest ones over the limit.
   *
   * @param savedBy User ID, or null if a program saves the version.
   * @param check Throws if no version can be added to the existing ones.
   * @returns Null if the project doesn't exist.
   */
  async save(
    projectId: string,
    { selection, text, catalog_version: version }: ProjectRules & { selection: RulesSelection },
    savedBy: string | null,
    check: (versions: RulesVersionList) => void,
  ): Promise<RulesVersion | null> {
    const id = v7();
    const isSaved = await auditedTransaction(this.dataSource, async (transaction) => {
      const projects: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (projects.length === 0) return false;
      check(await this.list(projectId, transaction));
      await transaction.query(
        `INSERT INTO rules_versions (id, project_id, selection, text, catalog_version, saved_by)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [id, projectId, JSON.stringify(selection), text, version, savedBy],
      );
      await transaction.query(
        `DELETE FROM rules_versions WHERE project_id = $1 AND id NOT IN (
           SELECT id FROM rules_versions WHERE project_id = $1 ORDER BY saved_at DESC, id DESC LIMIT $2)`,
        [projectId, MAX_RULES_VERSIONS],
      );
      return true;
    });
    return isSaved ? this.find(projectId, id) : null;
  }
}

const toVersion = (row: Row): RulesVersion => ({ ...row, saved_at: row.saved_at.toISOString() });
