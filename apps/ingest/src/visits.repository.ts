import { Injectable } from '@nestjs/common';
import { MAX_SHARDS, NUMBER_BITS } from '#libs/contracts';
import { arrayLiteral, preparedQuery } from '#libs/database';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import type { VisitRow } from './steps/visit-row.step.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import type { RecordedForm } from './visit-forms.js';

/** Different pages and statuses that are counted in a bucket of a project; the rest counts as OTHER. */
export const MAX_TOP_VALUES = 200;
/** Stands for every value beyond the bound; no path and no status is empty. */
export const OTHER = '';

const NO_AGENT = '00000000-0000-0000-0000-000000000000';

/** First key of the advisory locks on shards. */
export const SHARD_LOCKS = 411_682;

/**
 * Values that are in a bucket stay, new ones get the places that are left, and the others become OTHER: `bounded`, from
 * the rows of a CTE `tops`.
 *
 * @param places SQL of how many are left in the bucket `b`.
 * @param shards condition for the rows that hold the bucket's values.
 */
export const boundedTops = (places: string, shards = 'true'): string => `marked AS MATERIALIZED (
  SELECT t.*, known.value IS NOT NULL AS is_known
  FROM tops t LEFT JOIN LATERAL (
    SELECT value FROM visit_top_counts c
    WHERE (c.project_id, c.bucket, c.dimension, c.value) = (t.project_id, t.bucket, t.dimension, t.value) AND ${shards}
    LIMIT 1
  ) known ON true
), bounded AS (
  SELECT project_id, bucket, dimension, CASE WHEN is_known OR rank <= places THEN value ELSE '${OTHER}' END AS value,
    sum(visits) AS visits
  FROM (
    SELECT m.*, room.places, row_number() OVER (
      PARTITION BY project_id, bucket, dimension, is_known ORDER BY value = '${OTHER}', visits DESC, value
    ) AS rank
    FROM marked m LEFT JOIN (
      SELECT b.*, ${places} AS places
      FROM (SELECT DISTINCT project_id, bucket, dimension FROM marked WHERE NOT is_known) b
    ) room USING (project_id, bucket, dimension)
  ) ranked
  GROUP BY 1, 2, 3, 4
)`;

/** SQL of the places that the rows leave. */
export const placesLeft = (max: string, shards = 'true'): string => `${max} - (
  SELECT count(DISTINCT value) FILTER (WHERE value <> '${OTHER}') FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension) = (b.project_id, b.bucket, b.dimension) AND ${shards}
)`;

/** The same of all shards. Once there is OTHER, all places are taken, and nothing has to be counted. */
const PLACES = `CASE WHEN EXISTS (
  SELECT FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension, c.value) = (b.project_id, b.bucket, b.dimension, '${OTHER}')
) THEN 0 ELSE ${placesLeft('$15::int')} END`;

/**
 * One statement: whatever happens, a visit and its counts are there together or not at all, and a visit that
 * comes again changes nothing. It takes the first shard that no other statement has, until it commits: so it waits
 * for none of them, the visits of a shard are numbered in the order of commits, and no other statement updates the same counts.
 * Visits are inserted in the order of their ids, so two that are given the same ones can't block each other.
 * Only quarters of an hour are counted: the hours are marked, and CountSumsRepository sums them up later. It waits for the
 * marks, which are locked even where they are there.
 * PostgreSQL does not know how many $1 has, as it is in a query of its own: otherwise it plans anew for few visits, which
 * takes longer than storing them.
 * Nothing is stored where a form is not the one that was recorded, as in a database that was put back to an earlier state
 * or that took over without the last of the former one: what the visits have in common would be gone.
 */
const STORE = `
WITH missing AS MATERIALIZED (
  SELECT id FROM unnest($16::integer[], $17::bytea[]) AS used (id, digest)
  WHERE NOT EXISTS (SELECT FROM visit_forms f WHERE (f.id, f.digest) = (used.id, used.digest))
), input AS MATERIALIZED (
  SELECT * FROM unnest(
    (SELECT $1::uuid[]), $2::uuid[], $3::float8[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::float8[], $11::text[], $12::smallint[], string_to_array($13::text, E'\\n')::json[],
    $14::integer[]
  ) AS r (
    id, project_id, occurred_ms, agent_id, agent_type, operator, result, path, page, status, mcp_tool, kinds,
    document, form
  )
  WHERE NOT EXISTS (SELECT FROM missing)
), own AS MATERIALIZED (
  SELECT coalesce(
    (
      SELECT shard FROM generate_series(0, ${MAX_SHARDS - 1}) AS shard
      WHERE pg_try_advisory_xact_lock(${SHARD_LOCKS}, shard) LIMIT 1
    ),
    (
      SELECT shard FROM (SELECT floor(random() * ${MAX_SHARDS})::integer AS shard OFFSET 0) any_of_them,
        LATERAL pg_advisory_xact_lock(${SHARD_LOCKS}, shard)
    )
  )::smallint AS shard
), positions AS (
  INSERT INTO visit_positions AS p (project_id, shard, position)
  SELECT project_id, shard, count(*) FROM input, own GROUP BY 1, 2 ORDER BY 1
  ON CONFLICT (project_id, shard) DO UPDATE SET position = p.position + excluded.position
  RETURNING p.project_id, (p.shard::bigint << ${NUMBER_BITS}) + p.position AS position
), inserted AS (
  INSERT INTO visits (
    id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds, document,
    form
  )
  SELECT i.id, i.project_id, to_timestamp(i.occurred_ms / 1000),
    p.position - count(*) OVER (PARTITION BY i.project_id) + row_number() OVER (PARTITION BY i.project_id ORDER BY i.id),
    i.agent_id, i.agent_type, i.operator, i.result, i.path, i.status, i.mcp_tool, i.kinds, i.document, i.form
  FROM input i JOIN positions p USING (project_id) ORDER BY i.project_id, i.id
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
  INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at, shard)
  SELECT counts.*, shard FROM counts, own ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
  DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at)
), opened AS (
  INSERT INTO visit_open_hours AS o (project_id, hour, shard)
  SELECT DISTINCT project_id, date_bin('1 hour', bucket, 'epoch'), shard FROM counts, own ORDER BY 1, 2
  ON CONFLICT (project_id, hour, shard) DO UPDATE SET since = o.since WHERE false
), tops AS (
  SELECT project_id, bucket, 'page' AS dimension, page AS value, count(*) AS visits FROM stored GROUP BY 1, 2, 4
  UNION ALL
  SELECT project_id, bucket, 'status', status::text, count(*) FROM stored WHERE status IS NOT NULL GROUP BY 1, 2, 4
), ${boundedTops(PLACES)}, top_counted AS (
  INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
  SELECT project_id, bucket, dimension, value, visits, shard FROM bounded, own ORDER BY 1, 2, 3, 4
  ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits
)
SELECT DISTINCT project_id FROM stored
UNION ALL (SELECT NULL FROM missing LIMIT 1)`;

@Injectable()
export class VisitsRepository {
  /**
   * One statement at a time: two at once fill the pages of indexes less, and a visit takes 595 instead of 562 bytes. While
   * one runs, the next batch is read and its forms are recorded.
   */
  private readonly limit = pLimit(1);

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
    const projects = await this.limit(() =>
      preparedQuery<{ project_id: string | null }>(this.dataSource, { name: 'store-visits', text: STORE }, [
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
      ]),
    );
    return projects.map((row) => row.project_id);
  }
}
