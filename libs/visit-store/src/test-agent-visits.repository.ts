import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import { firstIdAt, MAX_SHARDS, type EnrichedVisit, type VisitPosition } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { visitsAfter } from './stored-position.js';

/** More than a test visit has: each request of a chain of redirects is reported once, or sometimes twice. */
const MAX_OF_TEST_VISIT = 20;

/** The marker is in the path, or, if the site removes queries, in the signature among the headers. */
const HAS_MARKER = `(strpos(path, $1) > 0 OR (agent_id = $2 AND strpos(document::text, $1) > 0))`;
/** Visits after a position. Takes the project as $3 and {@link boundsOf} the position as $4 and $5. */
const AFTER_POSITION = `FROM unnest($4::bigint[], $5::bigint[]) AS shard (after, before), visits_full
  WHERE project_id = $3 AND position > after AND position < before`;

/** Bounds of the visits after a position, including those of shards that aren't used yet. */
function boundsOf(position: VisitPosition): [after: string[], before: string[]] {
  const bounds = Array.from({ length: MAX_SHARDS }, (_, shard) => visitsAfter(position[shard] ?? 0, shard));
  return [bounds.map(({ after }) => after), bounds.map(({ before }) => before)];
}

/** Finds visits of the test agent. */
@Injectable()
export class TestAgentVisitsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the visits with a marker after a position, newest first. Visits of a chain of redirects are stored in any order. */
  withMarker(projectId: string, after: VisitPosition, marker: string): Promise<EnrichedVisit[]> {
    return this.documents(
      `SELECT document ${AFTER_POSITION} AND ${HAS_MARKER} ORDER BY id DESC LIMIT ${MAX_OF_TEST_VISIT}`,
      [marker, TEST_AGENT_ID, projectId, ...boundsOf(after)],
    );
  }

  /** Returns the newest visit of the test agent to a page after a position, or null. */
  async ofPage(projectId: string, after: VisitPosition, page: string): Promise<EnrichedVisit | null> {
    const [visit] = await this.documents(
      `SELECT document ${AFTER_POSITION} AND split_part(path, '?', 1) = $1 AND agent_id = $2 ORDER BY id DESC LIMIT 1`,
      [page, TEST_AGENT_ID, projectId, ...boundsOf(after)],
    );
    return visit ?? null;
  }

  /** Returns a visit of another project with a marker that was received since a time, or null. */
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
