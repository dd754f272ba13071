import { ReadDatabase } from '#libs/database';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { select, selectWithGenericPlan } from './snapshot.js';
import { ReadTimeoutError } from './read-timeout-error.js';
import { SnapshotsRepository } from './snapshots.repository.js';

let database: TestDatabase;
let snapshots: SnapshotsRepository;
beforeAll(async () => {
  database = await startTestDatabase();
  snapshots = new SnapshotsRepository(new ReadDatabase(database.dataSource, null));
});
afterAll(() => database.stop());

it('uses generic plans only for selectWithGenericPlan', async () => {
  const settings = `SELECT current_setting('plan_cache_mode') AS mode, current_setting('statement_timeout') AS timeout, $1::int AS one`;
  const plans = `SELECT count(*)::int AS statements, sum(generic_plans)::int AS generic FROM pg_prepared_statements WHERE statement = $1`;
  const rows = await snapshots.read({ timeoutMs: 7_000 }, async (snapshot) => [
    await selectWithGenericPlan(snapshot, settings, [1]),
    await select(snapshot, plans, [settings]),
    await select(snapshot, settings, [2]),
    await selectWithGenericPlan(snapshot, settings, [3]),
    await select(snapshot, plans, [settings]),
  ]);
  const generic = { mode: 'force_generic_plan', timeout: '7s' };
  expect(rows.flat()).toEqual([
    { ...generic, one: 1 },
    { statements: 1, generic: 1 },
    { mode: 'auto', timeout: '7s', one: 2 },
    { ...generic, one: 3 },
    { statements: 1, generic: 2 },
  ]);
});

it('hides writes committed after the snapshot started', async () => {
  const count = `SELECT count(*)::int AS projects FROM projects`;
  const rows = await snapshots.read({ timeoutMs: 60_000 }, async (snapshot) => {
    const before = await select(snapshot, count, []);
    await database.dataSource.query(`INSERT INTO projects (id, name) VALUES (gen_random_uuid(), 'Shop')`);
    return [before, await select(snapshot, count, [])];
  });
  expect(rows[1]).toEqual(rows[0]);
});

it('cancels a read that exceeds the timeout', async () => {
  await expect(
    snapshots.read({ timeoutMs: 10 }, (snapshot) => select(snapshot, 'SELECT pg_sleep(5)', [])),
  ).rejects.toThrow(ReadTimeoutError);
});
