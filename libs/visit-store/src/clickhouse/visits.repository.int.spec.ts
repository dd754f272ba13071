import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { jest } from '@jest/globals';
import { ClickHouseError } from '@clickhouse/client';
import { createBatchId, createVisitId } from '#libs/contracts';
import type { Gauge } from 'prom-client';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { createVisitRow } from '../../../../test/kit/stored-visits.js';
import { toDayNumber, PartitionsRepository } from '../partitions.repository.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { visitStoreMetrics } from './visit-store-metrics.js';
import { ClickHouseVisitsRepository } from './visits.repository.js';
import { startLine } from './visits-table.js';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const PROJECT = '019a0000-0000-7000-8000-000000000001';
const OTHER_PROJECT = '019a0000-0000-7000-8000-000000000002';
const NOW = Date.parse('2026-11-21T08:00:00Z');

let database: TestDatabase;
let clickhouse: ClickHouse;
let batches: BatchesRepository;
let visits: ClickHouseVisitsRepository;
beforeAll(async () => {
  database = await startTestDatabase();
  const options = await createClickHouseDatabase();
  expect(await prepareVisitStore(database.dataSource, options)).toBe(true);
  await new PartitionsRepository(database.dataSource).ensure([toDayNumber(NOW)]);
  clickhouse = new ClickHouse(options);
  batches = new BatchesRepository(database.dataSource, clickhouse);
  visits = new ClickHouseVisitsRepository(database.dataSource, clickhouse, batches);
});
afterAll(async () => {
  await clickhouse.close();
  await database.stop();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await clickhouse.command(`TRUNCATE TABLE ${clickhouse.localVisits}`);
});

const createRows = (count: number, agent?: string, batch = createBatchId(NOW)) =>
  Array.from({ length: count }, (_, index) =>
    createVisitRow(PROJECT, createVisitId(batch, index), NOW, {
      at: '2026-11-21T07:00:00.123Z',
      ...(agent !== undefined && { agent }),
    }),
  );

interface Stored {
  id: string;
  document: string;
  occurred_at: number;
  shard: number;
  number: number;
}
const stored = () => clickhouse.query<Stored>(`SELECT * FROM ${clickhouse.visits} ORDER BY UUIDToNum(id)`);
const pendingBatches = () => database.dataSource.query(`SELECT number FROM visit_batches`);

it('stores visits once, with the first result', async () => {
  const batch = createBatchId(NOW);
  const rows = createRows(3, 'GPTBot', batch);
  expect(await visits.store(rows)).toEqual([PROJECT]);
  expect(await visits.store(createRows(3, 'ClaudeBot', batch))).toEqual([]);
  const found = await stored();
  expect(found.map(({ id, document, occurred_at: at }) => [id, document, at])).toEqual(
    rows.map(({ id, document, occurredAt }) => [id, JSON.stringify(document), occurredAt]),
  );
  expect(await pendingBatches()).toEqual([]);
});

it('numbers visits consecutively in each batch', async () => {
  await visits.store(createRows(2));
  await visits.store(createRows(2));
  const [first, second, third, fourth] = (await stored()).map(({ number }) => number).sort((one, other) => one - other);
  expect([second! - first!, fourth! - third!]).toEqual([1, 1]);
  const positions = await database.dataSource.query(
    `SELECT max(position)::float8 AS last FROM visit_positions WHERE project_id = $1`,
    [PROJECT],
  );
  expect(positions).toEqual([{ last: fourth }]);
});

it('finishes a batch whose visits are delivered again after ClickHouse has failed', async () => {
  const rows = createRows(2);
  jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
  await expect(visits.store(rows)).rejects.toThrow('connection lost');
  expect(await stored()).toEqual([]);
  expect(await pendingBatches()).toHaveLength(1);
  expect(await visits.store(rows)).toEqual([]);
  expect(await stored()).toHaveLength(2);
  expect(await pendingBatches()).toEqual([]);
});

it('finishes a batch from another version that has other columns', async () => {
  const rows = createRows(2, 'GPTBot');
  jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
  await expect(visits.store(rows)).rejects.toThrow('connection lost');
  const [{ visits: encoded }] = await database.dataSource.query('SELECT visits FROM visit_batches');
  const [names, ...lines] = (await decompress(encoded)).toString().split('\n');
  const columns = names!.split('\t');
  const removed = columns.indexOf('assistant');
  const changed = lines.map((row) => {
    const [position, line] = row.split('\t');
    const values: unknown[] = JSON.parse(`${line}]`);
    return `${position}\t${JSON.stringify(values.toSpliced(removed, 1)).slice(0, -1)}`;
  });
  const text = [columns.toSpliced(removed, 1).join('\t'), ...changed].join('\n');
  await database.dataSource.query('UPDATE visit_batches SET visits = $1', [await compress(text)]);
  expect(await visits.finishStoring(0)).toBe(1);
  expect((await stored()).map(({ document }) => document)).toEqual(
    rows.map(({ document }) => JSON.stringify(document)),
  );
});

it('acknowledges repeated visits while ClickHouse rejects a batch of another project', async () => {
  const rows = createRows(2);
  const rejected = createRows(1).map((row) => ({ ...row, projectId: OTHER_PROJECT }));
  await visits.store(rows);
  const rejection = new ClickHouseError({ message: 'Cannot parse input', code: '27' });
  jest.spyOn(clickhouse, 'insert').mockRejectedValue(rejection);
  await expect(visits.store(rejected)).rejects.toBe(rejection);
  expect(await visits.store(rows)).toEqual([]);
  await expect(visits.store(rejected)).rejects.toBe(rejection);
  jest.restoreAllMocks();
  expect(await visits.store(rejected)).toEqual([]);
  expect(await stored()).toHaveLength(3);
});

it('finishes a batch that replaces visits only after all replicas have deleted them', async () => {
  const rows = createRows(1, 'GPTBot');
  await visits.store(rows);
  await database.dataSource.transaction((transaction) =>
    batches.replace(
      transaction,
      [PROJECT],
      [rows[0]!.id],
      [{ position: { shard: 0, number: 1 }, line: startLine(rows[0]!) }],
    ),
  );
  const command = clickhouse.command.bind(clickhouse);
  jest
    .spyOn(clickhouse, 'command')
    .mockImplementation(async (text, ...others) => (text.startsWith('DELETE') ? undefined : command(text, ...others)));
  await expect(batches.insertReplacements([PROJECT])).rejects.toThrow('A replica has not deleted');
  expect(await pendingBatches()).toHaveLength(1);
  jest.restoreAllMocks();
  await batches.insertReplacements([PROJECT]);
  expect(await stored()).toHaveLength(1);
  expect(await pendingBatches()).toEqual([]);
});

it('exports the number and age of pending batches', async () => {
  const read = async (gauge: Gauge) => (await gauge.get()).values[0]!.value;
  const { pendingBatches: count, pendingSeconds: age } = visitStoreMetrics;
  jest.spyOn(clickhouse, 'insert').mockRejectedValue(new Error('connection lost'));
  await expect(visits.store(createRows(1))).rejects.toThrow('connection lost');
  await database.dataSource.query(`UPDATE visit_batches SET stored_at = now() - interval '1 minute'`);
  await expect(visits.finishStoring(0)).rejects.toThrow('connection lost');
  expect(await read(count)).toBe(1);
  expect(await read(age)).toBeGreaterThanOrEqual(60);
  jest.restoreAllMocks();
  expect(await visits.finishStoring(0)).toBe(1);
  expect(await visits.finishStoring(0)).toBe(0);
  expect([await read(count), await read(age)]).toEqual([0, 0]);
});

/** Stores visits like a process that stops before it has deleted the batch from PostgreSQL. */
async function storeAndStop(rows: ReturnType<typeof createRows>): Promise<void> {
  const query = database.dataSource.query.bind(database.dataSource);
  jest.spyOn(database.dataSource, 'query').mockImplementation(async (text, ...rest) => {
    if (text.startsWith('DELETE FROM visit_batches')) throw new Error('stopped');
    return query(text, ...rest);
  });
  await expect(visits.store(rows)).rejects.toThrow('stopped');
  jest.restoreAllMocks();
  expect(await stored()).toHaveLength(rows.length);
}

it('stores a batch once if a process stops before it has deleted the batch from PostgreSQL', async () => {
  await storeAndStop(createRows(2));
  expect(await visits.finishStoring(0)).toBe(1);
  expect(await stored()).toHaveLength(2);
  expect(await pendingBatches()).toEqual([]);
});

it('stores a batch once if ClickHouse has forgotten that it was inserted', async () => {
  const rows = createRows(3);
  await storeAndStop(rows);
  await database.dataSource.query(
    `UPDATE visit_batches SET token = gen_random_uuid(), stored_at = stored_at - interval '2 minutes'`,
  );
  await clickhouse.command(`DELETE FROM ${clickhouse.localVisits} WHERE id = {id:UUID}`, { id: rows[1]!.id });
  expect(await visits.finishStoring(0)).toBe(1);
  expect((await stored()).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
});

it('reads a batch again if the process was suspended before the insert', async () => {
  const rows = createRows(2);
  const now = jest.spyOn(performance, 'now').mockReturnValueOnce(performance.now() - 120_000);
  const insert = jest.spyOn(clickhouse, 'insert');
  await visits.store(rows);
  expect(now).toHaveBeenCalled();
  expect(insert).toHaveBeenCalledTimes(1);
  expect(await stored()).toHaveLength(2);
});

it('inserts the other batches if ClickHouse rejects one', async () => {
  const rejection = new ClickHouseError({ message: 'Cannot parse input', code: '27' });
  jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(rejection).mockRejectedValueOnce(rejection);
  await expect(visits.store(createRows(1))).rejects.toThrow(rejection);
  await expect(visits.store(createRows(2))).rejects.toThrow(rejection);
  jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(rejection);
  await expect(visits.finishStoring(0)).rejects.toThrow(rejection);
  expect(await stored()).toHaveLength(2);
  expect(await pendingBatches()).toHaveLength(1);
  expect(await visits.finishStoring(0)).toBe(1);
  expect(await stored()).toHaveLength(3);
});

it("doesn't store a visit again after PostgreSQL has deleted its ID", async () => {
  const longAgo = createBatchId(NOW - 100 * 86_400_000);
  await new PartitionsRepository(database.dataSource).ensure([toDayNumber(NOW) - 100]);
  const rows = createRows(2, undefined, longAgo);
  await visits.store(rows);
  await database.dataSource.query(`DELETE FROM unknown_visits`);
  expect(await visits.store(rows)).toEqual([]);
  expect(await stored()).toHaveLength(2);
});
