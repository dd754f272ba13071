import { freePort } from '../../../test/kit/instance.js';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { ClickHouse } from './clickhouse/clickhouse.js';
import { VisitStoreStatusRepository } from './visit-store-status.repository.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it('reports no fault if PostgreSQL stores the visits', async () => {
  const pending = { batches: 0, bytes: 0, oldest_at: null };
  const status = await new VisitStoreStatusRepository(database.dataSource, null).read();
  expect(status).toEqual({ name: 'PostgreSQL', fault: null, pending });
});

it('reports an unavailable ClickHouse server and the batches that wait for it', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const options = { url, user: 'default', password: '', database: 'agent_traffic', cluster: null, ca: null };
  const clickhouse = new ClickHouse(options);
  await database.dataSource.query(
    `INSERT INTO visit_batches (shard, projects, visits, stored_at) VALUES
       (0, '{}', '\\x0102', '2026-11-20T08:00:00Z'), (1, '{}', '\\x03', '2026-11-21T08:00:00Z')`,
  );
  expect(await new VisitStoreStatusRepository(database.dataSource, clickhouse).read()).toEqual({
    name: 'ClickHouse',
    fault: expect.stringContaining('ECONNREFUSED'),
    pending: { batches: 2, bytes: 3, oldest_at: new Date('2026-11-20T08:00:00Z') },
  });
  await clickhouse.close();
});
