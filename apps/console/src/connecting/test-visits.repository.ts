import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import { firstIdAt, MAX_SHARDS, visitsAfter, type EnrichedVisit, type VisitPosition } from '#libs/contracts';
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
/** A test visit that takes longer was interrupted: its process ended. */
const MAX_DURATION = `interval '1 minute'`;
const RETENTION = `interval '1 day'`;
/** More than there are: each request of a chain of redirects is reported once, or sometimes twice. */
const MAX_OF_TEST_VISIT = 20;
/** By how much the clocks of services may differ. */
const CLOCK_SKEW_MS = 60_000;

/** The marker is in the path, or, if the site removes queries, in the signature among the headers. */
const HAS_MARKER = `(strpos(path, $1) > 0 OR (agent_id = $2 AND strpos(document::text, $1) > 0))`;
/** Takes what {@link boundsOf} returns, as $4 and $5. */
const SHARDS_AND_VISITS = 'unnest($4::bigint[], $5::bigint[]) AS shard (after, before), visits_full';

/** Bounds of what is after a position, also in shards that are used later. */
function boundsOf(position: VisitPosition): [string[], string[]] {
  const bounds = Array.from({ length: MAX_SHARDS }, (_, shard) => visitsAfter(position[shard] ?? 0, shard));
  return [bounds.map(({ after }) => after), bounds.map(({ before }) => before)];
}

@Injectable()
export class TestVisitsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns null while another test visit of the project is running. */
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

  /** Saves the state. An outcome finishes the test visit. */
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

  /** Returns the visits with a marker after a position, the newest first: those of a chain of redirects, in any order. */
  async reported(projectId: string, after: VisitPosition, marker: string): Promise<EnrichedVisit[]> {
    return this.visits(
      `${HAS_MARKER} AND project_id = $3 AND position > after AND position < before ORDER BY id DESC`,
      [marker, TEST_AGENT_ID, projectId, ...boundsOf(after)],
      { tables: SHARDS_AND_VISITS, limit: MAX_OF_TEST_VISIT },
    );
  }

  /** Returns the newest visit of the test agent to a page, for a site that reports neither queries nor signatures. */
  async reportedWithoutMarker(projectId: string, after: VisitPosition, page: string): Promise<EnrichedVisit | null> {
    const [visit] = await this.visits(
      `split_part(path, '?', 1) = $1 AND agent_id = $2 AND project_id = $3 AND position > after AND position < before
       ORDER BY id DESC`,
      [page, TEST_AGENT_ID, projectId, ...boundsOf(after)],
      { tables: SHARDS_AND_VISITS, limit: 1 },
    );
    return visit ?? null;
  }

  /** Returns the other project that the visit was reported to, if any. */
  async reportedElsewhere(projectId: string, since: Date, marker: string): Promise<string | null> {
    const [visit] = await this.visits(
      `${HAS_MARKER} AND project_id <> $3 AND id >= $4::uuid`,
      [marker, TEST_AGENT_ID, projectId, firstIdAt(since.getTime() - CLOCK_SKEW_MS)],
      { tables: 'visits_full', limit: 1 },
    );
    return visit?.project_id ?? null;
  }

  private async visits(
    condition: string,
    parameters: unknown[],
    { tables, limit }: { tables: string; limit: number },
  ): Promise<EnrichedVisit[]> {
    const rows: { document: EnrichedVisit }[] = await this.dataSource.query(
      `SELECT document FROM ${tables} WHERE ${condition} LIMIT ${limit}`,
      parameters,
    );
    return rows.map(({ document }) => document);
  }
}

const toTestVisit = (row: Row): StoredTestVisit => ({
  id: row.id,
  projectId: row.project_id,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  state: row.state,
});
