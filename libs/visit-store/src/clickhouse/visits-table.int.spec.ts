import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import type { VisitStoreOptions } from '../visit-store-settings.js';
import { ClickHouse } from './clickhouse.js';
import { createTables } from './visits-table.js';

let database: TestDatabase;
let options: VisitStoreOptions;
let clickhouse: ClickHouse;
beforeAll(async () => {
  database = await startTestDatabase();
  options = await createClickHouseDatabase();
  clickhouse = new ClickHouse(options);
});
afterAll(async () => {
  await clickhouse.close();
  await database.stop();
});

const readDefinition = async () => ({
  columns: await clickhouse.query(
    `SELECT name, type, compression_codec FROM system.columns
     WHERE database = {database:String} AND table = 'visits' ORDER BY name`,
    { database: options.database },
  ),
  indexes: await clickhouse.query(
    `SELECT name, type_full, expr, granularity FROM system.data_skipping_indices
     WHERE database = {database:String} AND table = 'visits' ORDER BY name`,
    { database: options.database },
  ),
});

it('adds missing columns and indexes to a table that contains visits', async () => {
  await prepareVisitStore(database.dataSource, options);
  const current = await readDefinition();
  await clickhouse.command(
    `ALTER TABLE ${clickhouse.visits} DROP INDEX batch, DROP COLUMN assistant, DROP COLUMN robots`,
  );
  await clickhouse.command(`INSERT INTO ${clickhouse.visits} (path) VALUES ('/')`);
  for (let run = 0; run < 2; run += 1) {
    await prepareVisitStore(database.dataSource, options);
    expect(await readDefinition()).toEqual(current);
  }
  expect(await clickhouse.query(`SELECT path, assistant, robots FROM ${clickhouse.visits}`)).toEqual([
    { path: '/', assistant: null, robots: null },
  ]);
});

it('changes the tables on all servers of a cluster', async () => {
  const cluster = new ClickHouse({ ...options, cluster: 'my_cluster' });
  const changes = createTables(cluster).filter((statement) => statement.startsWith('ALTER'));
  await cluster.close();
  expect(changes.map((change) => change.replace(/ ADD .*/, ''))).toEqual([
    `ALTER TABLE ${options.database}.visits_local ON CLUSTER my_cluster`,
    `ALTER TABLE ${options.database}.visits ON CLUSTER my_cluster`,
  ]);
});
