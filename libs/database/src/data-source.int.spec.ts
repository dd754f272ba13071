import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { createDataSource, migrate, pendingMigrations } from './data-source.js';

it('disables JIT compilation even if the database enables it', async () => {
  const database = await startTestDatabase();
  try {
    const [{ name }] = await database.dataSource.query('SELECT current_database() AS name');
    await database.dataSource.query(`ALTER DATABASE "${name}" SET jit = on`);
    const later = await createDataSource({ url: database.url }).initialize();
    expect(await later.query('SHOW jit')).toEqual([{ jit: 'off' }]);
    await later.destroy();
  } finally {
    await database.stop();
  }
});

describe('migrate', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await startTestDatabase();
  });
  afterEach(() => database.stop());

  const listTables = async (): Promise<string[]> => {
    const rows: { name: string }[] = await database.dataSource.query(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    return rows.map(({ name }) => name).toSorted();
  };

  const resetSchema = (): Promise<unknown> =>
    database.dataSource.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`);

  it('creates the schema in an empty database', async () => {
    const { dataSource } = database;
    const all = await listTables();
    expect(all).toContain('visits');
    await resetSchema();
    expect(await listTables()).toEqual([]);
    const { migrations } = dataSource;
    expect(await pendingMigrations(dataSource)).toHaveLength(migrations.length);
    expect(await migrate(dataSource)).toHaveLength(migrations.length);
    expect(await pendingMigrations(dataSource)).toEqual([]);
    expect(await listTables()).toEqual(all);
  });

  it('reapplies all migrations after a revert, and refuses to revert the first one', async () => {
    const { dataSource } = database;
    const all = await listTables();
    const later = dataSource.migrations.length - 1;
    for (let reverted = 0; reverted < later; reverted += 1) await dataSource.undoLastMigration();
    await expect(dataSource.undoLastMigration()).rejects.toThrow('Drop the database instead');
    expect(await migrate(dataSource)).toHaveLength(later);
    expect(await listTables()).toEqual(all);
  });

  it('runs each migration once when several processes start at the same time', async () => {
    const { migrations } = database.dataSource;
    await resetSchema();
    const sources = await Promise.all([1, 2, 3].map(() => createDataSource({ url: database.url }).initialize()));
    const done = await Promise.all(sources.map((source) => migrate(source)));
    expect(done.flat()).toHaveLength(migrations.length);
    await Promise.all(sources.map((source) => source.destroy()));
  });

  it('runs migrations without a statement timeout', async () => {
    const { dataSource } = database;
    await resetSchema();
    await dataSource.query(`CREATE TABLE seen (timeout text)`);
    await dataSource.query(`CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO seen VALUES (current_setting('statement_timeout')); END $$`);
    await dataSource.query(`CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE')
      EXECUTE FUNCTION note()`);
    await migrate(dataSource);
    expect(await dataSource.query(`SELECT DISTINCT timeout FROM seen`)).toEqual([{ timeout: '0' }]);
  });

  it('rejects a database migrated by a newer release', async () => {
    const { dataSource } = database;
    await dataSource.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
    await expect(migrate(dataSource)).rejects.toThrow(/newer release .* \(Later9999999999999\)\. Run that release/);
    await dataSource.query(`DELETE FROM migrations WHERE timestamp = 9999999999999`);
    expect(await migrate(dataSource)).toEqual([]);
  });
});
