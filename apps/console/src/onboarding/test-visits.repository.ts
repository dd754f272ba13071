import { Injectable } from '@nestjs/common';
import { auditedTransaction } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import type { StoredTestVisit, TestVisitState } from './test-visit.state.js';

interface Row {
  id: string;
  project_id: string;
  started_at: Date;
  finished_at: Date | null;
  state: TestVisitState;
}

const COLUMNS = 'id, project_id, started_at, finished_at, state';
/** Time after which an unfinished test visit counts as interrupted, because its process must have ended. */
const MAX_DURATION = `interval '1 minute'`;
const RETENTION = `interval '1 day'`;

@Injectable()
export class TestVisitsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns null if another test visit for the project is in progress. */
  async start(projectId: string, state: TestVisitState): Promise<StoredTestVisit | null> {
    await this.dataSource.query(
      `UPDATE test_visits SET finished_at = now(), state = state || '{"outcome":"interrupted"}'
       WHERE project_id = $1 AND finished_at IS NULL AND started_at < now() - ${MAX_DURATION}`,
      [projectId],
    );
    await this.dataSource.query(`DELETE FROM test_visits WHERE project_id = $1 AND started_at < now() - ${RETENTION}`, [
      projectId,
    ]);
    const rows: Row[] = await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `INSERT INTO test_visits (id, project_id, finished_at, state)
       VALUES ($1, $2, CASE WHEN $3::jsonb ->> 'outcome' IS NULL THEN NULL ELSE now() END, $3::jsonb)
       ON CONFLICT (project_id) WHERE finished_at IS NULL DO NOTHING RETURNING ${COLUMNS}`,
        [v7(), projectId, JSON.stringify(state)],
      ),
    );
    return rows[0] === undefined ? null : toTestVisit(rows[0]);
  }

  /** Saves the state of an unfinished test visit. A state with an outcome finishes it. */
  async save(id: string, state: TestVisitState): Promise<void> {
    await this.dataSource.query(
      `UPDATE test_visits SET state = $2::jsonb,
         finished_at = CASE WHEN $2::jsonb ->> 'outcome' IS NULL THEN NULL ELSE now() END
       WHERE id = $1 AND finished_at IS NULL`,
      [id, JSON.stringify(state)],
    );
  }

  async find(projectId: string, id: string): Promise<StoredTestVisit | null> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, project_id, started_at,
         CASE WHEN lost THEN started_at + ${MAX_DURATION} ELSE finished_at END AS finished_at,
         CASE WHEN lost THEN state || '{"outcome":"interrupted"}' ELSE state END AS state
       FROM test_visits, LATERAL (SELECT finished_at IS NULL AND started_at < now() - ${MAX_DURATION} AS lost) l
       WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return rows[0] === undefined ? null : toTestVisit(rows[0]);
  }
}

const toTestVisit = (row: Row): StoredTestVisit => ({
  id: row.id,
  projectId: row.project_id,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  state: row.state,
});
