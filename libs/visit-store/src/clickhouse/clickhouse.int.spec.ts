import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { TcpRelay } from '../../../../test/kit/tcp-relay.js';
import { isUnavailableError } from '#libs/platform';
import { ClickHouse } from './clickhouse.js';

let relay: TcpRelay;
let clickhouse: ClickHouse;
beforeEach(async () => {
  const options = await createClickHouseDatabase();
  relay = await TcpRelay.start(() => Number(new URL(options.url).port));
  clickhouse = new ClickHouse({ ...options, url: `http://127.0.0.1:${relay.port}` });
});
afterEach(async () => {
  relay.trafficMode = 'open';
  await clickhouse.close();
  await relay.close();
});

it('reports a lost connection as an outage, and connects again', async () => {
  relay.isReachable = false;
  const error = await clickhouse.query('SELECT 1').catch((cause: unknown) => cause);
  expect(isUnavailableError(error)).toBe(true);
  relay.isReachable = true;
  expect(await clickhouse.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('aborts statements without a response when the process stops', async () => {
  relay.trafficMode = 'silent';
  const failures = [clickhouse.query('SELECT 1'), clickhouse.command('SELECT 1')].map((statement) =>
    statement.catch((cause: unknown) => cause),
  );
  clickhouse.abortAfter(100);
  for (const error of await Promise.all(failures)) expect(isUnavailableError(error)).toBe(true);
  expect(isUnavailableError(await clickhouse.query('SELECT 1').catch((cause: unknown) => cause))).toBe(true);
});
