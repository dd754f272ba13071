import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import { firstIdAt, MAX_SHARDS, type EnrichedVisit, type VisitPosition } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { visitsAfter } from './stored-position.js';

/** More than a test visit has. Each request of a redirect chain is reported once or twice. */
const MAX_OF_TEST_VISIT = 20;

/** The marker is in the path. If the site removes the query, it's in the signature headers. */
const HAS_MARKER = `(strpos(path, $1) > 0 OR (agent_id = $2 AND strpos(document::text, $1) > 0))`;
/** SQL for visits after a position. $3 is the project, $4 and $5 are the bounds from {@link boundsOf}. */
const AFTER_POSITION = `FROM unnest($4::bigint[], $5::bigint[]) AS shard (after, before), visits_full
  WHERE project_id = $3 AND position > after AND position < before`;

/** Returns the bounds of the visits after a position, including shards that aren't used yet. */
function boundsOf(position: VisitPosition): [after: string[], before: string[]] {
  const bounds = Array.from({ length: MAX_SHARDS }, (_, shard) => visitsAfter(position[shard] ?? 0, shard));
  return [bounds.map(({ after }) => after), bounds.map(({ before }) => before)];
}

@Injectable()
export class TestAgentVisitsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns visits with a marker after a position, newest first. Visits of a redirect chain can be stored in any order.
   */
  withMarker(projectId: string, after: VisitPosition, marker: string): Promise<EnrichedVisit[]> {
    return this.documents(
      `SELECT document ${AFTER_POSITION} AND ${HAS_MARKER} ORDER BY id DESC LIMIT ${MAX_OF_TEST_VISIT}`,
      [marker, TEST_AGENT_ID, projectId, ...boundsOf(after)],
    );
  }

  /** Returns the test agent's newest visit to a page after a position, or null. */
  async ofPage(projectId: string, after: VisitPosition, page: string): Promise<EnrichedVisit | null> {
    const [visit] = await this.documents(
      `SELECT document ${AFTER_POSITION} AND split_part(path, '?', 1) = $1 AND agent_id = $2 ORDER BY id DESC LIMIT 1`,
      [page, TEST_AGENT_ID, projectId, ...boundsOf(after)],
    );
    return visit ?? null;
  }

  /** Returns a visit with a marker that another project has received since a time, or null. */
  async ofOtherProject(projectId: string, since: number, marker: string): Promise<EnrichedVisit | null> {
    const [visit] = await this.documents(
      `SELECT document FROM visits_full WHERE ${HAS_MARKER} AND project_id <> $3 AND id >= $4::uuid LIMIT 1`,
      [marker, TEST_AGENT_ID, projectId, firstIdAt(since)],
    );
    return visit ?? null;
  }

  private async documents(text: string, parameters: unknown[]): Promise<EnrichedVisit[]> {
    const rows: { document: EnrichedVisit }[] = await this.dataSource.query(text, parameters);
    return rows.map(({ document }) => document);
  }
}
