import { App } from '../../../../test/kit/app.js';
import { until } from '../../../../test/kit/instance.js';
import { Person } from '../../../../test/kit/person.js';
import { select } from '../../../../test/kit/snapshot.js';
import { SnapshotReader } from './snapshot-reader.js';

const LOCK = 7;
const account = { email: 'root@example.com', password: 'correct horse battery' };

it('reserves connections for storing visits and signing in during many reads', async () => {
  const app = await App.start();
  await Person.administrator(app.nest, account.email, account.password);
  const reading = app.nest.get(SnapshotReader, { strict: false });
  const holder = app.database.dataSource.createQueryRunner();
  await holder.query('SELECT pg_advisory_lock($1)', [LOCK]);
  let finished = 0;
  const reads = Promise.all(
    Array.from({ length: 12 }, () =>
      reading
        .read((snapshot) => select(snapshot, 'SELECT pg_advisory_xact_lock_shared($1)', [LOCK]))
        .finally(() => (finished += 1)),
    ),
  );
  const visit = { request_path: '/', request_method: 'GET', request_headers: {} };
  expect((await app.post('/visits', visit)).status).toBe(204);
  expect((await new Person(app.nest).signIn(account.email, account.password)).status).toBe(200);
  expect(finished).toBe(0);
  await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  await reads;
  await holder.release();
  await app.dispose();
});

it('reserves a connection for signing in during many alert previews', async () => {
  const app = await App.start();
  await Person.administrator(app.nest, account.email, account.password);
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const holder = app.database.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query('LOCK TABLE visit_counts IN ACCESS EXCLUSIVE MODE');
  const previews = Promise.all(
    Array.from({ length: 12 }, () => app.api('POST', `/projects/${id}/alerts/preview`, { kind: 'no_visits' })),
  );
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await until(async () => (await app.database.dataSource.query(waiting)).length >= 3, { what: 'previews wait' });
  expect((await new Person(app.nest).signIn(account.email, account.password)).status).toBe(200);
  await holder.commitTransaction();
  expect((await previews).map(({ status }) => status)).toEqual(Array(12).fill(200));
  await holder.release();
  await app.dispose();
});
