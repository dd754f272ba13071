import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import { getFirstIdAt, MAX_SHARDS, type EnrichedVisit, type VisitPosition } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { boundsAfter } from './stored-position.js';

/**
 * Upper bound for the visits that one test visit causes. Each request in a redirect chain is reported once or twice.
 */
export const MAX_VISITS_PER_TEST = 20;

/**
 * SQL condition for visits with a marker. The marker is part of the path, or of the signature headers if the site
 * removes the query.
 */
const HAS_MARKER = `(strpos(path, $1) > 0 OR (agent_id = $2 AND strpos(document::text, $1) > 0))`;
/** SQL for visits after a position. $3 is the project, and $4 and $5 are the bounds from {@link shardBounds}. */
const AFTER_POSITION = `FROM unnest($4::bigint[], $5::bigint[]) AS shard (after, before), visits_full
  WHERE project_id = $3 AND position > after AND position < before`;

/** Returns the bounds for visits after a position. Includes shards that aren't used yet. */
function shardBounds(position: VisitPosition): [after: string[], before: string[]] {
  const bounds = Array.from({ length: MAX_SHARDS }, (_, shard) => boundsAfter(position[shard] ?? 0, shard));
  return [bounds.map(({ after }) => after), bounds.map(({ before }) => before)];
}

@Injectable()
export class TestAgentVisitsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the visits with a marker after a position, newest first. Visits in a redirect chain can be stored in any
   * order.
   */
  findByMarker(projectId: string, after: VisitPosition, marker: string): Promise<EnrichedVisit[]> {
    return this.queryDocuments(
      `SELECT document ${AFTER_POSITION} AND ${HAS_MARKER} ORDER BY id DESC LIMIT ${MAX_VISITS_PER_TEST}`,
      [marker, TEST_AGENT_ID, projectId, ...shardBounds(after)],
    );
  }

  /** Returns the test agent's most recent visit to a page after a position, or null if there is none. */
  async findByPage(projectId: string, after: VisitPosition, page: string): Promise<EnrichedVisit | null> {
    const [visit] = await this.queryDocuments(
      `SELECT document ${AFTER_POSITION} AND split_part(path, '?', 1) = $1 AND agent_id = $2 ORDER BY id DESC LIMIT 1`,
      [page, TEST_AGENT_ID, projectId, ...shardBounds(after)],
    );
    return visit ?? null;
  }

  /**
   * Returns a visit with the marker that another project has received since the given time, or null if there is none.
   */
  async findInOtherProject(projectId: string, since: number, marker: string): Promise<EnrichedVisit | null> {
    const [visit] = await this.queryDocuments(
      `SELECT document FROM visits_full WHERE ${HAS_MARKER} AND project_id <> $3 AND id >= $4::uuid LIMIT 1`,
      [marker, TEST_AGENT_ID, projectId, getFirstIdAt(since)],
    );
    return visit ?? null;
  }

  private async queryDocuments(text: string, parameters: unknown[]): Promise<EnrichedVisit[]> {
    const rows: { document: EnrichedVisit }[] = await this.dataSource.query(text, parameters);
    return rows.map(({ document }) => document);
  }
}
