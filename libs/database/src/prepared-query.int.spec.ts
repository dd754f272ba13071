import { ExternalPostgres } from '../../../test/kit/external-postgres.js';
import { until } from '../../../test/kit/instance.js';
import { createDataSource } from './data-source.js';
import { preparedQuery } from './prepared-query.js';

const NAP = { name: 'nap', text: 'SELECT pg_sleep(30)' };

it('runs a statement repeatedly and recovers from a lost connection', async () => {
  const postgres = await ExternalPostgres.start();
  const dataSource = await createDataSource({ url: postgres.url }).initialize();
  const add = (value: number) =>
    preparedQuery(dataSource, { name: 'add', text: 'SELECT $1::int + 10 AS sum' }, [value]);
  for (const value of [1, 2, 3]) expect(await add(value)).toEqual([{ sum: value + 10 }]);

  const napping = preparedQuery(dataSource, NAP, []).catch((error: Error) => error);
  const query = `SELECT pid FROM pg_stat_activity WHERE query = '${NAP.text}' AND state = 'active'`;
  await until(async () => ((await dataSource.query(query)) as unknown[]).length > 0, { what: 'the statement runs' });
  // Simulates a host failure. The connection also emits an error event.
  postgres.cut();
  expect(await napping).toMatchObject({ message: expect.stringContaining('terminated') });
  // The pool notices slightly later that its other connections are closed.
  const sum = await until(() => add(4).catch(() => null), { what: 'the database is asked again' });
  expect(sum).toEqual([{ sum: 14 }]);
  await dataSource.destroy();
  await postgres.dispose();
});
