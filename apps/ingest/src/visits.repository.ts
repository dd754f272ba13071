import { Injectable } from '@nestjs/common';
import { arrayLiteral, preparedQuery } from '#libs/database';
import { DataSource } from 'typeorm';
import type { VisitRow } from './steps/visit-row.step.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import type { RecordedForm } from './visit-forms.js';

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
 * Nothing is stored where a form is not the one that was recorded, as in a database that was put back to an earlier state
 * or that took over without the last of the former one: what the visits have in common would be gone.
 */
const STORE = `
WITH missing AS MATERIALIZED (
  SELECT id FROM unnest($16::integer[], $17::bytea[]) AS used (id, digest)
  WHERE NOT EXISTS (SELECT FROM visit_forms f WHERE (f.id, f.digest) = (used.id, used.digest))
), input AS MATERIALIZED (
  SELECT * FROM unnest(
    $1::uuid[], $2::uuid[], $3::float8[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::float8[], $11::text[], $12::smallint[], string_to_array($13::text, E'\\n')::json[],
    $14::integer[]
  ) WITH ORDINALITY AS r (
    id, project_id, occurred_ms, agent_id, agent_type, operator, result, path, page, status, mcp_tool, kinds,
    document, form, place
  )
  WHERE NOT EXISTS (SELECT FROM missing)
), positions AS (
  INSERT INTO visit_positions AS p (project_id, position)
  SELECT project_id, count(*) FROM input GROUP BY project_id ORDER BY project_id
  ON CONFLICT (project_id) DO UPDATE SET position = p.position + excluded.position
  RETURNING p.project_id, p.position
), inserted AS (
  INSERT INTO visits (
    id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds, document,
    form
  )
  SELECT i.id, i.project_id, to_timestamp(i.occurred_ms / 1000),
    p.position - count(*) OVER (PARTITION BY i.project_id)
      + row_number() OVER (PARTITION BY i.project_id ORDER BY i.place),
    i.agent_id, i.agent_type, i.operator, i.result, i.path, i.status, i.mcp_tool, i.kinds, i.document, i.form
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
      SELECT project_id, bucket, dimension, $15::int - (
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
SELECT DISTINCT project_id FROM stored
UNION ALL (SELECT NULL FROM missing LIMIT 1)`;

@Injectable()
export class VisitsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly forms: VisitFormsRepository,
  ) {}

  /**
   * Stores visits and counts those that are new.
   *
   * @returns the projects that have new visits.
   */
  async store(rows: readonly VisitRow[]): Promise<string[]> {
    const projects = await this.tryToStore(rows);
    if (!projects.includes(null)) return projects as string[];
    this.forms.forget();
    const projectsNow = await this.tryToStore(rows);
    if (projectsNow.includes(null)) throw new Error('forms of visits are gone as soon as they are recorded');
    return projectsNow as string[];
  }

  /** @returns null among the projects where forms are missing, and nothing was stored. */
  private async tryToStore(rows: readonly VisitRow[]): Promise<(string | null)[]> {
    const column = (name: Exclude<keyof VisitRow, 'document'>): string => arrayLiteral(rows.map((row) => row[name]));
    const documents = await this.forms.divide(rows);
    const forms = [...new Set(documents.map(({ form }) => form))].filter((form): form is RecordedForm => form !== null);
    const projects = await preparedQuery<{ project_id: string | null }>(
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
        documents.map(({ text }) => text).join('\n'),
        arrayLiteral(documents.map(({ form }) => form?.id ?? null)),
        MAX_TOP_VALUES,
        arrayLiteral(forms.map(({ id }) => id)),
        forms.map(({ digest }) => digest),
      ],
    );
    return projects.map((row) => row.project_id);
  }
}
