import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { isInUse } from './copy-database.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await startTestDatabase();
});
afterEach(() => database.stop());

it('reports a database as in use even after its only project is deleted', async () => {
  expect(await isInUse(database.dataSource)).toBe(false);
  await database.dataSource.query(`INSERT INTO projects (id, name) VALUES (gen_random_uuid(), 'Shop')`);
  await database.dataSource.query(`DELETE FROM projects`);
  expect(await isInUse(database.dataSource)).toBe(true);
});
