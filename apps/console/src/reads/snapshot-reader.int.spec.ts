import { App } from '../../../../test/kit/app.js';
import { until } from '../../../../test/kit/instance.js';
import { Person } from '../../../../test/kit/person.js';
import { select } from '../../../../test/kit/snapshot.js';
import { SnapshotReader } from './snapshot-reader.js';

const ADVISORY_LOCK_KEY = 7;
const account = { email: 'root@example.com', password: 'correct horse battery' };

it('leaves connections free for storing visits and signing in during many reads', async () => {
  const app = await App.start();
  await Person.administrator(app.nest, account.email, account.password);
  const reader = app.nest.get(SnapshotReader, { strict: false });
  const lockHolder = app.database.dataSource.createQueryRunner();
  await lockHolder.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK_KEY]);
  let finishedCount = 0;
  const reads = Promise.all(
    Array.from({ length: 12 }, () =>
      reader
        .read((snapshot) => select(snapshot, 'SELECT pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCK_KEY]))
        .finally(() => (finishedCount += 1)),
    ),
  );
  const visit = { request_path: '/', request_method: 'GET', request_headers: {} };
  expect((await app.post('/visits', visit)).status).toBe(204);
  expect((await new Person(app.nest).signIn(account.email, account.password)).status).toBe(200);
  expect(finishedCount).toBe(0);
  await lockHolder.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK_KEY]);
  await reads;
  await lockHolder.release();
  await app.dispose();
});

it('leaves a connection free for signing in during many alert previews', async () => {
  const app = await App.start();
  await Person.administrator(app.nest, account.email, account.password);
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const lockHolder = app.database.dataSource.createQueryRunner();
  await lockHolder.startTransaction();
  await lockHolder.query('LOCK TABLE visit_counts IN ACCESS EXCLUSIVE MODE');
  const previews = Promise.all(
    Array.from({ length: 12 }, () => app.api('POST', `/projects/${id}/alerts/preview`, { kind: 'no_visits' })),
  );
  const lockWaitsQuery = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await until(async () => (await app.database.dataSource.query(lockWaitsQuery)).length >= 3, {
    condition: 'three previews wait for the lock',
  });
  expect((await new Person(app.nest).signIn(account.email, account.password)).status).toBe(200);
  await lockHolder.commitTransaction();
  expect((await previews).map(({ status }) => status)).toEqual(Array(12).fill(200));
  await lockHolder.release();
  await app.dispose();
});
