import { Injectable } from '@nestjs/common';
import type { Demo } from '#libs/contracts';
import { executeAndCount, executeReturning } from '#libs/database';
import type { DemoDecisionCount } from '#libs/demo';
import { DataSource, type EntityManager } from 'typeorm';

/** Time without progress after which a load counts as failed, because its process must have ended. */
const MAX_SILENCE = `interval '1 minute'`;

/** Minimum, and maximum, time range of a batch of new visits. */
const [MIN_BATCH, MAX_BATCH] = [`interval '10 seconds'`, `interval '1 hour'`];
/** Start of the longest demo, at the time `$2`. */
const OLDEST = `$2::timestamptz - interval '90 days'`;

/** Batch of new demo visits. Times are in milliseconds since the epoch. */
export interface DemoBatch {
  id: string;
  projectId: string;
  seed: number;
  storyEnd: number;
  from: number;
  to: number;
}

interface DemoBatchRow {
  project_id: string;
  created_at: Date;
  seed: number;
  published_until: Date;
  pending_until: Date;
  pending_batch_id: string;
}

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

  /** Records where the visits to load end, which is where new visits continue later. */
  async startLoading(projectId: string, end: Date): Promise<void> {
    await this.dataSource.query(`UPDATE demo_loads SET published_until = $2 WHERE project_id = $1`, [projectId, end]);
  }

  /**
   * Saves the progress, which never decreases, so concurrent calls can finish in any order.
   *
   * @returns False if the project was deleted.
   */
  async save(projectId: string, { visits, done }: Pick<Demo, 'visits' | 'done'>): Promise<boolean> {
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

  /** Adds to the counts of policy decisions. Skips projects that no longer exist. */
  async addDecisions(
    projectId: string,
    counts: readonly DemoDecisionCount[],
    connection: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    if (counts.length === 0) return;
    await connection.query(
      `INSERT INTO policy_decisions AS stored (project_id, rule_id, hour, mode, outcome, decisions)
       SELECT p.id, c."ruleId", c.hour, c.mode, c.outcome, c.decisions
       FROM json_to_recordset($2) AS c ("ruleId" uuid, hour timestamptz, mode text, outcome text, decisions bigint)
       JOIN projects p ON p.id = $1
       ORDER BY 1, 2, 3, 4, 5
       ON CONFLICT (project_id, rule_id, hour, mode, outcome) DO UPDATE SET
         decisions = stored.decisions + excluded.decisions`,
      [projectId, JSON.stringify(counts)],
    );
  }

  /**
   * Returns the batch of new visits to publish next, or null if none is due. After a crash, this is the same batch
   * again, so that its visits are only stored once.
   *
   * @param batchId ID of the batch if a new one is due.
   * @param now Milliseconds since the epoch.
   */
  async nextBatch(batchId: string, now: number): Promise<DemoBatch | null> {
    const [row] = await executeReturning<DemoBatchRow>(
      this.dataSource,
      // Gaps longer than the longest demo aren't filled. A pending batch keeps its range.
      `UPDATE demo_loads l SET
         pending_batch_id = coalesce(pending_batch_id, $1),
         pending_until = coalesce(pending_until, least($2, greatest(published_until, ${OLDEST}) + ${MAX_BATCH})),
         published_until = CASE WHEN pending_until IS NULL THEN greatest(published_until, ${OLDEST}) ELSE published_until END
       FROM projects p
       WHERE p.id = l.project_id AND l.done = 1 AND l.is_live
         AND (l.pending_until IS NOT NULL OR l.published_until <= $2::timestamptz - ${MIN_BATCH})
       RETURNING l.project_id, p.created_at, l.seed, l.published_until, l.pending_until, l.pending_batch_id`,
      [batchId, new Date(now)],
    );
    if (row === undefined) return null;
    return {
      id: row.pending_batch_id,
      projectId: row.project_id,
      seed: row.seed,
      storyEnd: row.created_at.getTime(),
      from: row.published_until.getTime(),
      to: row.pending_until.getTime(),
    };
  }

  /** Marks a batch as published. Does nothing if another process did so. */
  async finishBatch(
    { id, projectId }: DemoBatch,
    visits: number,
    decisions: readonly DemoDecisionCount[],
  ): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const finished = await executeAndCount(
        transaction,
        `UPDATE demo_loads SET published_until = pending_until, pending_until = NULL, pending_batch_id = NULL,
           visits = visits + $2
         WHERE pending_batch_id = $1`,
        [id, visits],
      );
      if (finished > 0) await this.addDecisions(projectId, decisions, transaction);
    });
  }
}
