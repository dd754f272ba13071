import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client';
import type { VisitStoreOptions } from '#libs/visit-store';
import { ClickHouseServer, createClickHouseDatabase } from '../kit/clickhouse.js';

const FIRST_ID = '019a0000-0000-7000-8000-000000000001';
const SECOND_ID = '019a0000-0000-7000-8000-000000000002';

const LOG = { level: ClickHouseLogLevel.OFF };

const clients: ClickHouseClient[] = [];

function connect({ url, user, password, database }: VisitStoreOptions, compression = {}): ClickHouseClient {
  const client = createClient({ url, username: user, password, database, compression, log: LOG });
  clients.push(client);
  return client;
}

afterAll(() => Promise.all(clients.map((client) => client.close())));

async function select(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
  clickhouse_settings: ClickHouseSettings = {},
): Promise<unknown[]> {
  const result = await client.query({ query, query_params, clickhouse_settings, format: 'JSONEachRow' });
  return result.json();
}

/** Creates a client whose database has a table with two partitions. */
async function createVisits(options?: VisitStoreOptions): Promise<ClickHouseClient> {
  const client = connect(options ?? (await createClickHouseDatabase()));
  await client.command({
    query: `
      CREATE TABLE visits (id UUID, number UInt64, path String)
      ENGINE = MergeTree PARTITION BY number % 2 ORDER BY number
      SETTINGS non_replicated_deduplication_window = 100`,
  });
  return client;
}

function insert(client: ClickHouseClient, token: string, first: number, count: number): Promise<unknown> {
  const rows = Array.from({ length: count }, (_, index) => [FIRST_ID, first + index, `/a;b\n\t'"\\${index} größe`]);
  return client.insert({
    table: 'visits',
    columns: ['id', 'number', 'path'],
    values: rows,
    format: 'JSONCompactEachRow',
    clickhouse_settings: { insert_deduplication_token: token, async_insert: 0 },
  });
}

it('substitutes parameters of all types', async () => {
  const client = connect(await createClickHouseDatabase());
  const text = 'a\tb\nc\'"\\ größe \u{1F916} {x:UInt8}; --';
  const query = `
    SELECT {text:String} AS text, {texts:Array(String)} AS texts, {id:UUID} AS id, {ids:Array(UUID)} AS ids,
      {time:DateTime64(3, 'UTC')} AS time, {wholeSecond:DateTime64(3, 'UTC')} AS wholeSecond,
      toString({number:UInt64}) AS number, {missing:Nullable(String)} AS missing, {present:Nullable(UInt8)} AS present,
      {flag:Bool} AS flag, {none:Array(UUID)} AS none`;
  const parameters = {
    text,
    texts: [text, ''],
    id: FIRST_ID,
    ids: [FIRST_ID, SECOND_ID],
    time: new Date('2026-11-24T16:00:00.123Z'),
    wholeSecond: new Date('2026-11-24T16:00:00Z'),
    number: 18_446_744_073_709_551_615n,
    missing: null,
    present: 7,
    flag: true,
    none: [],
  };
  const row = {
    ...parameters,
    time: '2026-11-24 16:00:00.123',
    wholeSecond: '2026-11-24 16:00:00.000',
    number: '18446744073709551615',
  };
  expect(await select(client, query, parameters)).toEqual([row]);
  const form = await client.query({
    query,
    query_params: parameters,
    format: 'JSONEachRow',
    use_multipart_params: true,
  });
  expect(await form.json()).toEqual([row]);
});

it('rejects parameters of more than 128 KiB', async () => {
  const client = connect(await createClickHouseDatabase());
  const count = (length: number) =>
    client.query({
      query: 'SELECT length({text:String}) AS length',
      query_params: { text: 'x'.repeat(length) },
      format: 'JSONEachRow',
      use_multipart_params: true,
    });
  expect(await (await count(131_072)).json()).toEqual([{ length: 131_072 }]);
  await expect(count(131_073)).rejects.toMatchObject({ code: '1000' });
});

it('returns large results completely', async () => {
  const client = connect(await createClickHouseDatabase());
  const rows = await select(client, "SELECT number, repeat('x', 100) AS text FROM numbers(200000)");
  expect(rows).toHaveLength(200_000);
  expect(rows.at(-1)).toEqual({ number: 199_999, text: 'x'.repeat(100) });
});

it('stores repeated inserts with the same token once', async () => {
  const client = await createVisits();
  for (const token of ['first', 'first', 'second', 'first']) await insert(client, token, 0, 10_000);
  const query = 'SELECT count() AS rows, uniqExact(path) AS paths, min(length(path)) AS minLength FROM visits';
  expect(await select(client, query)).toEqual([{ rows: 20_000, paths: 10_000, minLength: 18 }]);
  const parts = "SELECT count() AS parts FROM system.parts WHERE database = currentDatabase() AND table = 'visits'";
  expect(await select(client, parts)).toEqual([{ parts: 4 }]);
});

it('accepts compressed inserts', async () => {
  const client = connect(await createClickHouseDatabase(), { request: true, response: true });
  await client.command({ query: 'CREATE TABLE numbers (number UInt64) ENGINE = MergeTree ORDER BY number' });
  await client.insert({ table: 'numbers', values: [{ number: 1 }, { number: 2 }], format: 'JSONEachRow' });
  expect(await select(client, 'SELECT number FROM numbers ORDER BY number')).toEqual([{ number: 1 }, { number: 2 }]);
});

it.each([
  ['SELECT nothing', { code: '47', type: 'UNKNOWN_IDENTIFIER' }],
  ['selec 1', { code: '62', type: 'SYNTAX_ERROR' }],
  ['SELECT 1 FROM nothing', { code: '60', type: 'UNKNOWN_TABLE' }],
  ['SELECT {missing:String}', { code: '456', type: 'UNKNOWN_QUERY_PARAMETER' }],
  ['SELECT 1; SELECT 2', { code: '62', type: 'SYNTAX_ERROR' }],
  ["SELECT toUInt8('x')", { code: '6', type: 'CANNOT_PARSE_TEXT' }],
])('rejects %s', async (query, error) => {
  const client = connect(await createClickHouseDatabase());
  await expect(client.command({ query })).rejects.toMatchObject(error);
  expect(await select(client, "SELECT ';' AS text;")).toEqual([{ text: ';' }]);
});

it('stores no row of an insert with an invalid row', async () => {
  const client = await createVisits();
  const values = [
    [FIRST_ID, 1, '/'],
    ['x', 2, '/'],
  ];
  const invalid = client.insert({ table: 'visits', values, format: 'JSONCompactEachRow' });
  await expect(invalid).rejects.toMatchObject({ type: 'CANNOT_PARSE_UUID' });
  expect(await select(client, 'SELECT count() AS rows FROM visits')).toEqual([{ rows: 0 }]);
});

it('rejects wrong passwords and unknown databases', async () => {
  const options = await createClickHouseDatabase();
  const missing = connect({ ...options, database: `${options.database}_missing` });
  await expect(select(missing, 'SELECT 1')).rejects.toMatchObject({ code: '81' });
  await expect(select(connect({ ...options, password: 'wrong' }), 'SELECT 1')).rejects.toMatchObject({ code: '516' });
});

it('cancels queries that run longer than max_execution_time', async () => {
  const client = connect(await createClickHouseDatabase());
  const query = 'SELECT sum(sleepEachRow(0.1)) FROM numbers(100)';
  const settings = { max_execution_time: 0.5, max_block_size: '1' };
  await expect(select(client, query, {}, settings)).rejects.toMatchObject({ code: '159', type: 'TIMEOUT_EXCEEDED' });
});

it('applies settings to one query only', async () => {
  const client = connect(await createClickHouseDatabase());
  const query = "SELECT getSetting('max_result_rows') AS rows";
  const [first] = await select(client, query);
  expect(await select(client, query, {}, { max_result_rows: '123' })).toEqual([{ rows: 123 }]);
  expect(await select(client, query)).toEqual([first]);
  await expect(select(client, query, {}, { nothing: 1 })).rejects.toMatchObject({ code: '115' });
});

it('runs queries concurrently', async () => {
  const client = connect(await createClickHouseDatabase());
  const slow = select(client, "SELECT sleep(2), 'slow query' AS name, currentDatabase() AS database");
  const isRunning = "SELECT count() AS count FROM system.processes WHERE startsWith(query, 'SELECT sleep(2)')";
  // Without concurrency, the slow query is never among the running queries.
  while (!isDeepStrictEqual(await select(client, isRunning), [{ count: 1 }])) await sleep(20);
  const [{ database }] = (await select(client, 'SELECT currentDatabase() AS database')) as [{ database: string }];
  expect(await slow).toEqual([expect.objectContaining({ name: 'slow query', database })]);
});

it('responds to pings', async () => {
  const client = connect(await createClickHouseDatabase());
  expect(await client.ping()).toEqual({ success: true });
  expect(await client.ping({ select: true })).toEqual({ success: true });
});

it.each(['kill', 'stop'] as const)('keeps acknowledged inserts after %s and a restart', async (end) => {
  const server = await ClickHouseServer.start();
  const client = await createVisits({ ...server.options, database: 'default' });
  let acknowledged = 0;
  const insertUntilStopped = async (): Promise<never> => {
    for (;;) {
      await insert(client, `token ${acknowledged}`, acknowledged * 10, 10);
      acknowledged += 1;
    }
  };
  const stopped = insertUntilStopped().catch(() => undefined);
  for (let count = 0; count < 20; count += 1) await insert(client, 'repeated', 1_000_000, 10);
  await server.process[end]();
  await stopped;
  expect(acknowledged).toBeGreaterThan(0);
  expect(await client.ping()).toMatchObject({ success: false });
  await server.process.start();
  await insert(client, 'repeated', 1_000_000, 10);
  await insert(client, `token ${acknowledged - 1}`, (acknowledged - 1) * 10, 10);
  const query = `
    SELECT countIf(number < {limit:UInt64}) AS acknowledged, countIf(number >= 1000000) AS repeated FROM visits`;
  const rows = await select(client, query, { limit: acknowledged * 10 });
  expect(rows).toEqual([{ acknowledged: acknowledged * 10, repeated: 10 }]);
});
