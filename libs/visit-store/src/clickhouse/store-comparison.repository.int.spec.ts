import { createBatchId, createVisitId } from '#libs/contracts';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { createVisitRow } from '../../../../test/kit/stored-visits.js';
import { PartitionsRepository, toDayNumber } from '../partitions.repository.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { deleteNewerVisits } from './store-comparison.repository.js';
import { ClickHouseVisitsRepository } from './visits.repository.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const NOW = Date.now();

let database: TestDatabase;
let clickhouse: ClickHouse;
beforeEach(async () => {
  database = await startTestDatabase();
  const options = await createClickHouseDatabase();
  await prepareVisitStore(database.dataSource, options);
  await new PartitionsRepository(database.dataSource).ensure([toDayNumber(NOW)]);
  clickhouse = new ClickHouse(options);
});
afterEach(async () => {
  await clickhouse.close();
  await database.stop();
});

const query = (text: string) => database.dataSource.query(text);
/** Returns the repository of a process that has just started. */
const startProcess = () =>
  new ClickHouseVisitsRepository(
    database.dataSource,
    clickhouse,
    new BatchesRepository(database.dataSource, clickhouse),
  );
const createRows = (count: number) => {
  const batch = createBatchId(NOW);
  return Array.from({ length: count }, (_, index) =>
    createVisitRow(PROJECT, createVisitId(batch, index), NOW, { at: new Date(NOW).toISOString() }),
  );
};
const countVisits = async (): Promise<number> => {
  const [row] = await clickhouse.query<{ count: number }>(`SELECT count() AS count FROM ${clickhouse.visits}`);
  return row!.count;
};

/** Restores PostgreSQL to the state that it had when this function was called. */
async function backUpPostgres(): Promise<() => Promise<void>> {
  const shards: { shard: number; last_batch: string }[] = await query('SELECT shard, last_batch FROM visit_shards');
  const ids: { id: string }[] = await query('SELECT id FROM unknown_visits');
  return async () => {
    const last = Math.max(...shards.map(({ last_batch: batch }) => Number(batch)));
    await query(`DELETE FROM visit_shards`);
    for (const { shard, last_batch: batch } of shards)
      await query(`INSERT INTO visit_shards VALUES (${shard}, ${batch}, now())`);
    await query(`SELECT setval('visit_batch_numbers', ${last})`);
    await query(`DELETE FROM unknown_visits WHERE id NOT IN (${ids.map(({ id }) => `'${id}'`).join(', ')})`);
  };
}

it('reports no differences while visits are stored', async () => {
  expect(await startProcess().checkBackups()).toBeNull();
  await startProcess().store(createRows(3));
  expect(await startProcess().checkBackups()).toBeNull();
});

it('accepts re-identified visits that were moved from PostgreSQL', async () => {
  await startProcess().store(createRows(3));
  // Moved visits keep their positions, and no batch has been stored since.
  await query('DELETE FROM visit_shards');
  expect(await startProcess().checkBackups()).toBeNull();
  expect(await deleteNewerVisits(database.dataSource, clickhouse)).toBe(0);
});

describe('after PostgreSQL was restored from a backup', () => {
  const later = createRows(3);
  beforeEach(async () => {
    await startProcess().store(createRows(2));
    const restore = await backUpPostgres();
    await startProcess().store(later);
    await restore();
  });

  it('refuses to store visits until newer ones are deleted', async () => {
    const visits = startProcess();
    await expect(visits.checkBackups()).rejects.toThrow('newer visits (3)');
    await expect(visits.store(later)).rejects.toThrow('--discard-newer-visits');
    expect(await countVisits()).toBe(5);
    expect(await deleteNewerVisits(database.dataSource, clickhouse)).toBe(3);
    expect(await countVisits()).toBe(2);
    expect(await visits.store(later)).toEqual([PROJECT]);
    expect(await countVisits()).toBe(5);
    expect(await deleteNewerVisits(database.dataSource, clickhouse)).toBe(0);
  });

  it('deletes newer visits even if they were re-identified', async () => {
    await clickhouse.command(`ALTER TABLE ${clickhouse.visits} UPDATE batch = 1000 WHERE 1`, undefined, {
      settings: { mutations_sync: '2' },
    });
    expect(await deleteNewerVisits(database.dataSource, clickhouse)).toBe(3);
    await startProcess().store(later);
    const [row] = await query('SELECT max(last_batch)::int AS last FROM visit_shards');
    expect(row.last).toBeGreaterThan(1000);
  });
});

it('compares again if PostgreSQL was replaced while the process is running', async () => {
  const visits = startProcess();
  await visits.store(createRows(2));
  const restore = await backUpPostgres();
  const later = createRows(3);
  await visits.store(later);
  await restore();
  // Stands for another server.
  Object.assign(visits, { comparedServer: 'former server' });
  await expect(visits.store(later)).rejects.toThrow('newer visits (3)');
});

it('describes the batches that ClickHouse has lost', async () => {
  await startProcess().store(createRows(2));
  for (let batch = 0; batch < 2; batch += 1) await startProcess().store(createRows(2));
  const [{ last }] = await query('SELECT max(last_batch)::int AS last FROM visit_shards');
  await clickhouse.command(`DELETE FROM ${clickhouse.visits} WHERE batch > ${last - 2}`);
  expect(await startProcess().checkBackups()).toContain(`batches ${last - 1} to ${last}`);
});
