import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { isInUse } from './copy-database.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await startTestDatabase();
});
afterEach(() => database.stop());

it('considers a database in use after user data was written, even if deleted since', async () => {
  expect(await isInUse(database.dataSource)).toBe(false);
  await database.dataSource.query(`INSERT INTO projects (id, name) VALUES (gen_random_uuid(), 'Shop')`);
  await database.dataSource.query(`DELETE FROM projects`);
  expect(await isInUse(database.dataSource)).toBe(true);
});
