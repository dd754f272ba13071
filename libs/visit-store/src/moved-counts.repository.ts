import { Injectable } from '@nestjs/common';
import { firstIdAt } from '#libs/contracts';
import { arrayLiteral, SHARD_LOCKS } from '#libs/database';
import type { EntityManager } from 'typeorm';
import type { CountedValues } from './visit-row.js';
import { NO_AGENT } from './visit-counts.js';
import { boundedTops, OTHER, FREE_SLOTS } from './top-counts.js';
import { CountSubtraction, type Subtrahend } from './count-subtraction.repository.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;

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

/** Change in a key's visits, and the times of the last visits that left and came. -Infinity means none. */
type Difference<Key> = Key & { visits: number; lastLeftAt: number; lastCameAt: number };

/** Shard that counts are added to. */
const FIRST_SHARD = 0;

/** Moves changed visits from their old counts to their new ones. */
@Injectable()
export class MovedCountsRepository {
  /**
   * Moves the counts of one project's visits. The visits must already be changed in the same transaction.
   *
   * Locks the first shard and all shards that visits are subtracted from. Statements that store visits use other
   * shards. The affected hours are reopened, so their roll-ups are rebuilt.
   */
  async move(
    transaction: EntityManager,
    rows: readonly { before: CountedValues; after: CountedValues }[],
  ): Promise<void> {
    const before = rows.map((row) => row.before);
    const after = rows.map((row) => row.after);
    const { projectId } = before[0]!;
    const counts = differences(before.map(countKey), after.map(countKey));
    const tops = differences(before.flatMap(topKeys), after.flatMap(topKeys));
    const subtractions = [
      new CountSubtraction(transaction, projectId, 'visit_counts', counts.filter(isFewer).map(fromCounts)),
      new CountSubtraction(transaction, projectId, 'visit_top_counts', tops.filter(isFewer).map(fromTops)),
    ];
    // Merging shards locks the first shard before any other, so no merge runs until this transaction ends.
    await lock(transaction, FIRST_SHARD);
    const shards = new Set(await shardsOfLast(transaction, projectId, counts));
    const isLastChanged = shards.size > 0;
    for (const each of subtractions) for (const shard of await each.shards()) shards.add(shard);
    const others = [...shards].filter((shard) => shard !== FIRST_SHARD).sort((one, other) => one - other);
    for (const shard of others) await lock(transaction, shard);
    const locked = [FIRST_SHARD, ...others];
    const hours = new Set(before.map(({ occurredAt }) => startOf(occurredAt, HOUR_MS)));
    await transaction.query(
      `INSERT INTO visit_open_hours AS o (project_id, hour, shard)
       SELECT $1, hour, ${FIRST_SHARD} FROM unnest($2::timestamptz[]) hour ORDER BY hour
       ON CONFLICT (project_id, hour, shard) DO UPDATE SET since = o.since WHERE false`,
      [projectId, [...hours]],
    );
    for (const each of subtractions) await each.subtract(locked);
    await addCounts(transaction, projectId, counts.filter(isMore));
    // Skip this statement if possible: planning it is slow.
    if (isLastChanged) await mendLast(transaction, projectId, counts, locked);
    await addTops(transaction, projectId, tops.filter(isMore));
  }
}

const lock = async (transaction: EntityManager, shard: number): Promise<void> =>
  transaction.query(`SELECT pg_advisory_xact_lock(${SHARD_LOCKS}, $1)`, [shard]);

const startOf = (time: number, length: number): string => new Date(Math.floor(time / length) * length).toISOString();
const bucketOf = ({ occurredAt }: CountedValues): string => startOf(occurredAt, QUARTER_MS);

const countKey = (row: CountedValues): [CountKey, number] => [
  {
    bucket: bucketOf(row),
    agent_id: row.agentId ?? NO_AGENT,
    agent_type: row.agentType ?? '',
    result: row.result,
  },
  row.occurredAt,
];

function topKeys(row: CountedValues): [TopKey, number][] {
  const [page, status] = row.agentId === null ? ['page', 'status'] : ['agent_page', 'agent_status'];
  const values: (readonly [string, string])[] = [[page, row.page], ...row.dimensions];
  if (row.status !== null) values.push([status, numberText(row.status)]);
  const bucket = bucketOf(row);
  return values.map(([dimension, value]) => [{ bucket, dimension, value }, row.occurredAt]);
}

/** Formats a number like PostgreSQL's `float8::text`, which is the form that statuses are counted in. */
function numberText(number: number): string {
  const [digits, exponent] = number.toExponential().split('e') as [string, string];
  if (Number(exponent) >= -4 && Number(exponent) < 15) return String(number);
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
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

const fromCounts = ({ visits, bucket, agent_id: id, agent_type: type, result }: Difference<CountKey>): Subtrahend => ({
  countKeys: [[bucket, id, type, result]],
  visits: -visits,
});

/** A visit is counted under its value or under {@link OTHER}. */
const fromTops = ({ visits, bucket, dimension, value }: Difference<TopKey>): Subtrahend => ({
  countKeys: [
    [bucket, dimension, value],
    [bucket, dimension, OTHER],
  ],
  visits: -visits,
});

/**
 * SQL condition for counts with an outdated `last_at`: their last visit left, or a later one came. In counts that grow,
 * {@link addCounts} handles later visits.
 */
const LAST_CHANGED = `c.project_id = $1
  AND (c.bucket, c.agent_id, c.agent_type, c.result) = (d.bucket, d.agent_id, d.agent_type, d.result)
  AND (c.last_at = d.last_left_at OR d.visits <= 0 AND c.last_at < d.last_came_at)`;
const CHANGED = `unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::bigint[], $9::uuid[])
  AS d (bucket, agent_id, agent_type, result, last_left_at, last_came_at, visits, first_id)`;

const changedColumns = (changed: readonly Difference<CountKey>[]): unknown[] => [
  ...countColumns(changed),
  changed.map(({ lastLeftAt }) => timeOrNull(lastLeftAt)),
  changed.map(({ lastCameAt }) => timeOrNull(lastCameAt)),
  changed.map(({ visits }) => visits),
  changed.map(({ bucket }) => firstIdAt(Date.parse(bucket))),
];

/** Returns the shards that contain counts with an outdated `last_at`. */
async function shardsOfLast(
  transaction: EntityManager,
  projectId: string,
  changed: readonly Difference<CountKey>[],
): Promise<number[]> {
  const rows: { shard: number }[] = await transaction.query(
    `SELECT DISTINCT c.shard FROM visit_counts c, ${CHANGED} WHERE ${LAST_CHANGED}`,
    [projectId, ...changedColumns(changed)],
  );
  return rows.map(({ shard }) => shard);
}

/** Reads outdated `last_at` values again from the stored visits. */
async function mendLast(
  transaction: EntityManager,
  projectId: string,
  changed: readonly Difference<CountKey>[],
  shards: readonly number[],
): Promise<void> {
  await transaction.query(
    `UPDATE visit_counts c SET last_at = coalesce(
       (
         SELECT v.occurred_at FROM visits_full v
         WHERE v.project_id = $1 AND v.occurred_at >= d.bucket AND v.occurred_at < d.bucket + interval '15 minutes'
           AND v.id >= d.first_id AND v.result = d.result AND coalesce(v.agent_type, '') = d.agent_type
           AND coalesce(v.agent_id, '${NO_AGENT}') = d.agent_id
         ORDER BY v.occurred_at DESC LIMIT 1
       ),
       c.last_at
     )
     FROM ${CHANGED}
     WHERE ${LAST_CHANGED} AND c.shard = ANY ($10::integer[])`,
    [projectId, ...changedColumns(changed), shards],
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
     ), ${boundedTops(FREE_SLOTS)}
     INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
     SELECT project_id, bucket, dimension, value, visits, 0 FROM bounded ORDER BY 1, 2, 3, 4
     ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits`,
    [projectId, ...topColumns(more), more.map(({ visits }) => visits)],
  );
}

const timeOrNull = (time: number): string | null => (time === -Infinity ? null : new Date(time).toISOString());

const countColumns = (keys: readonly CountKey[]): string[] =>
  (['bucket', 'agent_id', 'agent_type', 'result'] as const).map((name) => arrayLiteral(keys.map((key) => key[name])));

const topColumns = (keys: readonly TopKey[]): string[] =>
  (['bucket', 'dimension', 'value'] as const).map((name) => arrayLiteral(keys.map((key) => key[name])));
