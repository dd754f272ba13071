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

it('accepts lists of any length, with any text', async () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `'\\{ids:Array(UUID)}\t\n${index} größe`);
  const ids = texts.map((_, index) => `019a0000-0000-7000-8000-${String(index).padStart(12, '0')}`);
  const rows = await clickhouse.query(
    `SELECT {texts:Array(String)} = {same:Array(String)} AS isSame, length({texts:Array(String)}) AS length,
       {short:Array(String)} AS short, toUUID('019a0000-0000-7000-8000-000000019999') IN {ids:Array(UUID)} AS isFound,
       toUUID('019a0000-0000-7000-8000-000000020000') IN {ids:Array(UUID)} AS isOtherFound`,
    { texts, same: texts, short: ["'"], ids },
  );
  expect(rows).toEqual([{ isSame: 1, length: 20_000, short: ["'"], isFound: 1, isOtherFound: 0 }]);
});

it('builds a set from a list of any length', async () => {
  const ids = Array.from(
    { length: 20_000 },
    (_, index) => `019a0000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  );
  const plan = await clickhouse.query<{ explain: string }>(
    `EXPLAIN SELECT generateUUIDv4(number) AS id FROM numbers(10) WHERE id IN {ids:Array(UUID)}`,
    { ids },
  );
  expect(plan.map(({ explain }) => explain.trim()).join('\n')).toContain('CreatingSet');
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
