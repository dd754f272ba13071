import { Injectable } from '@nestjs/common';
import type { Demo } from '#libs/contracts';
import { executeAndCount } from '#libs/database';
import { DataSource } from 'typeorm';

/** Time without progress after which a load counts as failed, because its process must have ended. */
const MAX_SILENCE = `interval '1 minute'`;

interface Row {
  project_id: string;
  visits: number;
  done: number;
  has_failed: boolean;
}

@Injectable()
export class DemoRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(): Promise<Demo> {
    const [row]: Row[] = await this.dataSource.query(
      `SELECT p.id AS project_id, coalesce(l.visits, 0) AS visits, coalesce(l.done, 1) AS done,
         coalesce(l.has_failed OR l.updated_at < now() - ${MAX_SILENCE}, false) AS has_failed
       FROM projects p LEFT JOIN demo_loads l ON l.project_id = p.id WHERE p.is_demo`,
    );
    if (row === undefined) return { state: 'absent', project_id: null, visits: 0, done: 0 };
    const { has_failed: hasFailed, ...progress } = row;
    return { state: row.done === 1 ? 'loaded' : hasFailed ? 'failed' : 'loading', ...progress };
  }

  /**
   * Saves the progress, which never decreases, so concurrent calls can finish in any order.
   *
   * @returns False if the project was deleted.
   */
  async save(projectId: string, visits: number, done: number): Promise<boolean> {
    const saved = await executeAndCount(
      this.dataSource,
      `UPDATE demo_loads SET visits = greatest(visits, $2), done = greatest(done, $3), updated_at = now()
       WHERE project_id = $1`,
      [projectId, visits, done],
    );
    return saved > 0;
  }

  async fail(projectId: string): Promise<void> {
    await this.dataSource.query(`UPDATE demo_loads SET has_failed = true WHERE project_id = $1`, [projectId]);
  }
}
