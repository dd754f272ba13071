import { Injectable } from '@nestjs/common';
import { countChanged } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { COUNT_TABLES } from './rollups.js';

/** Rows per DELETE. Keeps statements short, so others can run in between. */
const ROWS_AT_ONCE = 5_000;
/** Visits in flight when the project was removed are stored by then. */
const SETTLED_AFTER = '10 minutes';

const TABLES = [...COUNT_TABLES, 'visit_open_hours', 'visit_open_days', 'visit_positions', 'checkouts', 'dead_letters'];

@Injectable()
export class RemovedProjectsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Schedules the deletion of a project's visits. Must run in the transaction that deletes the project. If the instance
   * has Kafka, also records the removal for publishing.
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

  /** Deletes the visits and counts of a project in steps. Does nothing if another process is deleting them. */
  async *delete(projectId: string): AsyncGenerator<void> {
    const partitions: { name: string }[] = await this.dataSource.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
       WHERE inhparent IN ('visits'::regclass, 'unknown_visits'::regclass) ORDER BY 1`,
    );
    for (const table of [...partitions.map(({ name }) => name), ...TABLES]) {
      do yield;
      while (await this.deleteSome(projectId, table));
    }
  }

  /** @returns true if there may be more rows. False if another process is deleting them. */
  private async deleteSome(projectId: string, table: string): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      if (!(await isOurs(transaction, projectId))) return false;
      const deleted = await countChanged(
        transaction,
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT ${ROWS_AT_ONCE}))`,
        [projectId],
      );
      return deleted === ROWS_AT_ONCE;
    });
  }

  /** Forgets a removed project once no more of its visits can arrive. */
  async forgetSettled(projectId: string): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM removed_projects WHERE project_id = $1 AND removed_at < now() - interval '${SETTLED_AFTER}'`,
      [projectId],
    );
  }
}

async function isOurs(transaction: EntityManager, projectId: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(
    `SELECT FROM removed_projects WHERE project_id = $1 FOR UPDATE SKIP LOCKED`,
    [projectId],
  );
  return rows.length > 0;
}
