import { setTimeout as sleep } from 'node:timers/promises';
import { ADVISORY_LOCKS } from '#libs/database';
import type { DataSource, EntityManager } from 'typeorm';
import { INDEX_BITS } from '../clickhouse/batch-number.js';
import { BatchesRepository } from '../clickhouse/batches.repository.js';
import { ClickHouse } from '../clickhouse/clickhouse.js';
import { LEDGER_DAYS } from '../ledger.js';
import { getPartitionName, PartitionsRepository, toDayNumber } from '../partitions.repository.js';
import { findWriters } from '../visit-store-location.repository.js';
import type { VisitStoreOptions } from '../visit-store-settings.js';
import { ClickHouseVisits } from './clickhouse-visits.js';
import { DAY_HOURS, type Hour, type MovableVisits } from './movable-visits.js';
import { PostgresVisits } from './postgres-visits.repository.js';

const POLL_INTERVAL_MS = 2_000;

export type VisitStoreName = 'postgresql' | 'clickhouse';

interface MoveProgress {
  /** Visits that have been compared or copied so far, and their total number. */
  done: number;
  total: number;
}

interface MoveOptions {
  target: VisitStoreName;
  signal: AbortSignal;
  onProgress: (progress: MoveProgress) => void;
  /** Called when all visits have been copied and these services must be stopped. */
  onWaiting: (services: readonly string[]) => void;
}

/**
 * Moves all visits between PostgreSQL and ClickHouse. First copies them while visits are still being stored. Then waits
 * until no process changes visits, copies what has changed, compares both databases, and switches to the target. If it
 * is interrupted, the next call continues with the hours that differ.
 *
 * @returns the number of visits in the target.
 * @throws {Error} if another process is moving visits, if a service was started in the meantime, or if the databases
 * still differ at the end.
 */
export async function moveVisits(
  dataSource: DataSource,
  options: VisitStoreOptions,
  { target, signal, onProgress, onWaiting }: MoveOptions,
): Promise<number> {
  const clickhouse = new ClickHouse(options);
  const runner = dataSource.createQueryRunner();
  try {
    const [{ locked }] = await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [ADVISORY_LOCKS.moveVisits]);
    if (!locked) throw new Error('Another process is moving the visits');
    const postgres = new PostgresVisits(dataSource);
    const [from, to] =
      target === 'clickhouse'
        ? [postgres, new ClickHouseVisits(clickhouse)]
        : [new ClickHouseVisits(clickhouse), postgres];
    const copy = () => copyDifferences(from, to, { target, signal, onProgress });
    if ((await readLocation(dataSource)) !== target) {
      await copy();
      await waitForWriters(dataSource, signal, onWaiting);
      await new BatchesRepository(dataSource, clickhouse).insertPending();
      await copy();
      const { copied, total } = await copy();
      if (copied > 0) throw new Error('The visits changed while they were being moved. Run the command again.');
      // A service may have been started again, for example by Kubernetes.
      const started = await findWriters(dataSource);
      if (started.length > 0)
        throw new Error(`Stop ${started.join(' and ')}, which started during the move, and run the command again.`);
      await switchTo(dataSource, target);
      await cleanUp(dataSource, clickhouse, target, signal);
      return total;
    }
    // The previous call was interrupted after it had switched to the target.
    await cleanUp(dataSource, clickhouse, target, signal);
    return 0;
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.moveVisits]).catch(() => undefined);
    await runner.release();
    await clickhouse.close();
  }
}

/** Makes the target's hours equal to the source's. */
async function copyDifferences(
  from: MovableVisits,
  to: MovableVisits,
  { target, signal, onProgress }: Omit<MoveOptions, 'onWaiting'>,
): Promise<{ copied: number; total: number }> {
  // PostgreSQL can keep the IDs of visits that ClickHouse has deleted.
  const comparesIds = target === 'clickhouse';
  const days = [...new Set([...(await from.days()), ...(await to.days())])].sort((one, other) => one - other);
  const progress = { done: 0, total: 0 };
  const different: { hour: Hour; visits: number; isEmpty: boolean }[] = [];
  for (const day of days) {
    signal.throwIfAborted();
    const [source, existing] = [await from.contents(day, comparesIds), await to.contents(day, comparesIds)];
    const digests = new Map(existing.map(({ hour, digest }) => [hour, digest]));
    const hours = new Map(source.map((content) => [content.hour, content]));
    for (let hour = day * DAY_HOURS; hour < (day + 1) * DAY_HOURS; hour += 1) {
      const { visits, digest } = hours.get(hour) ?? { visits: 0, digest: undefined };
      progress.total += visits;
      if (digest === digests.get(hour)) progress.done += visits;
      else different.push({ hour, visits, isEmpty: !digests.has(hour) });
      if (!comparesIds) {
        const ids = await copyCountedIds(from, to, hour);
        progress.total += ids;
        progress.done += ids;
      }
    }
    onProgress(progress);
  }
  for (const { hour, visits, isEmpty } of different) {
    signal.throwIfAborted();
    if (!isEmpty) await to.clear(hour);
    for await (const page of from.read(hour)) await to.write(hour, page);
    if (comparesIds) await copyCountedIds(from, to, hour);
    progress.done += visits;
    onProgress(progress);
  }
  return { copied: different.length, total: progress.total };
}

/** Returns the number of copied IDs. */
async function copyCountedIds(from: MovableVisits, to: MovableVisits, hour: Hour): Promise<number> {
  const ids = await from.countedIds(hour);
  if (ids.length > 0) await to.writeCountedIds(hour, ids);
  return ids.length;
}

async function waitForWriters(
  dataSource: DataSource,
  signal: AbortSignal,
  onWaiting: (services: readonly string[]) => void,
): Promise<void> {
  for (let last = ''; ;) {
    const services = await findWriters(dataSource);
    if (services.length === 0) return;
    if (services.join() !== last) onWaiting(services);
    last = services.join();
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}

async function readLocation(dataSource: DataSource): Promise<VisitStoreName> {
  const [row]: { visit_store: VisitStoreName }[] = await dataSource.query(`SELECT visit_store FROM instance_settings`);
  return row!.visit_store;
}

/** Records where the visits are from now on. Batch numbers continue after all positions that have been used. */
async function switchTo(dataSource: DataSource, target: VisitStoreName): Promise<void> {
  await dataSource.transaction(async (transaction) => {
    await transaction.query(
      `SELECT setval('visit_batch_numbers', greatest(
         (SELECT last_value FROM visit_batch_numbers), (SELECT coalesce(max(position), 0) >> ${INDEX_BITS} FROM visit_positions) + 1
       ))`,
    );
    await transaction.query(`DELETE FROM visit_shards`);
    await transaction.query(`UPDATE instance_settings SET visit_store = $1`, [target]);
  });
}

/** Deletes the visits that have been moved. PostgreSQL keeps recent IDs. */
async function cleanUp(
  dataSource: DataSource,
  clickhouse: ClickHouse,
  target: VisitStoreName,
  signal: AbortSignal,
): Promise<void> {
  if (target === 'postgresql') {
    await clickhouse.command(`TRUNCATE TABLE ${clickhouse.localVisits}${clickhouse.onCluster} SYNC`);
    return;
  }
  const partitions = new PartitionsRepository(dataSource);
  const ledgerStart = toDayNumber(Date.now()) - LEDGER_DAYS;
  for (const table of ['visits', 'unknown_visits'] as const) {
    for (const day of await partitions.list(table)) {
      signal.throwIfAborted();
      const name = getPartitionName(table, day);
      await dataSource.transaction(async (transaction) => {
        if (table === 'visits' || day < ledgerStart) await transaction.query(`DROP TABLE ${name}`);
        else await keepIds(transaction, name);
      });
    }
  }
  await dataSource.query(`DELETE FROM visit_forms`);
}

async function keepIds(transaction: EntityManager, partition: string): Promise<void> {
  // Services may already store visits in ClickHouse, whose IDs must be kept, too.
  await transaction.query(`LOCK TABLE ${partition} IN ACCESS EXCLUSIVE MODE`);
  await transaction.query(`CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT id FROM ${partition}`);
  await transaction.query(`TRUNCATE ${partition}`);
  await transaction.query(`INSERT INTO ${partition} (id) SELECT id FROM kept ORDER BY id`);
}
