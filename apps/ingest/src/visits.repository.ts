import { Injectable } from '@nestjs/common';
import { arrayLiteral, preparedQuery } from '#libs/database';
import { DataSource } from 'typeorm';
import type { VisitRow } from './steps/visit-row.step.js';

/** Different pages and statuses that are counted in a bucket of a project; the rest counts as OTHER. */
const MAX_TOP_VALUES = 200;
/** Stands for every value beyond the bound; no path and no status is empty. */
export const OTHER = '';

const NO_AGENT = '00000000-0000-0000-0000-000000000000';

/**
 * One statement: whatever happens, a visit and its counts are there together or not at all, and a visit that
 * comes again changes nothing. The row lock on a project's position comes first, so positions are given in the
 * order of commits; everything is locked in the order of its key, so two statements can't block each other.
 * Only quarters of an hour are counted: the hours are marked, and CountSumsRepository sums them up later.
 */
const STORE = `
WITH input AS MATERIALIZED (
  SELECT * FROM unnest(
    $1::uuid[], $2::uuid[], $3::float8[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::float8[], $11::text[], $12::smallint[], string_to_array($13::text, E'\\n')::json[]
  ) WITH ORDINALITY AS r (
    id, project_id, occurred_ms, agent_id, agent_type, operator, result, path, page, status, mcp_tool, kinds,
    document, place
  )
), positions AS (
  INSERT INTO visit_positions AS p (project_id, position)
  SELECT project_id, count(*) FROM input GROUP BY project_id ORDER BY project_id
  ON CONFLICT (project_id) DO UPDATE SET position = p.position + excluded.position
  RETURNING p.project_id, p.position
), inserted AS (
  INSERT INTO visits (
    id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds, document
  )
  SELECT i.id, i.project_id, to_timestamp(i.occurred_ms / 1000),
    p.position + 1 - row_number() OVER (PARTITION BY i.project_id ORDER BY i.place DESC),
    i.agent_id, i.agent_type, i.operator, i.result, i.path, i.status, i.mcp_tool, i.kinds, i.document
  FROM input i JOIN positions p USING (project_id)
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), stored AS MATERIALIZED (
  SELECT DISTINCT ON (i.id) i.*, to_timestamp(i.occurred_ms / 1000) AS occurred_at,
    date_bin('15 minutes', to_timestamp(i.occurred_ms / 1000), 'epoch') AS bucket
  FROM input i JOIN inserted USING (id)
), counts AS MATERIALIZED (
  SELECT project_id, bucket, coalesce(agent_id, '${NO_AGENT}') AS agent_id, coalesce(agent_type, '') AS agent_type,
    result, count(*) AS visits, max(occurred_at) AS last_at
  FROM stored GROUP BY 1, 2, 3, 4, 5
), counted AS (
  INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at)
  SELECT * FROM counts ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (project_id, bucket, agent_id, agent_type, result)
  DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at)
), opened AS (
  INSERT INTO visit_open_hours (project_id, hour)
  SELECT DISTINCT project_id, date_bin('1 hour', bucket, 'epoch') FROM counts ORDER BY 1, 2
  ON CONFLICT (project_id, hour) DO NOTHING
), tops AS (
  SELECT project_id, bucket, 'page' AS dimension, page AS value, count(*) AS visits FROM stored GROUP BY 1, 2, 4
  UNION ALL
  SELECT project_id, bucket, 'status', status::text, count(*) FROM stored WHERE status IS NOT NULL GROUP BY 1, 2, 4
), bounded AS (
  SELECT project_id, bucket, dimension, CASE WHEN is_known OR rank <= places THEN value ELSE '${OTHER}' END AS value,
    sum(visits) AS visits
  FROM (
    SELECT t.*, known.value IS NOT NULL AS is_known, room.places, row_number() OVER (
      PARTITION BY t.project_id, t.bucket, t.dimension, known.value IS NULL ORDER BY t.visits DESC, t.value
    ) AS rank
    FROM tops t
    JOIN (
      SELECT project_id, bucket, dimension, $14::int - (
        SELECT count(*) FROM visit_top_counts c
        WHERE (c.project_id, c.bucket, c.dimension) = (b.project_id, b.bucket, b.dimension)
      ) AS places
      FROM (SELECT DISTINCT project_id, bucket, dimension FROM tops) b
    ) room USING (project_id, bucket, dimension)
    LEFT JOIN visit_top_counts known USING (project_id, bucket, dimension, value)
  ) ranked
  GROUP BY 1, 2, 3, 4
), top_counted AS (
  INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits)
  SELECT project_id, bucket, dimension, value, visits FROM bounded ORDER BY 1, 2, 3, 4
  ON CONFLICT (project_id, bucket, dimension, value) DO UPDATE SET visits = c.visits + excluded.visits
)
SELECT DISTINCT project_id FROM stored`;

@Injectable()
export class VisitsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores visits and counts those that are new.
   *
   * @returns the projects that have new visits.
   */
  async store(rows: readonly VisitRow[]): Promise<string[]> {
    const column = (name: keyof VisitRow): string => arrayLiteral(rows.map((row) => row[name]));
    const projects = await preparedQuery<{ project_id: string }>(
      this.dataSource,
      { name: 'store-visits', text: STORE },
      [
        column('id'),
        column('projectId'),
        column('occurredAt'),
        column('agentId'),
        column('agentType'),
        column('operator'),
        column('result'),
        column('path'),
        column('page'),
        column('status'),
        column('mcpTool'),
        column('kinds'),
        // One text: an array of them would be escaped here and unescaped there.
        rows.map(({ document }) => document).join('\n'),
        MAX_TOP_VALUES,
      ],
    );
    return projects.map((row) => row.project_id);
  }
}
