import { jest } from '@jest/globals';
import { createBatchId, createVisitId } from '#libs/contracts';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { until } from '../../../../test/kit/instance.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { createVisitRow, storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { BatchesRepository } from '../clickhouse/batches.repository.js';
import { ClickHouse } from '../clickhouse/clickhouse.js';
import { ClickHouseVisitsRepository } from '../clickhouse/visits.repository.js';
import { moveVisits, type VisitStoreName } from './visit-move.repository.js';
import { PartitionsRepository, toDayNumber } from '../partitions.repository.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import { VisitFormsRepository } from '../visit-forms.repository.js';
import { VisitsRepository } from '../visits.repository.js';
import type { VisitStoreOptions } from '../visit-store-settings.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const HOUR_MS = 3_600_000;
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

let database: TestDatabase;
let options: VisitStoreOptions;
let clickhouse: ClickHouse;
// Moves start with visits in PostgreSQL, whichever store other tests use.
beforeAll(() => void delete process.env['TEST_VISIT_STORE']);
beforeEach(async () => {
  database = await startTestDatabase();
  options = await createClickHouseDatabase();
  clickhouse = new ClickHouse(options);
});
afterEach(async () => {
  await clickhouse.close();
  await database.stop();
});

const OTHER_VISITS: StoredVisit[] = [
  { at: '1969-07-20T20:17:40Z', address: '2001:db8::1' },
  { at: new Date(NOW - HOUR_MS).toISOString(), path: '/größe?\n"\\', agent: 'GPTBot', status: 404.5 },
  { at: new Date(NOW - HOUR_MS).toISOString(), keptAs: 'counted' },
  { at: new Date(NOW - HOUR_MS).toISOString(), headers: { 'x-\u0000': 'a' }, extra: { deep: [{}] } },
];

async function storeAtSeveralTimes(): Promise<void> {
  for (const hours of [0, 1, 30, 24 * 20]) {
    const visits = Array.from({ length: 50 }, (_, index): StoredVisit => {
      const at = new Date(NOW - hours * HOUR_MS - index * 60_000).toISOString();
      return index % 2 === 0 ? { at, agent: 'GPTBot', path: `/${index}` } : { at, path: `/${index}` };
    });
    await storeVisits(database.dataSource, PROJECT, NOW - hours * HOUR_MS, [...visits, ...OTHER_VISITS]);
  }
}

const move = (target: VisitStoreName, other: Partial<Parameters<typeof moveVisits>[2]> = {}) =>
  moveVisits(database.dataSource, options, {
    target,
    signal: new AbortController().signal,
    onProgress: () => {},
    onWaiting: () => {},
    ...other,
  });

const reportStatus = (service: string) =>
  database.dataSource.query(
    `INSERT INTO service_instances (id, service, host, version, started_at, reported_at, status, checks)
     VALUES (gen_random_uuid(), $1, 'host', '1', now(), now(), 'ok', '{}')`,
    [service],
  );

interface Content {
  id: string;
  document: string;
}
const inPostgres = (): Promise<Content[]> =>
  database.dataSource.query(
    `SELECT id, document::text AS document, position::text AS position FROM visits_full ORDER BY id`,
  );
const inClickHouse = () =>
  clickhouse.query<Content>(
    `SELECT id, document, toString(bitOr(bitShiftLeft(toInt64(shard), 56), toInt64(number))) AS position
     FROM ${clickhouse.visits} WHERE document <> '' ORDER BY UUIDToNum(id)`,
  );
const ledger = () =>
  database.dataSource.query(`SELECT count(*)::int AS ids, count(project_id)::int AS visits FROM unknown_visits`);

it('moves all visits to ClickHouse and back without changing them', async () => {
  await storeAtSeveralTimes();
  const before = await inPostgres();
  expect(await prepareVisitStore(database.dataSource, options)).toBe(false);
  expect(await move('clickhouse')).toBe(4 * 54);
  expect(await inClickHouse()).toEqual(before);
  expect(await inPostgres()).toEqual([]);
  // IDs of visits that can be delivered again.
  expect(await ledger()).toEqual([{ ids: 3 * 54, visits: 0 }]);
  expect(await prepareVisitStore(database.dataSource, options)).toBe(true);

  expect(await move('postgresql')).toBe(4 * 54);
  expect(await inPostgres()).toEqual(before);
  expect(await inClickHouse()).toEqual([]);
  expect(await ledger()).toEqual([{ ids: 4 * 54, visits: 4 * 27 }]);
});

it('moves an hour with more visits than a page', async () => {
  const at = new Date(NOW).toISOString();
  const visits: StoredVisit[] = [
    ...Array.from({ length: 20 }, () => ({ at, headers: { 'x-large': 'a'.repeat(900_000) } })),
    ...Array.from({ length: 2_100 }, (_, index) => ({ at, path: `/${index}` })),
  ];
  for (let start = 0; start < visits.length; start += 500)
    await storeVisits(database.dataSource, PROJECT, NOW, visits.slice(start, start + 500));
  await prepareVisitStore(database.dataSource, options);
  const before = await inPostgres();
  await move('clickhouse');
  expect(await move('postgresql')).toBe(visits.length);
  expect(await inPostgres()).toEqual(before);
});

it('waits until no process changes visits, and then moves what has changed', async () => {
  await storeAtSeveralTimes();
  await prepareVisitStore(database.dataSource, options);
  await reportStatus('ingest');
  await reportStatus('gateway');
  const changed: Promise<void>[] = [];
  const visits = await move('clickhouse', {
    onWaiting(services) {
      expect(services).toEqual(['ingest']);
      changed.push(changeVisits());
    },
  });
  await Promise.all(changed);
  const stored = await inClickHouse();
  expect(changed).toHaveLength(1);
  expect(stored.filter(({ document }) => document.includes('"note":"re-identified"'))).toHaveLength(1);
  expect(stored.filter(({ document }) => document.includes('/after'))).toHaveLength(1);
  expect(visits).toBe(4 * 54 + 1 - 1);
});

async function changeVisits(): Promise<void> {
  const { dataSource } = database;
  const [first, second] = await dataSource.query(`SELECT id FROM visits ORDER BY id LIMIT 2`);
  const document = JSON.stringify({ id: first.id, note: 're-identified' });
  await dataSource.query(`UPDATE visits SET document = $2, form = NULL WHERE id = $1`, [first.id, document]);
  await dataSource.query(`DELETE FROM visits WHERE id = $1`, [second.id]);
  await dataSource.query(`DELETE FROM unknown_visits WHERE id = $1`, [second.id]);
  await storeVisits(dataSource, PROJECT, NOW, [{ at: new Date(NOW).toISOString(), path: '/after' }]);
  await dataSource.query(`DELETE FROM service_instances WHERE service = 'ingest'`);
}

it('does not delete any visits if a service is started during the last copy', async () => {
  await storeVisits(database.dataSource, PROJECT, NOW, OTHER_VISITS);
  await prepareVisitStore(database.dataSource, options);
  const before = await inPostgres();
  jest.spyOn(BatchesRepository.prototype, 'insertPending').mockImplementationOnce(async () => {
    await reportStatus('ingest');
    return 0;
  });
  await expect(move('clickhouse')).rejects.toThrow('Stop ingest');
  expect(await inPostgres()).toEqual(before);
});

it('continues after an interruption', async () => {
  await storeAtSeveralTimes();
  await prepareVisitStore(database.dataSource, options);
  const controller = new AbortController();
  const before = await inPostgres();
  const interrupted = move('clickhouse', {
    signal: controller.signal,
    onProgress: ({ done }) => {
      if (done > 0) controller.abort();
    },
  });
  await expect(interrupted).rejects.toThrow('aborted');
  expect(await inPostgres()).toEqual(before);
  expect(await move('clickhouse')).toBe(4 * 54);
  expect(await inClickHouse()).toEqual(before);
});

it('stores new visits after those that were moved, in the order of live streams', async () => {
  await storeAtSeveralTimes();
  await prepareVisitStore(database.dataSource, options);
  await move('clickhouse');
  const [moved] = await clickhouse.query<{ last: number }>(`SELECT max(number) AS last FROM ${clickhouse.visits}`);
  const batches = new BatchesRepository(database.dataSource, clickhouse);
  const visits = new ClickHouseVisitsRepository(database.dataSource, clickhouse, batches);
  const visit = createVisitRow(PROJECT, createVisitId(createBatchId(NOW), 0), NOW, {
    at: new Date(NOW).toISOString(),
  });
  await visits.store([visit]);
  const [stored] = await clickhouse.query<{ number: number }>(
    `SELECT number FROM ${clickhouse.visits} WHERE id = {id:UUID}`,
    { id: visit.id },
  );
  expect(stored!.number).toBeGreaterThan(moved!.last);
  await move('postgresql');
  await new PartitionsRepository(database.dataSource).ensure([toDayNumber(NOW)]);
  expect(
    await new VisitsRepository(database.dataSource, new VisitFormsRepository(database.dataSource)).store([visit]),
  ).toEqual([]);
});

it('moves visits to PostgreSQL even if ClickHouse has deleted some whose IDs PostgreSQL still has', async () => {
  await storeAtSeveralTimes();
  await prepareVisitStore(database.dataSource, options);
  await move('clickhouse');
  await clickhouse.command(
    `ALTER TABLE ${clickhouse.visits} DELETE WHERE day = toDate({now:Int64} / 1000, 'UTC') OR agent_id IS NULL AND document <> ''`,
    { now: NOW },
    { settings: { mutations_sync: '2' } },
  );
  const remaining = await inClickHouse();
  await move('postgresql');
  expect(await inPostgres()).toEqual(remaining);
});

it('keeps the IDs of visits that are stored while it deletes those that were moved', async () => {
  await storeVisits(database.dataSource, PROJECT, NOW, OTHER_VISITS);
  await prepareVisitStore(database.dataSource, options);
  const id = createVisitId(createBatchId(NOW), 0);
  const storing = database.dataSource.createQueryRunner();
  await storing.startTransaction();
  const moved = move('clickhouse');
  // The insert is committed while the cleanup waits for it.
  await storing.query('INSERT INTO unknown_visits (id) VALUES ($1)', [id]);
  const isWaiting = async (): Promise<boolean> => {
    const locks = await database.dataSource.query(
      `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted AND relation::regclass::text LIKE 'unknown_visits_%'`,
    );
    return locks.length > 0;
  };
  await until(isWaiting, { condition: 'the cleanup waits' });
  await storing.commitTransaction();
  await storing.release();
  await moved;
  expect(await database.dataSource.query('SELECT id FROM unknown_visits WHERE id = $1', [id])).toEqual([{ id }]);
});

it('does not switch to ClickHouse while a service could store visits in PostgreSQL', async () => {
  await reportStatus('ingest');
  expect(await prepareVisitStore(database.dataSource, options)).toBe(false);
  await database.dataSource.query(`DELETE FROM service_instances`);
  expect(await prepareVisitStore(database.dataSource, options)).toBe(true);
});
