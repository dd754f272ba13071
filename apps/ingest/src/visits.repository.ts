import { Injectable } from '@nestjs/common';
import { MAX_SHARDS, NUMBER_BITS } from '#libs/contracts';
import { arrayLiteral, preparedQuery, SHARD_LOCKS } from '#libs/database';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import type { VisitRow } from './steps/visit-row.step.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import type { RecordedForm } from './visit-forms.js';

/** Different values that are counted in a bucket of a project, for each dimension; the rest counts as OTHER. */
const MAX_TOP_VALUES = { ofLists: 200, ofReports: 1_000 };
/** The dimensions of lists; all others are those of reports. */
export const LISTS = `('page', 'agent_page', 'status', 'agent_status')`;
/** SQL of how many values there may be in the dimension that a column names. */
export const maxTopValues = (column: string): string =>
  `CASE WHEN ${column} IN ${LISTS} THEN ${MAX_TOP_VALUES.ofLists} ELSE ${MAX_TOP_VALUES.ofReports} END`;
/** Stands for every value beyond the bound; no path and no status is empty. */
export const OTHER = '';

/** Where it is not known since when unknown visitors have a table of their own, all visits are looked for in both. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Stands for the agent of an unknown visitor. */
export const NO_AGENT = '00000000-0000-0000-0000-000000000000';

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

const OCCURRED_AT = 'to_timestamp(occurred_ms / 1000)';
/** Of `input` joined with `positions`, which has the last of the project. */
const POSITION = 'position - distance';

/** What an unknown visitor's visit has in its table; other visits have their ids there alone. */
const UNKNOWN_COLUMNS = {
  project_id: 'project_id',
  occurred_at: OCCURRED_AT,
  position: POSITION,
  path: 'path',
  status: 'status',
  mcp_tool: 'mcp_tool',
  kinds: 'kinds',
  document: 'document',
  form: 'form',
  automation: 'automation',
  assistant: 'assistant',
  user_agent_group: 'user_agent_group',
};

/** What a checkout has of its newest visit. */
const CHECKOUT_COLUMNS = ['state', 'currency', 'total', 'agent_id', 'is_spoofed', 'last_at', 'visit_id'];
const IS_NEWER = '(excluded.last_at, excluded.visit_id) > (c.last_at, c.visit_id)';

/**
 * One statement: whatever happens, a visit and its counts are there together or not at all, and a visit that
 * comes again changes nothing. It takes the first shard that no other statement has, until it commits: so it waits
 * for none of them, the visits of a shard are numbered in the order of commits, and no other statement updates the same counts.
 * All visits are inserted into unknown_visits, those of agents and those that are only counted as ids alone, and what is
 * new there goes on to its own table: so a visit is stored once even if its visitor is unknown the one time and an agent the next, and
 * two statements that store it wait for each other.
 * They are inserted in the order of their ids, so two that are given the same ones can't block each other.
 * Reports count visits by their dimensions, any number for a visit: each value is sent once, with the ordinal numbers of
 * the visits that have it.
 * Pages and statuses of agents' visits have dimensions of their own. Those counted by earlier versions do not: there,
 * `page` and `status` have all visits.
 * A checkout is as its newest visit has it, in whatever order visits come.
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
    $14::integer[], $18::boolean[], $19::integer[], $15::smallint[], $20::smallint[], $21::text[], $31::integer[]
  ) WITH ORDINALITY AS r (
    id, project_id, occurred_ms, agent_id, agent_type, operator, result, path, page, status, mcp_tool, kinds,
    document, form, is_counted, distance, robots, automation, assistant, user_agent_group, ordinal
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
), claimed AS (
  INSERT INTO unknown_visits (id, ${Object.keys(UNKNOWN_COLUMNS).join(', ')})
  SELECT id, ${Object.values(UNKNOWN_COLUMNS)
    .map((value) => `CASE WHEN agent_id IS NULL AND NOT is_counted THEN ${value} END`)
    .join(', ')}
  FROM input JOIN positions USING (project_id) ORDER BY project_id, id
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), of_agents AS (
  INSERT INTO visits (
    id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds, document,
    form, robots
  )
  SELECT id, project_id, ${OCCURRED_AT}, ${POSITION}, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds,
    document, form, robots
  FROM input JOIN positions USING (project_id) JOIN claimed USING (id)
  WHERE agent_id IS NOT NULL ORDER BY project_id, id
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), stored AS MATERIALIZED (
  SELECT id, ordinal, project_id, agent_id, agent_type, result, page, status, occurred_at,
    date_bin('15 minutes', occurred_at, 'epoch') AS bucket
  FROM (SELECT *, ${OCCURRED_AT} AS occurred_at FROM input) i JOIN claimed USING (id)
  WHERE agent_id IS NULL OR id IN (SELECT id FROM of_agents)
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
  SELECT project_id, bucket, CASE WHEN agent_id IS NULL THEN 'page' ELSE 'agent_page' END AS dimension, page AS value,
    count(*) AS visits
  FROM stored GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT project_id, bucket, CASE WHEN agent_id IS NULL THEN 'status' ELSE 'agent_status' END, status::text, count(*)
  FROM stored WHERE status IS NOT NULL GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT project_id, bucket, dimension, value, visits
  FROM (
    SELECT project_id, bucket, entry, count(*) AS visits
    FROM unnest((SELECT $22::integer[]), $23::integer[]) pairs (ordinal, entry) JOIN stored USING (ordinal)
    GROUP BY 1, 2, 3
  ) entries JOIN unnest((SELECT $24::text[]), $32::text[]) WITH ORDINALITY d (dimension, value, entry) USING (entry)
), ${boundedTops(FREE_SLOTS)}, top_counted AS (
  INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
  SELECT project_id, bucket, dimension, value, visits, shard FROM bounded, own ORDER BY 1, 2, 3, 4
  ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits
), checked_out AS (
  INSERT INTO checkouts AS c (
    project_id, id, protocol, first_at, ${CHECKOUT_COLUMNS.join(', ')}
  )
  SELECT DISTINCT ON (project_id, digest) project_id, digest, protocol,
    min(occurred_at) OVER (PARTITION BY project_id, digest), state, currency, total, agent_id,
    result = 'verification_failed', occurred_at, id
  FROM unnest((SELECT $25::uuid[]), $26::uuid[], $27::text[], $28::text[], $29::text[], $30::float8[])
    k (id, digest, protocol, state, currency, total) JOIN stored USING (id)
  ORDER BY project_id, digest, occurred_at DESC, id DESC
  ON CONFLICT (project_id, id) DO UPDATE SET first_at = least(c.first_at, excluded.first_at),
    ${CHECKOUT_COLUMNS.map((column) => `${column} = CASE WHEN ${IS_NEWER} THEN excluded.${column} ELSE c.${column} END`).join(', ')}
)
SELECT DISTINCT project_id FROM stored
UNION ALL (SELECT NULL FROM missing LIMIT 1)`;

@Injectable()
export class VisitsRepository {
  /**
   * One statement at a time: two at once leave the pages of indexes emptier, and a visit takes 6 % more bytes. While one
   * runs, the next batch is read and its forms are recorded.
   */
  private readonly limit = pLimit(1);
  /** Visits with lower ids may be in `visits` also where the visitor is unknown. */
  private since: string | null = null;

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
    const rows = await this.withoutEarlier(delivered.filter(({ id }) => !seen.has(id) && seen.add(id)).sort(inOrder));
    if (rows.length === 0) return [];
    const projects = await this.tryToStore(rows);
    if (!projects.includes(null)) return projects as string[];
    this.forms.forget();
    const projectsNow = await this.tryToStore(rows);
    if (projectsNow.includes(null)) throw new Error('forms of visits are gone as soon as they are recorded');
    return projectsNow as string[];
  }

  /** @returns null among the projects where forms are missing, and nothing was stored. */
  private async tryToStore(rows: readonly VisitRow[]): Promise<(string | null)[]> {
    const parameters = await this.parametersOf(rows);
    const projects = await this.limit(() =>
      preparedQuery<{ project_id: string | null }>(this.dataSource, { name: 'store-visits', text: STORE }, parameters),
    );
    return projects.map((row) => row.project_id);
  }

  /** Of {@link STORE}. A function of its own, so that nothing it is made of is held while the statement runs. */
  private async parametersOf(rows: readonly VisitRow[]): Promise<unknown[]> {
    const column = (name: Exclude<keyof VisitRow, 'document' | 'dimensions' | 'checkouts'>): string =>
      arrayLiteral(rows.map((row) => row[name]));
    const documents = await this.forms.divide(rows);
    const forms = [...new Set(documents.map(({ form }) => form))].filter((form): form is RecordedForm => form !== null);
    const dimensions = indexed(rows);
    const reporting = rows.filter(({ checkouts: reported }) => reported.length > 0);
    const checkouts = reporting.flatMap(({ id, checkouts: reported }) => reported.map((each) => ({ ...each, id })));
    return [
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
      column('robots'),
      arrayLiteral(forms.map(({ id }) => id)),
      forms.map(({ digest }) => digest),
      column('isCounted'),
      arrayLiteral(distances(rows)),
      column('automation'),
      column('assistant'),
      arrayLiteral(dimensions.ordinals),
      arrayLiteral(dimensions.entries),
      arrayLiteral(dimensions.names),
      arrayLiteral(checkouts.map(({ id }) => id)),
      arrayLiteral(checkouts.map(({ digest }) => digest)),
      arrayLiteral(checkouts.map(({ protocol }) => protocol)),
      arrayLiteral(checkouts.map(({ state }) => state)),
      arrayLiteral(checkouts.map(({ currency }) => currency)),
      arrayLiteral(checkouts.map(({ total }) => total)),
      column('userAgentGroup'),
      arrayLiteral(dimensions.values),
    ];
  }

  /** Leaves out visits of unknown visitors that were stored before these had a table of their own. */
  private async withoutEarlier(rows: readonly VisitRow[]): Promise<readonly VisitRow[]> {
    this.since ??= await this.firstIdOfTable();
    const earlier = rows.filter(({ id, agentId }) => agentId === null && id < this.since!).map(({ id }) => id);
    if (earlier.length === 0) return rows;
    const stored = await preparedQuery<{ id: string }>(
      this.dataSource,
      { name: 'earlier-visits', text: `SELECT id FROM visits WHERE id = ANY ($1::uuid[])` },
      [arrayLiteral(earlier)],
    );
    const known = new Set(stored.map(({ id }) => id));
    return rows.filter(({ id }) => !known.has(id));
  }

  private async firstIdOfTable(): Promise<string> {
    const [row] = await preparedQuery<{ since: string | null }>(
      this.dataSource,
      { name: 'unknown-visits-since', text: `SELECT unknown_visits_since AS since FROM instance_settings` },
      [],
    );
    return row?.since ?? LAST_ID;
  }
}

const inOrder = (one: VisitRow, other: VisitRow): number =>
  compare(one.projectId, other.projectId) || compare(one.id, other.id);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** How far each row is from the last one of its project, in their order. */
function distances(rows: readonly VisitRow[]): number[] {
  const found: number[] = [];
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const isOfNext = rows[index]!.projectId === rows[index + 1]?.projectId;
    found[index] = isOfNext ? found[index + 1]! + 1 : 0;
  }
  return found;
}

/**
 * Returns the different dimensions of rows as entries (`names`, `values`), and in pairs which row (`ordinals`) has which of
 * them (`entries`). Rows and entries are numbered from 1.
 */
function indexed(rows: readonly VisitRow[]) {
  const found = { ordinals: [] as number[], entries: [] as number[], names: [] as string[], values: [] as string[] };
  const known = new Map<string, Map<string, number>>();
  // By numbers, because an iterator makes an object for each of very many.
  for (let index = 0; index < rows.length; index += 1) {
    for (const dimension of rows[index]!.dimensions) {
      const name = dimension[0];
      const value = dimension[1];
      let ofName = known.get(name);
      if (ofName === undefined) known.set(name, (ofName = new Map()));
      let entry = ofName.get(value);
      if (entry === undefined) {
        entry = found.names.push(name);
        found.values.push(value);
        ofName.set(value, entry);
      }
      found.ordinals.push(index + 1);
      found.entries.push(entry);
    }
  }
  return found;
}
