import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { executeReturning, executeAndCount } from './change-rows.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  await database.dataSource.query('CREATE TABLE things (id integer)');
});
beforeEach(() => database.dataSource.query('TRUNCATE things; INSERT INTO things VALUES (1), (2), (3)'));
afterAll(() => database.stop());

it('returns the rows that a statement changed, or how many it changed', async () => {
  const { dataSource } = database;
  const sql = 'UPDATE things SET id = id + 10 WHERE id > $1 RETURNING id';
  expect(await executeReturning<{ id: number }>(dataSource, sql, [1])).toEqual([{ id: 12 }, { id: 13 }]);
  expect(await executeAndCount(dataSource, 'DELETE FROM things WHERE id = $1', [1])).toBe(1);
  expect(await executeAndCount(dataSource, 'DELETE FROM things WHERE id = $1', [1])).toBe(0);
});

it('supports transactions and CTEs', async () => {
  await database.dataSource.transaction(async (transaction) => {
    const sql = 'WITH old AS (SELECT 3 AS id) DELETE FROM things t USING old WHERE t.id = old.id RETURNING t.id';
    expect(await executeReturning(transaction, sql, [])).toEqual([{ id: 3 }]);
    expect(await executeAndCount(transaction, sql, [])).toBe(0);
  });
});
