import { Injectable } from '@nestjs/common';
import { executeAndCount } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { COUNT_TABLES } from './rollups.js';

/** Maximum number of rows per DELETE. Short statements let others run in between. */
const MAX_ROWS_PER_DELETE = 5_000;
/** Time after a project's removal by which all visits in flight have been stored. */
const SETTLE_INTERVAL = '10 minutes';

const TABLES = [...COUNT_TABLES, 'visit_open_hours', 'visit_open_days', 'visit_positions', 'checkouts', 'dead_letters'];

@Injectable()
export class RemovedProjectsRepository {
  constructor(protected readonly dataSource: DataSource) {}

  /**
   * Schedules a project's visits for deletion. Must run in the transaction that deletes the project. If the instance
   * has Kafka, the removal is also recorded for publication.
   */
  async add(transaction: EntityManager, projectId: string): Promise<void> {
    await transaction.query(`INSERT INTO removed_projects (project_id) VALUES ($1)`, [projectId]);
    await transaction.query(
      `INSERT INTO visit_changes (project_id) SELECT $1 WHERE (SELECT publishes_audit FROM instance_settings)`,
      [projectId],
    );
  }

  async list(): Promise<string[]> {
    const rows: { project_id: string }[] = await this.dataSource.query(
      `SELECT project_id FROM removed_projects ORDER BY removed_at`,
    );
    return rows.map((row) => row.project_id);
  }

  /** Deletes a project's visits and counts in steps. Does nothing if another process is already deleting them. */
  async *delete(projectId: string): AsyncGenerator<void> {
    yield* this.deleteVisits(projectId);
    for (const table of TABLES) yield* this.deleteRows(projectId, table);
  }

  protected async *deleteVisits(projectId: string): AsyncGenerator<void> {
    const partitions: { name: string }[] = await this.dataSource.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
       WHERE inhparent IN ('visits'::regclass, 'unknown_visits'::regclass) ORDER BY 1`,
    );
    for (const { name } of partitions) yield* this.deleteRows(projectId, name);
  }

  private async *deleteRows(projectId: string, table: string): AsyncGenerator<void> {
    do yield;
    while (await this.deleteBatch(projectId, table));
  }

  /** @returns true if more rows may remain. False if none remain or another process is deleting them. */
  private async deleteBatch(projectId: string, table: string): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      if (!(await tryLockProject(transaction, projectId))) return false;
      const deleted = await executeAndCount(
        transaction,
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT ${MAX_ROWS_PER_DELETE}))`,
        [projectId],
      );
      return deleted === MAX_ROWS_PER_DELETE;
    });
  }

  /** Forgets a removed project when none of its visits can arrive anymore. */
  async forgetSettled(projectId: string): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM removed_projects WHERE project_id = $1 AND removed_at < now() - interval '${SETTLE_INTERVAL}'`,
      [projectId],
    );
  }
}

export async function tryLockProject(transaction: EntityManager, projectId: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(
    `SELECT FROM removed_projects WHERE project_id = $1 FOR UPDATE SKIP LOCKED`,
    [projectId],
  );
  return rows.length > 0;
}
