import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { createDataSource, migrate, pendingMigrations } from './data-source.js';

describe('migrations', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());

  const tables = async (): Promise<string[]> => {
    const rows: { name: string }[] = await database.dataSource.query(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    return rows.map(({ name }) => name).toSorted();
  };

  it('go all the way back, and up again', async () => {
    const all = await tables();
    expect(all).toContain('visits');
    const { migrations } = database.dataSource;
    for (let undone = 0; undone < migrations.length; undone += 1) await database.dataSource.undoLastMigration();
    expect(await tables()).toEqual(['migrations']);
    expect(await pendingMigrations(database.dataSource)).toHaveLength(migrations.length);
    expect(await migrate(database.dataSource)).toHaveLength(migrations.length);
    expect(await pendingMigrations(database.dataSource)).toEqual([]);
    expect(await tables()).toEqual(all);
  });

  it('are done once when several processes start together', async () => {
    await database.dataSource.undoLastMigration();
    const sources = await Promise.all([1, 2, 3].map(() => createDataSource({ url: database.url }).initialize()));
    const done = await Promise.all(sources.map((source) => migrate(source)));
    expect(done.flat()).toHaveLength(1);
    await Promise.all(sources.map((source) => source.destroy()));
  });

  it('take the time that they need, however many rows there are', async () => {
    const { dataSource } = database;
    await dataSource.undoLastMigration();
    await dataSource.query(`CREATE TABLE seen (timeout text)`);
    await dataSource.query(`CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO seen VALUES (current_setting('statement_timeout')); END $$`);
    await dataSource.query(`CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE')
      EXECUTE FUNCTION note()`);
    expect(await migrate(dataSource)).toHaveLength(1);
    expect(await dataSource.query(`SELECT DISTINCT timeout FROM seen`)).toEqual([{ timeout: '0' }]);
  });
});
