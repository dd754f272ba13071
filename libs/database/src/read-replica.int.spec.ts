import { setTimeout as sleep } from 'node:timers/promises';
import { Test, type TestingModule } from '@nestjs/testing';
import { Health, PlatformModule } from '#libs/platform';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { startTestDatabase } from '../../../test/kit/database.js';
import { until } from '../../../test/kit/instance.js';
import { ReplicatedPostgres } from '../../../test/kit/replicated-postgres.js';
import { createDataSource, migrate } from './data-source.js';
import { DatabaseModule, READ_POOL_SIZE } from './database.module.js';
import { ReadDatabase } from './read-database.js';

const MAX_LAG_SECONDS = 3;

let postgres: ReplicatedPostgres;
/** Superuser connection to the replica that bypasses the relay. */
let replica: DataSource;
let module: TestingModule;
let reads: ReadDatabase;

const start = async (url: string): Promise<TestingModule> =>
  Test.createTestingModule({
    imports: [
      PlatformModule.forRoot(pino({ level: 'silent' })),
      DatabaseModule.forRoot({
        url: postgres.primary.url,
        hasReadPool: true,
        replica: { url, maxLagSeconds: MAX_LAG_SECONDS },
      }),
    ],
  })
    .compile()
    .then((compiled) => compiled.init());

beforeAll(async () => {
  postgres = await ReplicatedPostgres.start();
  const primary = await createDataSource({ url: postgres.primary.url, poolSize: 1 }).initialize();
  await migrate(primary);
  await primary.destroy();
  replica = await createDataSource({ url: postgres.replica.url, poolSize: 1 }).initialize();
  module = await start(postgres.replicaUrl);
  reads = module.get(ReadDatabase);
}, 60_000);
afterAll(async () => {
  await module?.close();
  await replica?.destroy();
  await postgres?.stop();
});

const usesReplica = async (): Promise<boolean> => {
  const [row]: { isReplica: boolean }[] = await reads.read((dataSource) =>
    dataSource.query(`SELECT pg_is_in_recovery() AS "isReplica"`),
  );
  return row!.isReplica;
};
const waitUntilUsed = (isUsed = true): Promise<unknown> =>
  until(async () => (await usesReplica()) === isUsed, {
    condition: `reads use the ${isUsed ? 'replica' : 'primary'}`,
  });
const findProblem = async (): Promise<string | null | undefined> =>
  (await module.get(Health).report()).faults['replica'];
const write = (): Promise<unknown> =>
  module.get(DataSource).query(`INSERT INTO projects (id, name) VALUES (gen_random_uuid(), 'Shop')`);

it('reads from the replica, and from the primary while the replica is too far behind', async () => {
  await waitUntilUsed();
  expect(await findProblem()).toBeNull();

  await replica.query('SELECT pg_wal_replay_pause()');
  await write();
  await waitUntilUsed(false);
  expect(await findProblem()).toMatch(
    /^reads use the primary, because the replica is \d s behind the primary, which exceeds DATABASE_READ_MAX_LAG_SECONDS$/,
  );

  await replica.query('SELECT pg_wal_replay_resume()');
  await waitUntilUsed();
}, 30_000);

it('uses the replica no matter how long nothing has been written', async () => {
  await waitUntilUsed();
  for (const end = performance.now() + (MAX_LAG_SECONDS + 2) * 1_000; performance.now() < end;) {
    expect(await usesReplica()).toBe(true);
    await sleep(100);
  }
}, 30_000);

it('uses the replica while all its connections are busy', async () => {
  await waitUntilUsed();
  const wait = async (dataSource: DataSource): Promise<boolean> =>
    (await dataSource.query('SELECT pg_is_in_recovery() AS replica, pg_sleep(4)'))[0].replica;
  const servers = await Promise.all(Array.from({ length: READ_POOL_SIZE }, () => reads.read(wait)));
  expect(servers).toEqual(Array(READ_POOL_SIZE).fill(true));
}, 30_000);

it('finishes reads on the primary if the replica stops responding', async () => {
  await waitUntilUsed();
  postgres.replicaRelay.trafficMode = 'silent';
  expect(await usesReplica()).toBe(false);
  expect(await findProblem()).toContain('the replica is unavailable: no response within 2000 ms');
  postgres.replicaRelay.trafficMode = 'open';
  await waitUntilUsed();
}, 60_000);

it('finishes reads on the primary if the connection to the replica is lost', async () => {
  await waitUntilUsed();
  const slow = reads.read(async (dataSource) => {
    const [row]: { isReplica: boolean }[] = await dataSource.query(
      `SELECT pg_is_in_recovery() AS "isReplica", CASE WHEN pg_is_in_recovery() THEN pg_sleep(60) END`,
    );
    return row!.isReplica;
  });
  const running = `SELECT count(*)::int AS reads FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60) END' AND state = 'active'`;
  await until(async () => (await replica.query(running))[0].reads > 0, { condition: 'the replica runs the read' });
  postgres.replicaRelay.isReachable = false;
  postgres.replicaRelay.dropConnections();
  expect(await slow).toBe(false);
  expect(await usesReplica()).toBe(false);
  postgres.replicaRelay.isReachable = true;
  await waitUntilUsed();
}, 30_000);

it('repeats a read on the primary if it conflicts with a replicated change', async () => {
  await waitUntilUsed();
  await replica.query(`ALTER SYSTEM SET max_standby_streaming_delay = 0`);
  await replica.query('SELECT pg_reload_conf()');
  const primary = module.get(DataSource);
  await primary.query('CREATE TABLE numbers AS SELECT 1 AS number');
  const count = async (source: Pick<DataSource, 'query'>): Promise<number> =>
    (await source.query('SELECT count(*)::int AS rows FROM numbers'))[0].rows;
  await until(() => count(replica).then(Boolean, () => false), { condition: 'the replica has the table' });
  let runs = 0;
  const rows = await reads.read((dataSource) =>
    dataSource.transaction('REPEATABLE READ', async (transaction) => {
      runs += 1;
      await count(transaction);
      if (runs === 1) {
        await primary.query('TRUNCATE numbers');
        await until(async () => (await count(replica)) === 0, { condition: 'the replica has applied the change' });
      }
      return count(transaction);
    }),
  );
  expect({ runs, rows }).toEqual({ runs: 2, rows: 0 });
}, 30_000);

it("doesn't hide errors from the read itself", async () => {
  await waitUntilUsed();
  await expect(reads.read((dataSource) => dataSource.query('SELECT 1/0'))).rejects.toThrow('division by zero');
});

it.each([
  ['the primary itself', async () => postgres.primary.url, 'is not a streaming replica'],
  [
    'another cluster',
    async () => (await startTestDatabase()).url,
    'belongs to a different database cluster than DATABASE_URL',
  ],
])('rejects %s as a replica', async (_name, findUrl, problem) => {
  const wrong = await start(await findUrl());
  const report = async (): Promise<string> => (await wrong.get(Health).report()).faults['replica'] ?? '';
  await until(async () => !(await report()).endsWith('not connected yet'), { condition: 'the servers were compared' });
  expect(await report()).toBe(`reads use the primary, because the replica ${problem}`);
  await wrong.close();
});
