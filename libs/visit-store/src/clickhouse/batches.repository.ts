import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
// oxlint-disable-next-line no-restricted-imports -- Only decompresses what this class has compressed.
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { ClickHouseError } from '@clickhouse/client';
import { Injectable } from '@nestjs/common';
import { arrayLiteral } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { ReadTimeoutError } from '../read-timeout-error.js';
import { numberBefore } from './batch-number.js';
import { ClickHouse } from './clickhouse.js';
import { measure, visitStoreMetrics } from './visit-store-metrics.js';
import { daysOf } from './visit-ids.js';
import { REWRITE_TIMEOUT_MS } from './visit-partitions.js';
import { COLUMN_NAMES, finishLine } from './visits-table.js';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const POLL_INTERVAL_MS = 20;
const ACCEPTED_TIMEOUT_MS = 10_000;

/** A visit that a batch contains. */
interface BatchedVisit {
  /** Index of the visit among its project's visits in the batch, from 1, or its position if the visit is replaced. */
  position: number | { shard: number; number: number };
  /** Beginning of the visit's line, from `startLine`. */
  line: string;
}

export interface Batch {
  number: number;
  token: string;
  /** Null if the batch replaces visits. */
  shard: number | null;
}

interface PendingBatch extends Batch {
  /** True if ClickHouse may have forgotten the token. */
  is_old: boolean;
  projects: string[];
  replaced_ids: string[] | null;
  visits: Buffer;
}

/** Maximum number of projects for which their part of the table is searched, instead of the entire days. */
const MAX_SEARCHED_PROJECTS = 500;
const SEPARATOR = '\t';
/**
 * Time after which a batch is old. ClickHouse remembers a limited number of tokens, and an import can use many in a short
 * time.
 */
const MAX_TOKEN_AGE_MS = 60_000;

/**
 * Serializes the visits of a batch for `visit_batches.visits`. The first row contains the column names, because another
 * version of the service may insert the batch.
 */
export function encodeVisits(visits: readonly BatchedVisit[]): Promise<Buffer> {
  const rows = visits.map(({ position, line }) => {
    const prefix = typeof position === 'number' ? String(position) : `${position.shard}:${position.number}`;
    return prefix + SEPARATOR + line;
  });
  return compress([COLUMN_NAMES.join(SEPARATOR), ...rows].join('\n'));
}

async function decodeVisits(visits: Buffer): Promise<{ columns: string[]; visits: BatchedVisit[] }> {
  const [names, ...rows] = (await decompress(visits)).toString().split('\n');
  return {
    columns: names!.split(SEPARATOR),
    visits: rows.map((row) => {
      const end = row.indexOf(SEPARATOR);
      const [first, second] = row.slice(0, end).split(':').map(Number) as [number, number | undefined];
      return { position: second === undefined ? first : { shard: first, number: second }, line: row.slice(end + 1) };
    }),
  };
}

/** Returns the lines to insert into ClickHouse. */
const toLines = ({ number, shard }: Batch, visits: readonly BatchedVisit[]): string[] =>
  visits.map(({ position, line }) =>
    finishLine(line, {
      batch: number,
      ...(typeof position === 'number' ? { shard: shard!, number: numberBefore(number) + position } : position),
    }),
  );

/** Inserts accepted visits into ClickHouse. */
@Injectable()
export class BatchesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
  ) {}

  /**
   * Inserts batches that processes left behind, oldest first.
   *
   * If ClickHouse rejects a batch or takes too long to replace its visits, the others are still inserted.
   *
   * @param minAgeMs Minimum age of the batches in milliseconds.
   * @param projectIds Projects whose batches to insert. Default: all projects.
   * @returns the number of inserted batches.
   * @throws the first error.
   */
  insertPending(minAgeMs = 0, projectIds: readonly string[] | null = null): Promise<number> {
    return this.insertMatching(
      `stored_at <= clock_timestamp() - $2 * interval '1 millisecond'`,
      projectIds,
      [minAgeMs],
      this.dataSource,
    );
  }

  /**
   * Like {@link insertPending}, for batches that replace visits. If a visit could be in one of these, call this before
   * reading the visit to change it.
   */
  async insertReplacements(
    projectIds: readonly string[] | null,
    connection: DataSource | EntityManager = this.dataSource,
  ): Promise<void> {
    await this.insertMatching('replaced_ids IS NOT NULL', projectIds, [], connection);
  }

  private async insertMatching(
    condition: string,
    projectIds: readonly string[] | null,
    parameters: readonly unknown[],
    connection: DataSource | EntityManager,
  ): Promise<number> {
    const batches: { number: number }[] = await connection.query(
      `SELECT number::float8 AS number FROM visit_batches
       WHERE ($1::uuid[] IS NULL OR projects && $1::uuid[]) AND ${condition} ORDER BY number`,
      [projectIds === null ? null : arrayLiteral(projectIds), ...parameters],
    );
    let rejection: ClickHouseError | ReadTimeoutError | null = null;
    for (const { number } of batches) {
      try {
        await this.insertOne(number, connection);
      } catch (error) {
        if (!(error instanceof ClickHouseError || error instanceof ReadTimeoutError)) throw error;
        rejection ??= error;
      }
    }
    if (rejection !== null) throw rejection;
    return batches.length;
  }

  /**
   * Records visits that replace those with the same IDs. After the commit, {@link insertReplacements} changes the visits
   * in ClickHouse. To prevent others from recording replacements for the same visits, the transaction must hold the
   * advisory lock `visitErasure`.
   */
  async replace(
    transaction: EntityManager,
    projectIds: readonly string[],
    ids: readonly string[],
    visits: readonly BatchedVisit[],
  ): Promise<void> {
    await transaction.query(
      `INSERT INTO visit_batches (projects, replaced_ids, visits) VALUES ($1::uuid[], $2::uuid[], $3)`,
      [arrayLiteral(projectIds), arrayLiteral(ids), await encodeVisits(visits)],
    );
  }

  /**
   * Inserts a batch and deletes it from PostgreSQL. Does nothing if another process has done so. If several processes
   * insert the batch, its visits are stored once, even if one of them was suspended in the meantime.
   */
  async insertOne(number: number, connection: DataSource | EntityManager = this.dataSource): Promise<void> {
    const startedAt = performance.now();
    const [batch]: PendingBatch[] = await connection.query(
      `SELECT number::float8 AS number, token, shard, projects, replaced_ids, visits,
         stored_at < clock_timestamp() - $2 * interval '1 millisecond' AS is_old
       FROM visit_batches WHERE number = $1`,
      [number, MAX_TOKEN_AGE_MS],
    );
    if (batch === undefined) return;
    const { columns, visits } = await decodeVisits(batch.visits);
    const decoded = toLines(batch, visits);
    const lines = batch.is_old ? await this.excludeStored(number, columns, decoded) : decoded;
    // If the process was suspended, another one may have inserted the batch.
    if (performance.now() - startedAt > MAX_TOKEN_AGE_MS) return this.insertOne(number, connection);
    if (lines.length > 0) await this.insert(batch, columns, lines);
    // Until the earlier versions are deleted, a visit appears twice. In the other order, it would be missing.
    if (batch.replaced_ids !== null) await this.deleteReplaced(batch);
    await connection.query(`DELETE FROM visit_batches WHERE number = $1`, [number]);
  }

  /**
   * Inserts a batch that has just been accepted, like {@link insertOne}, but without reading it from PostgreSQL.
   *
   * @param startedAt Time before the batch was accepted, as a `performance.now()` value.
   */
  async insertAccepted(batch: Batch, visits: readonly BatchedVisit[], startedAt: number): Promise<void> {
    // If the process was suspended, another one may have inserted the batch.
    if (performance.now() - startedAt > MAX_TOKEN_AGE_MS) return this.insertOne(batch.number);
    await this.insert(batch, COLUMN_NAMES, toLines(batch, visits));
    await this.dataSource.query(`DELETE FROM visit_batches WHERE number = $1`, [batch.number]);
  }

  private async insert({ token }: Batch, columns: readonly string[], lines: readonly string[]): Promise<void> {
    await measure(visitStoreMetrics.insertSeconds, () =>
      this.clickhouse.insert(this.clickhouse.visits, columns, lines.join('\n'), token),
    );
  }

  /** Excludes visits that ClickHouse has from this batch or in a later version. */
  private async excludeStored(batch: number, columns: readonly string[], lines: readonly string[]): Promise<string[]> {
    const idIndex = columns.indexOf('id');
    const lineIds = lines.map((line) => (JSON.parse(line) as string[])[idIndex]!);
    const stored = await this.clickhouse.query<{ id: string }>(
      `SELECT id FROM ${this.clickhouse.visits}
       WHERE day IN {days:Array(Date)} AND id IN {ids:Array(UUID)} AND batch >= {batch:UInt64}`,
      { days: daysOf(lineIds), ids: lineIds, batch },
    );
    const storedIds = new Set(stored.map(({ id }) => id));
    return lines.filter((_, index) => !storedIds.has(lineIds[index]!));
  }

  /**
   * Waits until ClickHouse has every batch that has been accepted so far.
   *
   * @throws {Error} if this takes longer than {@link ACCEPTED_TIMEOUT_MS}.
   */
  async waitForAccepted(): Promise<void> {
    const [{ last }] = await this.dataSource.query(`SELECT max(number)::float8 AS last FROM visit_batches`);
    if (last === null) return;
    for (const start = performance.now(); ; await sleep(POLL_INTERVAL_MS)) {
      const [{ pending }] = await this.dataSource.query(
        `SELECT EXISTS (SELECT FROM visit_batches WHERE number <= $1) AS pending`,
        [last],
      );
      if (!pending) return;
      if (performance.now() - start > ACCEPTED_TIMEOUT_MS)
        throw new Error('Visits that were accepted are still not in ClickHouse');
    }
  }

  private async deleteReplaced({ number, projects, replaced_ids: ids }: PendingBatch): Promise<void> {
    const { visits, localVisits, onCluster } = this.clickhouse;
    // A statement's parameters must be short.
    const inProjects = projects.length > MAX_SEARCHED_PROJECTS ? '' : 'project_id IN {projects:Array(UUID)} AND ';
    const older = `${inProjects}day IN {days:Array(Date)} AND batch < {batch:UInt64}`;
    const parameters = { ...(inProjects !== '' && { projects }), days: daysOf(ids!), batch: number };
    await this.clickhouse.command(
      // Every version of a visit is on the same shard.
      `DELETE FROM ${localVisits}${onCluster} WHERE ${older}
         AND id IN (SELECT id FROM ${localVisits} WHERE day IN {days:Array(Date)} AND batch = {batch:UInt64})`,
      parameters,
      {
        timeoutMs: REWRITE_TIMEOUT_MS,
        settings: {
          // A patch part marks the rows as deleted, so that the other rows of their parts aren't rewritten.
          lightweight_delete_mode: 'lightweight_update_force',
          lightweight_deletes_sync: '2',
          // Replicated tables require this for subqueries.
          allow_nondeterministic_mutations: 1,
        },
      },
    );
    const [row] = await this.clickhouse.query<{ remaining: number }>(
      `SELECT count() AS remaining FROM ${visits} WHERE ${older} AND id IN {ids:Array(UUID)}`,
      { ...parameters, ids },
      { timeoutMs: REWRITE_TIMEOUT_MS },
    );
    if (row!.remaining > 0) throw new ReadTimeoutError('A replica has not deleted the replaced visits yet');
  }
}
