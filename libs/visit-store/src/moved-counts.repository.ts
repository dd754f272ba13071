import { Injectable } from '@nestjs/common';
import {
  COMPLIANCE_DIMENSIONS,
  formatDimension,
  getFirstIdAt,
  parseDimension,
  toStatusGroup,
  UNKNOWN_FETCHER,
} from '#libs/contracts';
import { arrayLiteral, SHARD_LOCK_KEY } from '#libs/database';
import type { EntityManager } from 'typeorm';
import type { CountedValues } from './visit-row.js';
import { NO_AGENT } from './visit-counts.js';
import { limitTops, OTHER_VALUE, FREE_SLOTS } from './top-counts.js';
import { CountSubtraction, type Subtrahend } from './count-subtraction.repository.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;

export interface CountKey {
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

/**
 * Change in a key's number of visits, with the time of the last visit removed from the key and of the last visit added
 * to it. Each time is -Infinity if there is no such visit.
 */
export type Difference<Key> = Key & { visits: number; lastLeftAt: number; lastCameAt: number };

/** SQL that finds the last visit of a changed count among the stored visits, with a value per count. */
interface LastVisits {
  /** Expression for the time of the visit, or null if there is none. The values are in the column `d.name`. */
  expression: string;
  name: string;
  type: string;
  values: unknown[];
}

/** Shard that receives all added counts. */
const FIRST_SHARD = 0;

@Injectable()
export class MovedCountsRepository {
  /**
   * Moves the counts of one project's visits after the visits changed in the same transaction.
   *
   * Locks the first shard and each shard to subtract from, so statements that store visits use other shards. Also
   * reopens the affected hours, so their rollups are rebuilt.
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
      new CountSubtraction(transaction, projectId, 'visit_counts', counts.filter(hasDecreased).map(toCountSubtrahend)),
      new CountSubtraction(
        transaction,
        projectId,
        'visit_top_counts',
        tops.filter(hasDecreased).map(createTopSubtrahends(before)),
      ),
    ];
    // Merging shards also locks the first shard before any other, so no merge can run until this transaction ends.
    await lock(transaction, FIRST_SHARD);
    const shards = new Set(await listShardsWithOutdatedLastVisits(transaction, projectId, counts));
    const isLastChanged = shards.size > 0;
    for (const subtraction of subtractions) for (const shard of await subtraction.shards()) shards.add(shard);
    const otherShards = [...shards].filter((shard) => shard !== FIRST_SHARD).sort((one, other) => one - other);
    for (const shard of otherShards) await lock(transaction, shard);
    const locked = [FIRST_SHARD, ...otherShards];
    const hours = new Set(before.map(({ occurredAt }) => floorToIso(occurredAt, HOUR_MS)));
    await transaction.query(
      `INSERT INTO visit_open_hours AS o (project_id, hour, shard)
       SELECT $1, hour, ${FIRST_SHARD} FROM unnest($2::timestamptz[]) hour ORDER BY hour
       ON CONFLICT (project_id, hour, shard) DO UPDATE SET since = o.since WHERE false`,
      [projectId, [...hours]],
    );
    for (const subtraction of subtractions) await subtraction.subtract(locked);
    await addCounts(transaction, projectId, counts.filter(hasIncreased));
    // Planning this statement is slow, so skip it if possible.
    if (isLastChanged) {
      const lastVisits = await this.findLastVisits(projectId, counts, rows);
      await refreshLastVisits(transaction, projectId, counts, locked, lastVisits);
    }
    await addTops(transaction, projectId, tops.filter(hasIncreased));
  }

  /** @param _rows The changed visits. Those in PostgreSQL have already changed. */
  protected async findLastVisits(
    _projectId: string,
    changed: readonly Difference<CountKey>[],
    _rows: readonly { before: CountedValues }[],
  ): Promise<LastVisits> {
    return {
      expression: LAST_STORED_VISIT,
      name: 'first_id',
      type: 'uuid',
      values: changed.map(({ bucket }) => getFirstIdAt(Date.parse(bucket))),
    };
  }
}

const lock = async (transaction: EntityManager, shard: number): Promise<void> =>
  transaction.query(`SELECT pg_advisory_xact_lock(${SHARD_LOCK_KEY}, $1)`, [shard]);

const floorToIso = (time: number, length: number): string => new Date(Math.floor(time / length) * length).toISOString();
const getBucket = ({ occurredAt }: CountedValues): string => floorToIso(occurredAt, QUARTER_MS);

const countKey = (row: CountedValues): [CountKey, number] => [
  {
    bucket: getBucket(row),
    agent_id: row.agentId ?? NO_AGENT,
    agent_type: row.agentType ?? '',
    result: row.result,
  },
  row.occurredAt,
];

function topKeys(row: CountedValues): [TopKey, number][] {
  const [page, status] = row.agentId === null ? ['page', 'status'] : ['agent_page', 'agent_status'];
  const values: (readonly [string, string])[] = [[page, row.page], ...row.dimensions];
  if (row.status !== null) values.push([status, formatNumber(row.status)]);
  const bucket = getBucket(row);
  return values.map(([dimension, value]) => [{ bucket, dimension, value }, row.occurredAt]);
}

/** Formats a number like PostgreSQL's `float8::text`, which is how statuses are stored in counts. */
function formatNumber(number: number): string {
  const [digits, exponent] = number.toExponential().split('e') as [string, string];
  if (Number(exponent) >= -4 && Number(exponent) < 15) return String(number);
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

const hasDecreased = ({ visits }: { visits: number }): boolean => visits < 0;
const hasIncreased = ({ visits }: { visits: number }): boolean => visits > 0;

/** Returns the keys that visits were removed from or added to. */
function differences<Key extends object>(
  before: readonly [Key, number][],
  after: readonly [Key, number][],
): Difference<Key>[] {
  const all = new Map<string, Difference<Key>>();
  const add = (keys: readonly [Key, number][], visits: number): void => {
    for (const [key, at] of keys) {
      const text = JSON.stringify(key);
      const difference = all.get(text) ?? { ...key, visits: 0, lastLeftAt: -Infinity, lastCameAt: -Infinity };
      difference.visits += visits;
      if (visits < 0) difference.lastLeftAt = Math.max(difference.lastLeftAt, at);
      else difference.lastCameAt = Math.max(difference.lastCameAt, at);
      all.set(text, difference);
    }
  };
  add(before, -1);
  add(after, 1);
  return [...all.values()];
}

const toCountSubtrahend = ({
  visits,
  bucket,
  agent_id: id,
  agent_type: type,
  result,
}: Difference<CountKey>): Subtrahend => ({
  countKeys: [[bucket, id, type, result]],
  visits: -visits,
});

/**
 * Tries the value first, then the values under which version 0.1.0 counted the visits, and then {@link OTHER_VALUE},
 * because a visit can be counted under any of them.
 */
function createTopSubtrahends(before: readonly CountedValues[]): (difference: Difference<TopKey>) => Subtrahend {
  const oldValues = new Map<string, Set<string>>();
  const add = (value: string, oldValue: string): void => {
    if (!oldValues.has(value)) oldValues.set(value, new Set());
    oldValues.get(value)!.add(oldValue);
  };
  for (const row of before) {
    const path = row.path.split('?', 1)[0]!;
    // Version 0.1.0 counted each path of a page separately.
    add(row.page, path);
    for (const [dimension, value] of row.dimensions) {
      if (dimension === COMPLIANCE_DIMENSIONS.files && row.agentId !== null) {
        add(value, formatDimension(row.agentId, toStatusGroup(row.status), path));
      }
    }
  }
  return ({ visits, bucket, dimension, value }) => {
    const isPage = dimension === 'page' || dimension === 'agent_page';
    const isFile = dimension === COMPLIANCE_DIMENSIONS.files;
    const old = isPage || isFile ? (oldValues.get(value) ?? []) : [];
    // Version 0.1.0 didn't count the files that unknown visitors fetched.
    const other = isFile && parseDimension(value)[0] === UNKNOWN_FETCHER ? [] : [OTHER_VALUE];
    return {
      countKeys: [...new Set([value, ...old, ...other])].map((key) => [bucket, dimension, key]),
      visits: -visits,
    };
  };
}

/**
 * SQL condition for counts whose `last_at` is outdated, because their last visit was removed or a later one was added.
 * For counts that grow, {@link addCounts} updates it.
 */
const IS_LAST_VISIT_OUTDATED = `c.project_id = $1
  AND (c.bucket, c.agent_id, c.agent_type, c.result) = (d.bucket, d.agent_id, d.agent_type, d.result)
  AND (c.last_at = d.last_left_at OR d.visits <= 0 AND c.last_at < d.last_came_at)`;
const CHANGED_COUNTS = `unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::bigint[])
  AS d (bucket, agent_id, agent_type, result, last_left_at, last_came_at, visits)`;

const changedColumns = (changed: readonly Difference<CountKey>[]): unknown[] => [
  ...countColumns(changed),
  changed.map(({ lastLeftAt }) => timeOrNull(lastLeftAt)),
  changed.map(({ lastCameAt }) => timeOrNull(lastCameAt)),
  changed.map(({ visits }) => visits),
];

/** Returns the shards that contain counts with an outdated `last_at`. */
async function listShardsWithOutdatedLastVisits(
  transaction: EntityManager,
  projectId: string,
  changed: readonly Difference<CountKey>[],
): Promise<number[]> {
  const rows: { shard: number }[] = await transaction.query(
    `SELECT DISTINCT c.shard FROM visit_counts c, ${CHANGED_COUNTS} WHERE ${IS_LAST_VISIT_OUTDATED}`,
    [projectId, ...changedColumns(changed)],
  );
  return rows.map(({ shard }) => shard);
}

const LAST_STORED_VISIT = `(
         SELECT v.occurred_at FROM visits_full v
         WHERE v.project_id = $1 AND v.occurred_at >= d.bucket AND v.occurred_at < d.bucket + interval '15 minutes'
           AND v.id >= d.first_id AND v.result = d.result AND coalesce(v.agent_type, '') = d.agent_type
           AND coalesce(v.agent_id, '${NO_AGENT}') = d.agent_id
         ORDER BY v.occurred_at DESC LIMIT 1
       )`;

/** Recalculates outdated `last_at` values from the stored visits. */
async function refreshLastVisits(
  transaction: EntityManager,
  projectId: string,
  changed: readonly Difference<CountKey>[],
  shards: readonly number[],
  { expression, name, type, values }: LastVisits,
): Promise<void> {
  await transaction.query(
    `UPDATE visit_counts c SET last_at = coalesce(
       ${expression},
       c.last_at
     )
     FROM unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::bigint[], $9::${type}[])
       AS d (bucket, agent_id, agent_type, result, last_left_at, last_came_at, visits, ${name})
     WHERE ${IS_LAST_VISIT_OUTDATED} AND c.shard = ANY ($10::integer[])`,
    [projectId, ...changedColumns(changed), values, shards],
  );
}

async function addCounts(
  transaction: EntityManager,
  projectId: string,
  increasedCounts: readonly Difference<CountKey>[],
): Promise<void> {
  if (increasedCounts.length === 0) return;
  await transaction.query(
    `INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at, shard)
     SELECT $1::uuid, d.*, 0 FROM unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[]) d
     ORDER BY 2, 3, 4, 5
     ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
     DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at)`,
    [
      projectId,
      ...countColumns(increasedCounts),
      increasedCounts.map(({ visits }) => visits),
      increasedCounts.map(({ lastCameAt }) => timeOrNull(lastCameAt)),
    ],
  );
}

async function addTops(
  transaction: EntityManager,
  projectId: string,
  increasedCounts: readonly Difference<TopKey>[],
): Promise<void> {
  if (increasedCounts.length === 0) return;
  await transaction.query(
    `WITH tops AS (
       SELECT $1::uuid AS project_id, d.*
       FROM unnest($2::timestamptz[], $3::text[], $4::text[], $5::bigint[]) AS d (bucket, dimension, value, visits)
     ), ${limitTops(FREE_SLOTS)}
     INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits, shard)
     SELECT project_id, bucket, dimension, value, visits, 0 FROM bounded ORDER BY 1, 2, 3, 4
     ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits`,
    [projectId, ...topColumns(increasedCounts), increasedCounts.map(({ visits }) => visits)],
  );
}

const timeOrNull = (time: number): string | null => (time === -Infinity ? null : new Date(time).toISOString());

const countColumns = (keys: readonly CountKey[]): string[] =>
  (['bucket', 'agent_id', 'agent_type', 'result'] as const).map((name) => arrayLiteral(keys.map((key) => key[name])));

const topColumns = (keys: readonly TopKey[]): string[] =>
  (['bucket', 'dimension', 'value'] as const).map((name) => arrayLiteral(keys.map((key) => key[name])));
