import { ExternalPostgres } from '../../../test/kit/external-postgres.js';
import { until } from '../../../test/kit/instance.js';
import { createDataSource } from './data-source.js';
import { preparedQuery } from './prepared-query.js';

const SLEEP_STATEMENT = { name: 'nap', text: 'SELECT pg_sleep(30)' };

it('reuses a prepared statement and reconnects after the connection is lost', async () => {
  const postgres = await ExternalPostgres.start();
  const dataSource = await createDataSource({ url: postgres.url }).initialize();
  const add = (value: number) =>
    preparedQuery(dataSource, { name: 'add', text: 'SELECT $1::int + 10 AS sum' }, [value]);
  for (const value of [1, 2, 3]) expect(await add(value)).toEqual([{ sum: value + 10 }]);

  const sleepingQuery = preparedQuery(dataSource, SLEEP_STATEMENT, []).catch((error: Error) => error);
  const query = `SELECT pid FROM pg_stat_activity WHERE query = '${SLEEP_STATEMENT.text}' AND state = 'active'`;
  await until(async () => ((await dataSource.query(query)) as unknown[]).length > 0, {
    condition: 'the statement is running',
  });
  // Simulates a host failure, which also makes the connection emit an error event.
  postgres.dropConnections();
  expect(await sleepingQuery).toMatchObject({ message: expect.stringContaining('terminated') });
  // The pool takes a moment to notice that its other connections are closed.
  const sum = await until(() => add(4).catch(() => null), { condition: 'the query succeeds again' });
  expect(sum).toEqual([{ sum: 14 }]);
  await dataSource.destroy();
  await postgres.dispose();
});
