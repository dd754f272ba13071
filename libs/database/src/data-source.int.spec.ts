import type { DataSource } from 'typeorm';
import { firstIdAt } from '#libs/contracts';
import { until } from '../../../test/kit/instance.js';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { createDataSource, migrate, pendingMigrations } from './data-source.js';
import { CatalogNames1763774000000 } from './migrations/1763774000000-catalog-names.js';
import { GenericPatterns1763775000000 } from './migrations/1763775000000-generic-patterns.js';
import { VisitForms1763776000000 } from './migrations/1763776000000-visit-forms.js';
import { UnknownVisitors1763778000000 } from './migrations/1763778000000-unknown-visitors.js';
import { VisitShards1763777000000 } from './migrations/1763777000000-visit-shards.js';

it('compiles no statement, whatever the server does of itself', async () => {
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

  const applied = async (dataSource: DataSource): Promise<string[]> =>
    (await dataSource.query('SELECT name FROM migrations')).map(({ name }: { name: string }) => name);

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

  it('give stored visits and rules the current names', async () => {
    const { dataSource } = database;
    const last = CatalogNames1763774000000.name;
    while ((await applied(dataSource)).includes(last)) await dataSource.undoLastMigration();
    const [project] = await dataSource.query(
      `INSERT INTO projects (id, name) VALUES (gen_random_uuid(), 'p') RETURNING id`,
    );
    await dataSource.query(`CREATE TABLE visits_all PARTITION OF visits DEFAULT`);
    const own = '{"visit":{"catalogue_version":"theirs"},"identification":{"catalogue_version":"v1"}}';
    await dataSource.query(
      `INSERT INTO visits VALUES (gen_random_uuid(), $1, now(), 1, NULL, NULL, NULL, 'unknown_agent', '/', NULL, NULL, 1, $2)`,
      [project.id, own],
    );
    await migrate(dataSource);
    expect(await dataSource.query(`SELECT document::text FROM visits`)).toEqual([
      { document: own.replace(/catalogue_version(?=":"v1)/, 'catalog_version') },
    ]);
    await dataSource.query(`DROP TABLE visits_all`);
  });

  it('put visits together again on the way back', async () => {
    const { dataSource } = database;
    await dataSource.query(`CREATE TABLE visits_all PARTITION OF visits DEFAULT`);
    const id = '01a205cc-841d-73c9-aa51-6aaa173b62c5';
    const template = '{"id":%1$s,"received_at":%3$s,"client_address":%8$s,"visit":{"request_path":%5$s,"100%%":%9$s}}';
    await dataSource.query(
      `WITH form AS (INSERT INTO visit_forms (digest, template, last_day) VALUES ('', $2, now()) RETURNING id)
       INSERT INTO visits (id, project_id, occurred_at, position, result, path, kinds, document, form)
       SELECT $1, $1, now(), 1, 'unknown_agent', '/"', 1, '["192.0.2.7",1e2]', form.id FROM form`,
      [id, template],
    );
    const last = VisitForms1763776000000.name;
    while ((await applied(dataSource)).includes(last)) await dataSource.undoLastMigration();
    const document = `{"id":"${id}","received_at":"2026-11-23T00:26:58.973Z","client_address":"192.0.2.7","visit":{"request_path":"/\\"","100%":1e2}}`;
    expect(await dataSource.query(`SELECT document::text FROM visits`)).toEqual([{ document }]);
    await migrate(dataSource);
    expect(await dataSource.query(`SELECT document::text, client_address FROM visits_full`)).toEqual([
      { document, client_address: '192.0.2.7' },
    ]);
    await dataSource.query(`DROP TABLE visits_all`);
  });

  it('put shards together on the way back, and leave what is there where it is on the way up', async () => {
    const { dataSource } = database;
    await dataSource.query(`CREATE TABLE visits_all PARTITION OF visits DEFAULT`);
    const project = '01a205cc-841d-73c9-aa51-6aaa173b62c5';
    const shard = 1n << 56n;
    for (const position of [1n, 3n, shard + 1n, 5n * shard + 2n]) {
      await dataSource.query(
        `INSERT INTO visits (id, project_id, occurred_at, position, result, path, kinds, document)
         VALUES (gen_random_uuid(), $1, now(), $2, 'unknown_agent', '/', 1, '{}')`,
        [project, String(position)],
      );
    }
    await dataSource.query(
      `INSERT INTO visit_positions (project_id, shard, position) VALUES ($1, 0, 3), ($1, 1, 1), ($1, 5, 2)`,
      [project],
    );
    await dataSource.query(
      `INSERT INTO visit_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at, shard)
       SELECT $1, 'epoch', $1, '', 'unknown_agent', visits, to_timestamp(visits), shard
       FROM (VALUES (2, 0), (1, 1), (1, 5)) v (visits, shard)`,
      [project],
    );
    await dataSource.query(
      `INSERT INTO visit_top_counts (project_id, bucket, dimension, value, visits, shard)
       VALUES ($1, 'epoch', 'page', '/', 1, 1), ($1, 'epoch', 'page', '/', 3, 0)`,
      [project],
    );
    await dataSource.query(
      `INSERT INTO visit_open_hours (project_id, hour, shard) VALUES ($1, 'epoch', 0), ($1, 'epoch', 5)`,
      [project],
    );
    const last = VisitShards1763777000000.name;
    while ((await applied(dataSource)).includes(last)) await dataSource.undoLastMigration();
    const state = async () => [
      await dataSource.query(`SELECT position::int FROM visits ORDER BY 1`),
      await dataSource.query(`SELECT position::int FROM visit_positions`),
      await dataSource.query(`SELECT visits::int, extract(epoch FROM last_at)::int AS last_at FROM visit_counts`),
      await dataSource.query(`SELECT value, visits::int FROM visit_top_counts`),
      await dataSource.query(`SELECT count(*)::int AS hours FROM visit_open_hours`),
    ];
    const expected = [
      [1, 3, 4, 5].map((position) => ({ position })),
      [{ position: 6 }],
      [{ visits: 4, last_at: 2 }],
      [{ value: '/', visits: 4 }],
      [{ hours: 1 }],
    ];
    expect(await state()).toEqual(expected);
    await migrate(dataSource);
    expect(await state()).toEqual(expected);
    await dataSource.query(`DROP TABLE visits_all`);
    await dataSource.query(`TRUNCATE visit_positions, visit_counts, visit_top_counts, visit_open_hours`);
  });

  it('leave visits of unknown visitors where they are, find them there, and put new ones back on the way back', async () => {
    const { dataSource } = database;
    const last = UnknownVisitors1763778000000.name;
    while ((await applied(dataSource)).includes(last)) await dataSource.undoLastMigration();
    const DAY = 86_400_000;
    const today = Math.floor(Date.now() / DAY) * DAY;
    const first = (day: number): string => firstIdAt(today + day * DAY);
    const name = (day: number): string =>
      `visits_${new Date(today + day * DAY).toISOString().slice(0, 10).replaceAll('-', '')}`;
    for (const day of [-1, 0, 1, 2]) {
      await dataSource.query(
        `CREATE TABLE ${name(day)} PARTITION OF visits FOR VALUES FROM ('${first(day)}') TO ('${first(day + 1)}')`,
      );
    }
    const [project] = await dataSource.query(
      `INSERT INTO projects (id, name) VALUES (gen_random_uuid(), 'p') RETURNING id`,
    );
    const agent = '3c00155e-c06b-5ee8-a7c8-57e6328803d2';
    const add = (day: number, path: string, agentId: string | null) =>
      dataSource.query(
        `INSERT INTO visits (id, project_id, occurred_at, position, agent_id, result, path, kinds, document)
         VALUES ($1, $2, now(), 1, $3, $4, $5, 1, '{"client_address":"192.0.2.7"}')`,
        [first(day).replace(/.$/, '1'), project.id, agentId, agentId === null ? 'unknown_agent' : 'verified', path],
      );
    await add(-1, '/unknown', null);
    await add(0, '/agent', agent);
    await add(1, '/ahead', null);
    const settings = async () => (await dataSource.query(`SELECT * FROM instance_settings`))[0];
    // A dashboard that reads meanwhile: it holds its locks, and wants others.
    const reader = dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query(`SELECT FROM ${name(2)}`);
    const migrated = migrate(dataSource);
    await until(
      async () =>
        (
          await dataSource.query(
            `SELECT FROM pg_locks WHERE NOT granted AND relation = '${name(2)}'::regclass AND mode = 'AccessExclusiveLock'`,
          )
        ).length > 0,
      { what: 'the migration waits for the reader' },
    );
    await reader.query(`SELECT FROM visits_full WHERE id < '${first(2)}'`);
    await reader.commitTransaction();
    await reader.release();
    await migrated;
    expect(await settings()).toMatchObject({ unknown_retention_days: null, unknown_retention_chosen: false });
    expect((await settings()).unknown_visits_since.slice(0, 13)).toBe(first(2).slice(0, 13));
    expect((await dataSource.query(`SELECT unknown_visitors FROM projects`))[0]).toEqual({ unknown_visitors: 'kept' });
    const unknown = `SELECT path, client_address FROM visits_full WHERE result = 'unknown_agent' AND agent_id IS NULL`;
    expect(await dataSource.query(`${unknown} ORDER BY id`)).toEqual(
      ['/unknown', '/ahead'].map((path) => ({ path, client_address: '192.0.2.7' })),
    );
    const onlyAgents: { name: string }[] = await dataSource.query(
      `SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE conname = 'only_agents'`,
    );
    // Not that of tomorrow, which has a visit of an unknown visitor by a clock that is ahead.
    expect(onlyAgents).toEqual([{ name: name(2) }]);
    await dataSource.query(
      `CREATE TABLE unknown_visits_all PARTITION OF unknown_visits DEFAULT;
       INSERT INTO unknown_visits (id, project_id, occurred_at, position, path, kinds, document)
       VALUES ('${first(2).replace(/.$/, '2')}', '${project.id}', now(), 1, '/new', 1, '{}');
       INSERT INTO unknown_visits (id) VALUES ('${first(2).replace(/.$/, '3')}')`,
    );
    while ((await applied(dataSource)).includes(last)) await dataSource.undoLastMigration();
    expect(await dataSource.query(`SELECT path, result FROM visits_full ORDER BY id`)).toEqual([
      { path: '/unknown', result: 'unknown_agent' },
      { path: '/agent', result: 'verified' },
      { path: '/ahead', result: 'unknown_agent' },
      { path: '/new', result: 'unknown_agent' },
    ]);
    await dataSource.query(`TRUNCATE visits; DELETE FROM projects`);
    for (const day of [-1, 0, 1, 2]) await dataSource.query(`DROP TABLE ${name(day)}`);
    await migrate(dataSource);
    // Nobody uses it, so it has the days of a new instance.
    expect(await settings()).toMatchObject({ unknown_retention_days: 7, unknown_retention_chosen: true });
    expect((await settings()).unknown_visits_since).toBe('00000000-0000-0000-0000-000000000000');
  });

  it('give generic agents of your own the patterns that were meant, there and back', async () => {
    const { dataSource } = database;
    const last = GenericPatterns1763775000000.name;
    while ((await applied(dataSource)).includes(last)) await dataSource.undoLastMigration();
    const add = (own: object) =>
      dataSource.query(`INSERT INTO agents (id, own) VALUES (gen_random_uuid(), $1)`, [{ token: 'X', ...own }]);
    await add({ token: '1', generic: true, user_agent_patterns: ['(?=\\bshoplib\\/).', '(?=Shop(?:Lib)?).'] });
    await add({ token: '2', generic: true, user_agent_patterns: ['(?=ShopFrame)..'] });
    await add({ token: '3', generic: true, user_agent_patterns: ['(?=Shop)(?:x|y)(?=Lib).'] });
    await add({ token: '4', user_agent_patterns: ['(?=ShopBot).'] });
    const patterns = async () =>
      (await dataSource.query(`SELECT own - 'generic' AS own FROM agents ORDER BY own ->> 'token'`)).map(
        ({ own }: { own: object }) => own,
      );
    const before = await patterns();
    await migrate(dataSource);
    expect(await patterns()).toEqual([
      { token: '1', user_agent_patterns: ['\\bshoplib\\/', 'Shop(?:Lib)?'] },
      { token: '2', framework: true, user_agent_patterns: ['ShopFrame'] },
      { token: '3', user_agent_patterns: ['(?=Shop)(?:x|y)(?=Lib).'] },
      { token: '4', user_agent_patterns: ['(?=ShopBot).'] },
    ]);
    while ((await applied(dataSource)).includes(last)) await dataSource.undoLastMigration();
    expect(await patterns()).toEqual(before);
    await dataSource.query(`DELETE FROM agents`);
    await migrate(dataSource);
  });

  it('take the time that they need, however many rows there are', async () => {
    const { dataSource } = database;
    const last = CatalogNames1763774000000.name;
    while ((await applied(dataSource)).includes(last)) await dataSource.undoLastMigration();
    await dataSource.query(`CREATE TABLE seen (timeout text)`);
    await dataSource.query(`CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO seen VALUES (current_setting('statement_timeout')); END $$`);
    await dataSource.query(`CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE')
      EXECUTE FUNCTION note()`);
    expect(await migrate(dataSource)).toContain(last);
    expect(await dataSource.query(`SELECT DISTINCT timeout FROM seen`)).toEqual([{ timeout: '0' }]);
  });

  it('refuse a database that a newer release has changed', async () => {
    const { dataSource } = database;
    await dataSource.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
    await expect(migrate(dataSource)).rejects.toThrow(/newer release .* \(Later9999999999999\)\. Run that release/);
    await dataSource.query(`DELETE FROM migrations WHERE timestamp = 9999999999999`);
    expect(await migrate(dataSource)).toEqual([]);
  });
});
