import { Injectable } from '@nestjs/common';
import { MAX_SHARDS, NUMBER_BITS } from '#libs/contracts';
import { arrayLiteral, preparedQuery, SHARD_LOCKS, type PreparedStatement } from '#libs/database';
import { isUniqueViolation } from '#libs/platform';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import type { VisitRow } from './steps/visit-row.step.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import { OF_AGENTS, OF_UNKNOWN, valuesOf, type Columns } from './visit-values.js';

/** Different values that are counted in a bucket of a project, for each dimension; the rest counts as OTHER. */
const MAX_TOP_VALUES = { ofLists: 200, ofReports: 1_000 };
/** The dimensions of lists; all others are those of reports. */
export const LISTS = `('page', 'agent_page', 'status', 'agent_status')`;
/** SQL of how many values there may be in the dimension that a column names. */
export const maxTopValues = (column: string): string =>
  `CASE WHEN ${column} IN ${LISTS} THEN ${MAX_TOP_VALUES.ofLists} ELSE ${MAX_TOP_VALUES.ofReports} END`;
/** Stands for every value beyond the bound; no path and no status is empty. */
export const OTHER = '';

/**
 * Values that are in a bucket stay, new ones get the slots that are left, and the others become OTHER: `bounded`, from
 * the rows of a CTE `tops`.
 *
 * @param slots SQL of how many are left in the bucket `b`.
 * @param shards condition for the rows that hold the bucket's values.
 */
export const boundedTops = (slots: string, shards = 'true'): string => `marked AS MATERIALIZED (
  SELECT t.*, known.value IS NOT NULL AS is_known
  FROM tops t LEFT JOIN LATERAL (
    SELECT value FROM visit_top_counts c
    WHERE (c.project_id, c.bucket, c.dimension, c.value) = (t.project_id, t.bucket, t.dimension, t.value) AND ${shards}
    LIMIT 1
  ) known ON true
), bounded AS (
  SELECT project_id, bucket, dimension, CASE WHEN is_known OR rank <= slots THEN value ELSE '${OTHER}' END AS value,
    sum(visits) AS visits
  FROM (
    SELECT m.*, free.slots, row_number() OVER (
      PARTITION BY project_id, bucket, dimension, is_known ORDER BY value = '${OTHER}', visits DESC, value
    ) AS rank
    FROM marked m LEFT JOIN (
      SELECT b.*, ${slots} AS slots
      FROM (SELECT DISTINCT project_id, bucket, dimension FROM marked WHERE NOT is_known) b
    ) free USING (project_id, bucket, dimension)
  ) ranked
  GROUP BY 1, 2, 3, 4
)`;

/** SQL of the slots that the rows leave. */
export const freeSlots = (shards = 'true'): string => `${maxTopValues('b.dimension')} - (
  SELECT count(DISTINCT value) FILTER (WHERE value <> '${OTHER}') FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension) = (b.project_id, b.bucket, b.dimension) AND ${shards}
)`;

/** The same of all shards. Once there is OTHER, all slots are taken, and nothing has to be counted. */
export const FREE_SLOTS = `CASE WHEN EXISTS (
  SELECT FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension, c.value) = (b.project_id, b.bucket, b.dimension, '${OTHER}')
) THEN 0 ELSE ${freeSlots()} END`;

/** Of the parameters that have numbers, in their order. */
const parameterNames: string[] = [];

/** SQL of a parameter. */
const parameter = (name: string): string => `$${parameterNames.indexOf(name) + 1 || parameterNames.push(name)}`;

/**
 * SQL of an array, the first of each list of rows. PostgreSQL does not know how many it has, as it is in a query of its own: otherwise it
 * plans anew for few visits, which takes longer than storing them.
 */
const array = (name: string, type: string): string => `(SELECT ${parameter(name)}::${type}[])`;

const timestamp = (milliseconds: string): string => `to_timestamp(${milliseconds} / 1000)`;

/** Rows have the numbers of their projects. */
const PROJECT_ID = `(${parameter('projects')}::uuid[])[project]`;
const POSITION = '((SELECT array_agg(position ORDER BY project_id) FROM positions))[project] - distance';

/**
 * Inserts rows from the parameters of the table. Their arrays become rows in SELECT: in FROM, PostgreSQL first copies each into a table of its
 * own.
 */
function insertInto(table: string, columns: Columns): string {
  const names = Object.keys(columns);
  const unnested = (name: string, type: string): string =>
    `unnest(${parameter(`${table}.${name}`)}::${type}[]) AS ${name}`;
  return `INSERT INTO ${table} (project_id, position, document, form, ${names.join(', ')})
  SELECT ${PROJECT_ID}, ${POSITION}, document, form,
    ${names.map((name) => (name === 'occurred_at' ? timestamp(name) : name)).join(', ')}
  FROM (
    SELECT unnest(${array(`${table}.project`, 'integer')}) AS project, ${unnested('distance', 'integer')}, ${unnested('form', 'integer')},
      ${unnested('document', 'json')},
      ${names.map((name) => unnested(name, columns[name]![0])).join(', ')}
  ) rows
  WHERE EXISTS (SELECT FROM own)`;
}

interface StoreStatement extends PreparedStatement {
  /** Their names, in the order of their numbers. */
  parameters: readonly string[];
}

/** What a checkout has of its newest visit. */
const CHECKOUT_COLUMNS = ['state', 'currency', 'total', 'agent_id', 'is_spoofed', 'last_at', 'visit_id'];
const IS_NEWER = '(excluded.last_at, excluded.visit_id) > (c.last_at, c.visit_id)';

/**
 * One statement: whatever happens, a visit and its counts are there together or not at all. It takes the first shard that no
 * other statement has, until it commits: so it waits for none of them, the visits of a shard are numbered in the order of commits, and no
 * other statement updates the same counts.
 * All visits are inserted into unknown_visits, those of agents and those that are only counted as ids alone: so a visit is stored
 * once even if its visitor is unknown the one time and an agent the next. Two statements that store it wait for each other, and
 * the later one fails: then nothing of it is stored.
 * They are inserted in the order of their projects and ids, so two that are given the same ones can't block each other.
 * Pages and statuses of agents' visits have dimensions of their own.
 * A checkout is as its newest visit has it, in whatever order visits come.
 * Only quarters of an hour are counted: the hours are marked, and CountSumsRepository sums them up later. It waits for the
 * marks, which are locked even where they are there.
 * Nothing is stored where a form is not the one that was recorded, as in a database that was put back to an earlier state
 * or that took over without the last of the former one: what the visits have in common would be gone.
 */
const storing = (name: string, checkedOut = ''): StoreStatement => ({
  name,
  text: `
WITH missing AS MATERIALIZED (
  SELECT id FROM unnest(${parameter('forms.id')}::integer[], ${parameter('forms.digest')}::bytea[]) AS used (id, digest)
  WHERE NOT EXISTS (SELECT FROM visit_forms f WHERE (f.id, f.digest) = (used.id, used.digest))
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
  WHERE NOT EXISTS (SELECT FROM missing)
), positions AS (
  INSERT INTO visit_positions AS p (project_id, shard, position)
  SELECT project_id, shard, visits
  FROM unnest(${array('projects', 'uuid')}, ${parameter('projects.visits')}::integer[]) AS given (project_id, visits), own ORDER BY 1
  ON CONFLICT (project_id, shard) DO UPDATE SET position = p.position + excluded.position
  RETURNING p.project_id, (p.shard::bigint << ${NUMBER_BITS}) + p.position AS position
), counts AS MATERIALIZED (
  SELECT ${PROJECT_ID} AS project_id, ${timestamp('bucket')} AS bucket, agent_id, agent_type, result, sum(visits) AS visits,
    ${timestamp('max(last_at)')} AS last_at, shard
  FROM unnest(
    ${array('counts.project', 'integer')}, ${parameter('counts.bucket')}::float8[], ${parameter('counts.agent_id')}::uuid[],
    ${parameter('counts.agent_type')}::text[], ${parameter('counts.result')}::text[], ${parameter('counts.visits')}::integer[], ${parameter('counts.last_at')}::float8[]
  ) AS given (project, bucket, agent_id, agent_type, result, visits, last_at), own
  GROUP BY project, bucket, agent_id, agent_type, result, shard
), counted AS (
  INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at, shard)
  SELECT * FROM counts ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
  DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at)
), opened AS (
  INSERT INTO visit_open_hours AS o (project_id, hour, shard)
  SELECT DISTINCT project_id, date_bin('1 hour', bucket, 'epoch'), shard FROM counts ORDER BY 1, 2
  ON CONFLICT (project_id, hour, shard) DO UPDATE SET since = o.since WHERE false
), tops AS (
  SELECT ${PROJECT_ID} AS project_id, ${timestamp('bucket')} AS bucket, dimension,
    CASE WHEN dimension IN ('status', 'agent_status') THEN value::float8::text ELSE value END AS value, visits
  FROM unnest(
    ${array('tops.project', 'integer')}, ${parameter('tops.bucket')}::float8[], ${parameter('tops.dimension')}::text[], ${parameter('tops.value')}::text[],
    ${parameter('tops.visits')}::integer[]
  ) AS given (project, bucket, dimension, value, visits)
), ${boundedTops(FREE_SLOTS)}, top_counted AS (
  INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
  SELECT project_id, bucket, dimension, value, visits, shard FROM bounded, own ORDER BY 1, 2, 3, 4
  ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits
${checkedOut}), of_agents AS (
  ${insertInto('visits', OF_AGENTS)}
), of_unknown AS (
  ${insertInto('unknown_visits', OF_UNKNOWN)}
)
SELECT id FROM missing`,
  parameters: [...parameterNames],
});
const STORE = storing('store-visits');
/** Most batches have none, and need not start this part of the plan. */
const CHECKED_OUT = `), checked_out AS (
  INSERT INTO checkouts AS c (
    project_id, id, protocol, first_at, ${CHECKOUT_COLUMNS.join(', ')}
  )
  SELECT DISTINCT ON (1, 2) ${PROJECT_ID}, digest, protocol,
    ${timestamp('min(occurred_at) OVER (PARTITION BY project, digest)')}, state, currency, total, agent_id,
    is_spoofed, ${timestamp('occurred_at')}, id
  FROM unnest(
    ${array('checkouts.id', 'uuid')}, ${parameter('checkouts.project')}::integer[], ${parameter('checkouts.digest')}::uuid[],
    ${parameter('checkouts.protocol')}::text[], ${parameter('checkouts.state')}::text[], ${parameter('checkouts.currency')}::text[],
    ${parameter('checkouts.total')}::float8[], ${parameter('checkouts.agent_id')}::uuid[], ${parameter('checkouts.is_spoofed')}::boolean[],
    ${parameter('checkouts.occurred_at')}::float8[]
  ) AS given (id, project, digest, protocol, state, currency, total, agent_id, is_spoofed, occurred_at), own
  ORDER BY 1, 2, occurred_at DESC, id DESC
  ON CONFLICT (project_id, id) DO UPDATE SET first_at = least(c.first_at, excluded.first_at),
    ${CHECKOUT_COLUMNS.map((column) => `${column} = CASE WHEN ${IS_NEWER} THEN excluded.${column} ELSE c.${column} END`).join(', ')}`;
const STORE_WITH_CHECKOUTS = storing('store-visits-and-checkouts', CHECKED_OUT);

/** Those of the ids that are stored, as of agents or of unknown visitors. */
const STORED = `
SELECT id FROM visits WHERE id = ANY ($1::uuid[]) UNION SELECT id FROM unknown_visits WHERE id = ANY ($1::uuid[])`;

@Injectable()
export class VisitsRepository {
  /**
   * One statement at a time: two at once leave the pages of indexes emptier, and a visit takes 6 % more bytes. While one
   * runs, the next batch is read and its forms are recorded.
   */
  private readonly limit = pLimit(1);
  /** Whether it is likely that visits come again, as after a start: then those that are stored are looked for first. */
  private expectsRepeats = true;

  constructor(
    private readonly dataSource: DataSource,
    private readonly forms: VisitFormsRepository,
  ) {}

  /**
   * Stores visits and counts those that are new.
   *
   * @returns the projects that have new visits.
   */
  async store(delivered: readonly VisitRow[]): Promise<string[]> {
    // The first of those that come twice: their visitors may differ.
    const seen = new Set<string>();
    const each = delivered.filter(({ id }) => !seen.has(id) && seen.add(id)).sort(inOrder);
    let rows = this.expectsRepeats ? await this.withoutStored(each) : each;
    this.expectsRepeats &&= rows.length < each.length;
    while (rows.length > 0) {
      try {
        await this.storeNew(rows);
        break;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        this.expectsRepeats = true;
        const left = await this.withoutStored(rows);
        // Not a fault of the visits: they are tried again.
        if (left.length === rows.length) throw new Error('visits that are stored were not found', { cause: error });
        rows = left;
      }
    }
    return [...new Set(rows.map(({ projectId }) => projectId))];
  }

  /** @throws what PostgreSQL says of a second one where a visit is stored already; then none is stored. */
  private async storeNew(rows: readonly VisitRow[]): Promise<void> {
    if (await this.tryToStore(rows)) return;
    this.forms.forget();
    if (!(await this.tryToStore(rows))) throw new Error('forms of visits are gone as soon as they are recorded');
  }

  /** @returns false where forms are missing, and nothing was stored. */
  private async tryToStore(rows: readonly VisitRow[]): Promise<boolean> {
    const statement = rows.some(({ checkouts }) => checkouts.length > 0) ? STORE_WITH_CHECKOUTS : STORE;
    const values = valuesOf(rows, await this.forms.divide(rows));
    const parameters = statement.parameters.map((name) => values[name]);
    const missing = await this.limit(() => preparedQuery(this.dataSource, statement, parameters));
    return missing.length === 0;
  }

  private async withoutStored(rows: VisitRow[]): Promise<VisitRow[]> {
    if (rows.length === 0) return rows;
    const stored = await preparedQuery<{ id: string }>(this.dataSource, { name: 'stored-visits', text: STORED }, [
      arrayLiteral(rows.map(({ id }) => id)),
    ]);
    const known = new Set(stored.map(({ id }) => id));
    return rows.filter(({ id }) => !known.has(id));
  }
}

const inOrder = (one: VisitRow, other: VisitRow): number =>
  compare(one.projectId, other.projectId) || compare(one.id, other.id);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
