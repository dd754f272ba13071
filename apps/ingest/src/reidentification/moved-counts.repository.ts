import { Injectable } from '@nestjs/common';
import { firstIdAt } from '#libs/contracts';
import { arrayLiteral } from '#libs/database';
import type { EntityManager } from 'typeorm';
import type { VisitRow } from '../steps/visit-row.step.js';
import { boundedTops, NO_AGENT, OTHER, PLACES, SHARD_LOCKS } from '../visits.repository.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;

/** What visits of a quarter of an hour are counted by. */
interface CountKey {
  bucket: string;
  agent_id: string;
  agent_type: string;
  result: string;
}

interface TopKey {
  bucket: string;
  dimension: string;
  value: string;
}

/** A key, how many visits more it has (fewer, where negative), and when the last one of those that left or came occurred. */
type Difference<Key> = Key & { visits: number; lastLeftAt: number; lastCameAt: number };

/** A row of a table of counts. */
type Counted<Key> = Omit<Key, 'bucket'> & { bucket: Date; shard: number; visits: number };

/** Versions before these dimensions counted agents' visits among the others. */
const EARLIER_DIMENSIONS: Readonly<Record<string, string>> = { agent_page: 'page', agent_status: 'status' };

const COUNT_KEYS = `unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[]) AS d (bucket, agent_id, agent_type, result)`;
const TOP_KEYS = `unnest($2::timestamptz[], $3::text[], $4::text[]) AS d (bucket, dimension, value)`;

/** Takes visits from the counts of what they were, and adds them to those of what they are. */
@Injectable()
export class MovedCountsRepository {
  /**
   * Moves the counts of visits of one project, whose rows are changed already in the same transaction. The shards that hold
   * their counts are taken meanwhile: statements that store visits take others. Sums are made anew.
   */
  async move(transaction: EntityManager, rows: readonly { before: VisitRow; after: VisitRow }[]): Promise<void> {
    const before = rows.map((row) => row.before);
    const after = rows.map((row) => row.after);
    const { projectId } = before[0]!;
    const buckets = [...new Set(before.map(bucketOf))];
    await takeShards(transaction, projectId, buckets);
    const hours = new Set(before.map(({ occurredAt }) => startOf(occurredAt, HOUR_MS)));
    await transaction.query(
      `INSERT INTO visit_open_hours AS o (project_id, hour, shard) SELECT $1, hour, 0 FROM unnest($2::timestamptz[]) hour ORDER BY hour
       ON CONFLICT (project_id, hour, shard) DO UPDATE SET since = o.since WHERE false`,
      [projectId, [...hours]],
    );
    const counts = differences(before.map(countKey), after.map(countKey));
    await takeCounts(transaction, projectId, counts.filter(isFewer));
    await addCounts(transaction, projectId, counts.filter(isMore));
    await mendLast(transaction, projectId, counts);
    const tops = differences(before.flatMap(topKeys), after.flatMap(topKeys));
    await takeTops(transaction, projectId, tops.filter(isFewer));
    await addTops(transaction, projectId, tops.filter(isMore));
  }
}

const startOf = (time: number, length: number): string => new Date(Math.floor(time / length) * length).toISOString();
const bucketOf = ({ occurredAt }: VisitRow): string => startOf(occurredAt, QUARTER_MS);

const countKey = (row: VisitRow): [CountKey, number] => [
  {
    bucket: bucketOf(row),
    agent_id: row.agentId ?? NO_AGENT,
    agent_type: row.agentType ?? '',
    result: row.result,
  },
  row.occurredAt,
];

function topKeys(row: VisitRow): [TopKey, number][] {
  const [page, status] = row.agentId === null ? ['page', 'status'] : ['agent_page', 'agent_status'];
  const values: (readonly [string, string])[] = [[page, row.page], ...row.dimensions];
  if (row.status !== null) values.push([status, String(row.status)]);
  const bucket = bucketOf(row);
  return values.map(([dimension, value]) => [{ bucket, dimension, value }, row.occurredAt]);
}

const isFewer = ({ visits }: { visits: number }): boolean => visits < 0;
const isMore = ({ visits }: { visits: number }): boolean => visits > 0;

/** Returns the keys that visits left or came to. */
function differences<Key extends object>(
  before: readonly [Key, number][],
  after: readonly [Key, number][],
): Difference<Key>[] {
  const all = new Map<string, Difference<Key>>();
  const add = (keys: readonly [Key, number][], visits: number): void => {
    for (const [key, at] of keys) {
      const text = JSON.stringify(key);
      const known = all.get(text) ?? { ...key, visits: 0, lastLeftAt: -Infinity, lastCameAt: -Infinity };
      known.visits += visits;
      if (visits < 0) known.lastLeftAt = Math.max(known.lastLeftAt, at);
      else known.lastCameAt = Math.max(known.lastCameAt, at);
      all.set(text, known);
    }
  };
  add(before, -1);
  add(after, 1);
  return [...all.values()];
}

/** In the order in which those take them who merge shards. The first is where counts are added. */
async function takeShards(transaction: EntityManager, projectId: string, buckets: string[]): Promise<void> {
  const rows: { shard: number }[] = await transaction.query(
    `SELECT 0 AS shard
     UNION SELECT shard FROM visit_counts WHERE project_id = $1 AND bucket = ANY ($2::timestamptz[])
     UNION SELECT shard FROM visit_top_counts WHERE project_id = $1 AND bucket = ANY ($2::timestamptz[]) ORDER BY 1`,
    [projectId, buckets],
  );
  for (const { shard } of rows) {
    await transaction.query(`SELECT pg_advisory_xact_lock(${SHARD_LOCKS}, $1)`, [shard]);
  }
}

async function takeCounts(
  transaction: EntityManager,
  projectId: string,
  fewer: readonly Difference<CountKey>[],
): Promise<void> {
  if (fewer.length === 0) return;
  const rows: Counted<CountKey>[] = await transaction.query(
    `SELECT bucket, agent_id, agent_type, result, shard, visits::float8 AS visits
     FROM visit_counts JOIN ${COUNT_KEYS} USING (bucket, agent_id, agent_type, result)
     WHERE project_id = $1 ORDER BY shard FOR UPDATE OF visit_counts`,
    [projectId, ...countColumns(fewer)],
  );
  const taken = new Taken(rows, ({ agent_id: id, agent_type: type, result }) => [id, type, result]);
  for (const { bucket, agent_id: id, agent_type: type, result, visits } of fewer) {
    taken.take(bucket, [id, type, result], -visits);
  }
  const changed = taken.changed();
  await transaction.query(
    `UPDATE visit_counts c SET visits = d.visits
     FROM unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::integer[], $7::bigint[])
       AS d (bucket, agent_id, agent_type, result, shard, visits)
     WHERE c.project_id = $1 AND (c.bucket, c.agent_id, c.agent_type, c.result, c.shard) = (d.bucket, d.agent_id, d.agent_type, d.result, d.shard)`,
    [
      projectId,
      ...countColumns(changed.map((row) => ({ ...row, bucket: row.bucket.toISOString() }))),
      changed.map(({ shard }) => shard),
      changed.map(({ visits }) => visits),
    ],
  );
  await deleteEmpty(transaction, 'visit_counts', projectId, fewer);
}

/** Where the last visit of a key left, or a later one came while another left, looks which one of those that are stored is the last. */
async function mendLast(
  transaction: EntityManager,
  projectId: string,
  changed: readonly Difference<CountKey>[],
): Promise<void> {
  await transaction.query(
    `UPDATE visit_counts c SET last_at = coalesce(found.last_at, c.last_at)
     FROM unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::uuid[])
         AS d (bucket, agent_id, agent_type, result, last_left_at, last_came_at, first_id),
       LATERAL (
         SELECT max(v.occurred_at) AS last_at FROM visits_full v
         WHERE v.project_id = $1 AND v.occurred_at >= d.bucket AND v.occurred_at < d.bucket + interval '15 minutes'
           AND v.id >= d.first_id AND v.result = d.result AND coalesce(v.agent_type, '') = d.agent_type
           AND coalesce(v.agent_id, '${NO_AGENT}') = d.agent_id
       ) found
     WHERE c.project_id = $1 AND (c.bucket, c.agent_id, c.agent_type, c.result) = (d.bucket, d.agent_id, d.agent_type, d.result)
       AND (c.last_at = d.last_left_at OR c.last_at < d.last_came_at)`,
    [
      projectId,
      ...countColumns(changed),
      changed.map(({ lastLeftAt }) => timeOrNull(lastLeftAt)),
      changed.map(({ lastCameAt }) => timeOrNull(lastCameAt)),
      changed.map(({ bucket }) => firstIdAt(Date.parse(bucket))),
    ],
  );
}

async function addCounts(
  transaction: EntityManager,
  projectId: string,
  more: readonly Difference<CountKey>[],
): Promise<void> {
  if (more.length === 0) return;
  await transaction.query(
    `INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at, shard)
     SELECT $1::uuid, d.*, 0 FROM unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[]) d
     ORDER BY 2, 3, 4, 5
     ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
     DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at)`,
    [
      projectId,
      ...countColumns(more),
      more.map(({ visits }) => visits),
      more.map(({ lastCameAt }) => timeOrNull(lastCameAt)),
    ],
  );
}

async function takeTops(
  transaction: EntityManager,
  projectId: string,
  fewer: readonly Difference<TopKey>[],
): Promise<void> {
  if (fewer.length === 0) return;
  /** Where a visit may be counted: by its value, among the others, or as earlier versions counted it. */
  const placesOf = ({ dimension, value }: TopKey): [string, string][] =>
    [dimension, EARLIER_DIMENSIONS[dimension]]
      .filter((each) => each !== undefined)
      .flatMap((each): [string, string][] => [
        [each, value],
        [each, OTHER],
      ]);
  const places = new Map(
    fewer.flatMap((each) =>
      placesOf(each).map(([dimension, value]) => [
        JSON.stringify([each.bucket, dimension, value]),
        { bucket: each.bucket, dimension, value },
      ]),
    ),
  );
  const rows: Counted<TopKey>[] = await transaction.query(
    `SELECT bucket, dimension, value, shard, visits::float8 AS visits
     FROM visit_top_counts JOIN ${TOP_KEYS} USING (bucket, dimension, value)
     WHERE project_id = $1 ORDER BY shard FOR UPDATE OF visit_top_counts`,
    [projectId, ...topColumns([...places.values()])],
  );
  const taken = new Taken(rows, ({ dimension, value }) => [dimension, value]);
  for (const each of fewer) {
    placesOf(each).reduce((left, place) => left - taken.take(each.bucket, place, left), -each.visits);
  }
  const changed = taken.changed();
  await transaction.query(
    `UPDATE visit_top_counts c SET visits = d.visits
     FROM unnest($2::timestamptz[], $3::text[], $4::text[], $5::integer[], $6::bigint[]) AS d (bucket, dimension, value, shard, visits)
     WHERE c.project_id = $1 AND (c.bucket, c.dimension, c.value, c.shard) = (d.bucket, d.dimension, d.value, d.shard)`,
    [
      projectId,
      ...topColumns(changed.map((row) => ({ ...row, bucket: row.bucket.toISOString() }))),
      changed.map(({ shard }) => shard),
      changed.map(({ visits }) => visits),
    ],
  );
  await deleteEmpty(transaction, 'visit_top_counts', projectId, fewer);
}

async function addTops(
  transaction: EntityManager,
  projectId: string,
  more: readonly Difference<TopKey>[],
): Promise<void> {
  if (more.length === 0) return;
  await transaction.query(
    `WITH tops AS (
       SELECT $1::uuid AS project_id, d.*
       FROM unnest($2::timestamptz[], $3::text[], $4::text[], $5::bigint[]) AS d (bucket, dimension, value, visits)
     ), ${boundedTops(PLACES)}
     INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
     SELECT project_id, bucket, dimension, value, visits, 0 FROM bounded ORDER BY 1, 2, 3, 4
     ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits`,
    [projectId, ...topColumns(more), more.map(({ visits }) => visits)],
  );
}

async function deleteEmpty(
  transaction: EntityManager,
  table: 'visit_counts' | 'visit_top_counts',
  projectId: string,
  keys: readonly { bucket: string }[],
): Promise<void> {
  await transaction.query(
    `DELETE FROM ${table} WHERE project_id = $1 AND bucket = ANY ($2::timestamptz[]) AND visits <= 0`,
    [projectId, [...new Set(keys.map(({ bucket }) => bucket))]],
  );
}

const timeOrNull = (time: number): string | null => (time === -Infinity ? null : new Date(time).toISOString());

const countColumns = (keys: readonly CountKey[]): string[] =>
  (['bucket', 'agent_id', 'agent_type', 'result'] as const).map((name) => arrayLiteral(keys.map((key) => key[name])));

const topColumns = (keys: readonly TopKey[]): string[] =>
  (['bucket', 'dimension', 'value'] as const).map((name) => arrayLiteral(keys.map((key) => key[name])));

/** Takes visits from rows of counts, never more than there are. */
class Taken<Row extends { bucket: Date; visits: number }> {
  private readonly rows = new Map<string, Row[]>();
  private readonly touched = new Set<Row>();

  constructor(rows: readonly Row[], parts: (row: Row) => readonly string[]) {
    for (const row of rows) {
      const key = JSON.stringify([row.bucket.toISOString(), ...parts(row)]);
      const known = this.rows.get(key);
      if (known === undefined) this.rows.set(key, [row]);
      else known.push(row);
    }
  }

  /** @returns how many there were to take. */
  take(bucket: string, parts: readonly string[], visits: number): number {
    let left = visits;
    for (const row of this.rows.get(JSON.stringify([bucket, ...parts])) ?? []) {
      const taken = Math.min(left, row.visits);
      if (taken === 0) continue;
      row.visits -= taken;
      left -= taken;
      this.touched.add(row);
    }
    return visits - left;
  }

  changed(): Row[] {
    return [...this.touched];
  }
}
