import { Injectable } from '@nestjs/common';
import {
  MAX_POLICY_VERSIONS,
  type CurrentPolicy,
  type PolicyForecast,
  type PolicyRule,
  type PolicyVersion,
  type PolicyVersionList,
} from '#libs/contracts';
import { auditedTransaction } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';

type Row = Omit<PolicyVersion, 'saved_at'> & { saved_at: Date };

/** Parts of a forecast that are compared with the outcome. */
export interface StoredForecast extends Pick<PolicyForecast, 'from' | 'to'> {
  rules: Pick<PolicyForecast['rules'][number], 'rule_id' | 'outcomes'>[];
}

interface NewVersion {
  rules: readonly PolicyRule[];
  forecast: StoredForecast | null;
  savedAt?: Date;
}

export interface SavedRules {
  saved_at: Date;
  rules: PolicyRule[];
}

const COLUMNS = 'v.id, v.saved_at, u.name AS saved_by';
const TABLES = 'policy_versions v LEFT JOIN users u ON u.id = v.saved_by';
const NEWEST_FIRST = 'ORDER BY v.saved_at DESC, v.id DESC';

@Injectable()
export class PolicyVersionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the versions without their rules, newest first. */
  async list(projectId: string): Promise<PolicyVersionList> {
    const rows: (Omit<Row, 'rules'> & { rules: number })[] = await this.dataSource.query(
      `SELECT ${COLUMNS}, json_array_length(v.rules) AS rules FROM ${TABLES} WHERE project_id = $1 ${NEWEST_FIRST}`,
      [projectId],
    );
    return { versions: rows.map((row) => ({ ...row, saved_at: row.saved_at.toISOString() })) };
  }

  /** Returns the rules of all versions, newest first. */
  async listRules(projectId: string): Promise<SavedRules[]> {
    return this.dataSource.query(
      `SELECT saved_at, rules FROM policy_versions v WHERE project_id = $1 ${NEWEST_FIRST}`,
      [projectId],
    );
  }

  async find(projectId: string, id: string): Promise<PolicyVersion | null> {
    const [row]: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS}, v.rules FROM ${TABLES} WHERE project_id = $1 AND v.id = $2`,
      [projectId, id],
    );
    return row === undefined ? null : { ...row, saved_at: row.saved_at.toISOString() };
  }

  /** Returns the newest version, or an empty policy if there is none. */
  async findCurrent(projectId: string, manager: EntityManager = this.dataSource.manager): Promise<CurrentPolicy> {
    const [row]: Row[] = await manager.query(
      `SELECT ${COLUMNS}, v.rules FROM ${TABLES} WHERE project_id = $1 ${NEWEST_FIRST} LIMIT 1`,
      [projectId],
    );
    if (row === undefined) return { version: null, rules: [] };
    const { rules, saved_at: savedAt, ...version } = row;
    return { version: { ...version, saved_at: savedAt.toISOString() }, rules };
  }

  /**
   * Saves a version and deletes the oldest ones over the limit.
   *
   * @param version Rules with their forecast. `savedAt` defaults to now.
   * @param savedBy User ID, or null if a program saves the version.
   * @param check Throws if the current policy can't be replaced.
   * @returns Null if the project doesn't exist.
   */
  async save(
    projectId: string,
    { rules, forecast, savedAt }: NewVersion,
    savedBy: string | null,
    check: (current: CurrentPolicy) => void,
  ): Promise<CurrentPolicy | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const projects: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (projects.length === 0) return null;
      check(await this.findCurrent(projectId, transaction));
      await transaction.query(
        `INSERT INTO policy_versions (id, project_id, rules, forecast, saved_by, saved_at)
         VALUES ($1, $2, $3, $4, $5, coalesce($6::timestamptz, clock_timestamp()))`,
        [v7(), projectId, JSON.stringify(rules), forecast && JSON.stringify(forecast), savedBy, savedAt ?? null],
      );
      await transaction.query(
        `DELETE FROM policy_versions WHERE project_id = $1 AND id NOT IN (
           SELECT id FROM policy_versions v WHERE project_id = $1 ${NEWEST_FIRST} LIMIT $2)`,
        [projectId, MAX_POLICY_VERSIONS],
      );
      return this.findCurrent(projectId, transaction);
    });
  }
}
