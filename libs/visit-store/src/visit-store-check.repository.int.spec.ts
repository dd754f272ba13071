import { createBatchId, createVisitId } from '#libs/contracts';
import { freePort } from '../../../test/kit/instance.js';
import { createClickHouseDatabase } from '../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { createVisitRow } from '../../../test/kit/stored-visits.js';
import { BatchesRepository } from './clickhouse/batches.repository.js';
import { ClickHouse } from './clickhouse/clickhouse.js';
import { ClickHouseVisitsRepository } from './clickhouse/visits.repository.js';
import { PartitionsRepository, toDayNumber } from './partitions.repository.js';
import { checkVisitStore } from './visit-store-check.repository.js';
import { prepareVisitStore } from './visit-store-location.repository.js';
import type { VisitStoreOptions } from './visit-store-settings.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const NOW = Date.now();

let database: TestDatabase;
let options: VisitStoreOptions;
let clickhouse: ClickHouse;
let visits: ClickHouseVisitsRepository;
beforeAll(async () => {
  database = await startTestDatabase();
  options = await createClickHouseDatabase();
  clickhouse = new ClickHouse(options);
  await prepareVisitStore(database.dataSource, options);
  await new PartitionsRepository(database.dataSource).ensure([toDayNumber(NOW)]);
  visits = new ClickHouseVisitsRepository(
    database.dataSource,
    clickhouse,
    new BatchesRepository(database.dataSource, clickhouse),
  );
});
afterAll(async () => {
  await clickhouse.close();
  await database.stop();
});

const storeVisit = (): Promise<string[]> => {
  const id = createVisitId(createBatchId(NOW), 0);
  return visits.store([createVisitRow(PROJECT, id, NOW, { at: new Date(NOW).toISOString() })]);
};
const check = (changes: Partial<VisitStoreOptions> = {}) =>
  checkVisitStore(database.dataSource, { ...options, ...changes });
/** Returns the checks that found a problem. */
const problems = async (changes?: Partial<VisitStoreOptions>) =>
  (await check(changes)).filter(({ status }) => status !== 'ok');

it('passes all checks of a store with visits', async () => {
  await storeVisit();
  expect(await check()).toMatchObject([
    { subject: 'ClickHouse', status: 'ok', detail: expect.stringMatching(/^version \d+\.\d+\./) },
    { subject: 'ClickHouse user', status: 'ok' },
    { subject: 'ClickHouse tables', status: 'ok' },
    { subject: 'ClickHouse parts', status: 'ok', detail: '1, at most 1 in a partition' },
    { subject: 'ClickHouse duplicates', status: 'ok' },
    { subject: 'ClickHouse visits', status: 'ok' },
    { subject: 'pending batches', status: 'ok', detail: 'none' },
  ]);
});

it('reports a server that rejects the password or does not respond', async () => {
  expect(await problems({ password: 'wrong' })).toMatchObject([
    { status: 'fault', detail: expect.stringContaining('rejected'), advice: expect.stringContaining('PASSWORD') },
  ]);
  expect(await problems({ url: `http://127.0.0.1:${await freePort()}` })).toMatchObject([
    { status: 'fault', detail: expect.stringContaining('does not respond'), advice: expect.stringContaining('_URL') },
  ]);
});

it('reports a missing table and missing columns', async () => {
  expect(await problems({ database: 'absent' })).toMatchObject([{ status: 'fault', detail: 'missing: absent.visits' }]);
  await clickhouse.command(`ALTER TABLE ${clickhouse.visits} DROP COLUMN mcp_tool`);
  expect(await problems()).toMatchObject([
    {
      status: 'fault',
      detail: `missing: ${clickhouse.visits}.mcp_tool`,
      advice: expect.stringContaining('agent-traffic migrate'),
    },
  ]);
  await clickhouse.command(
    `ALTER TABLE ${clickhouse.visits} ADD COLUMN mcp_tool LowCardinality(Nullable(String)) AFTER status`,
  );
});

it('warns about batches that have been pending for more than a minute, with the projects and the next step', async () => {
  await database.dataSource.query(`INSERT INTO projects (id, name) VALUES ($1, 'My site')`, [PROJECT]);
  const add = (seconds: number, projectId: string) =>
    database.dataSource.query(
      `INSERT INTO visit_batches (shard, projects, visits, stored_at)
       VALUES (0, ARRAY[$2::uuid], '', now() - $1 * interval '1 s')`,
      [seconds, projectId],
    );
  await add(10, '019a0000-0000-7000-8000-000000000002');
  expect(await problems()).toEqual([]);
  await add(120, PROJECT);
  expect(await problems()).toMatchObject([
    {
      subject: 'pending batches',
      status: 'warning',
      detail: expect.stringMatching(/^2, the oldest accepted 12\d s ago; projects whose visits wait: My site$/),
      advice: expect.stringContaining('AgentTrafficVisitStorePending in docs/runbook.md'),
    },
  ]);
  await database.dataSource.query(`DELETE FROM visit_batches`);
});

it('reports visits that are stored twice', async () => {
  await clickhouse.command(`INSERT INTO ${clickhouse.visits} SELECT * FROM ${clickhouse.visits} LIMIT 1`);
  expect(await problems()).toMatchObject([{ subject: 'ClickHouse duplicates', status: 'fault' }]);
  await database.dataSource.query(`INSERT INTO visit_batches (projects, replaced_ids, visits) VALUES ('{}', '{}', '')`);
  expect(await problems()).toEqual([]);
  await database.dataSource.query(`DELETE FROM visit_batches`);
  await clickhouse.command(`TRUNCATE TABLE ${clickhouse.visits}`);
});

it('reports visits that PostgreSQL does not know', async () => {
  await storeVisit();
  await database.dataSource.query(`UPDATE visit_shards SET last_batch = last_batch - 1`);
  expect(await problems()).toMatchObject([{ subject: 'ClickHouse visits', status: 'fault' }]);
  await database.dataSource.query(`UPDATE visit_shards SET last_batch = last_batch + 1`);
  expect(await problems()).toEqual([]);
});

it('reports settings for the wrong database, and checks nothing if PostgreSQL stores the visits', async () => {
  expect(await checkVisitStore(database.dataSource, null)).toMatchObject([
    { subject: 'visit store', status: 'fault', detail: expect.stringContaining('stored in ClickHouse') },
  ]);
  await database.dataSource.query(`UPDATE instance_settings SET visit_store = 'postgresql'`);
  expect(await checkVisitStore(database.dataSource, null)).toEqual([]);
});
