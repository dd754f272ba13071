import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { createBatchId, createVisitId } from '#libs/contracts';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { until } from '../../../../test/kit/instance.js';
import { createVisitRow, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import type { ArchivedVisit } from '../archived-visit.js';
import type { ExpiredPartition } from '../expired-partitions.repository.js';
import { LEDGER_DAYS } from '../ledger.js';
import { formatDay, toDayNumber } from '../partitions.repository.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { ClickHouseExpiredPartitionsRepository } from './expired-partitions.repository.js';
import { ClickHousePartitionsRepository } from './partitions.repository.js';
import { ClickHouseRestoredVisitsRepository } from './restored-visits.repository.js';
import { ClickHouseStoreSizeRepository } from './store-size.repository.js';
import { ClickHouseVisitsRepository } from './visits.repository.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const DAY_MS = 86_400_000;
const NOW = Date.now();
const TODAY = toDayNumber(NOW);

let database: TestDatabase;
let clickhouse: ClickHouse;
let batches: BatchesRepository;
let partitions: ClickHousePartitionsRepository;
let expired: ClickHouseExpiredPartitionsRepository;
let restored: ClickHouseRestoredVisitsRepository;
let visits: ClickHouseVisitsRepository;
beforeEach(async () => {
  database = await startTestDatabase();
  const { dataSource } = database;
  const options = await createClickHouseDatabase();
  await prepareVisitStore(dataSource, options);
  clickhouse = new ClickHouse(options);
  batches = new BatchesRepository(dataSource, clickhouse);
  partitions = new ClickHousePartitionsRepository(dataSource, clickhouse, batches);
  expired = new ClickHouseExpiredPartitionsRepository(dataSource, partitions, clickhouse, batches);
  restored = new ClickHouseRestoredVisitsRepository(dataSource, partitions, clickhouse);
  visits = new ClickHouseVisitsRepository(dataSource, clickhouse, batches);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await clickhouse.close();
  await database.stop();
});

const query = (text: string) => database.dataSource.query(text);

async function store(daysAgo: number, ...stored: Partial<StoredVisit>[]): Promise<void> {
  const received = NOW - daysAgo * DAY_MS;
  const batch = createBatchId(received);
  await partitions.ensure([toDayNumber(received)]);
  const at = new Date(received).toISOString();
  await visits.store(
    stored.map((visit, index) => createVisitRow(PROJECT, createVisitId(batch, index), received, { at, ...visit })),
  );
}

const readIds = async (): Promise<string[]> => {
  const rows = await clickhouse.query<{ id: string }>(`SELECT id FROM ${clickhouse.visits} ORDER BY UUIDToNum(id)`);
  return rows.map(({ id }) => id);
};

/** Archives the visits of past days. Returns the archived visits and the errors. */
async function archive(
  visitors: 'agents' | 'unknown',
  whileArchiving: (partition: ExpiredPartition) => Promise<void> = async () => {},
): Promise<{ saved: ArchivedVisit[]; dropped: number[]; failures: unknown[] }> {
  const [saved, failures]: [ArchivedVisit[], unknown[]] = [[], []];
  const dropped = await expired.archiveBefore(visitors, TODAY, {
    save: async (partition) => {
      for (const { projectId } of partition.projects)
        for await (const page of partition.read(projectId)) saved.push(...page);
      await whileArchiving(partition);
    },
    onFailure: (_day, error) => failures.push(error),
    signal: new AbortController().signal,
  });
  return { saved, dropped, failures };
}

it('archives each kind of visitor in pages, sorted by time and ID', async () => {
  await store(
    2,
    ...Array.from({ length: 2_500 }, (_, index) => ({
      at: new Date(NOW - 2 * DAY_MS - (index % 7) * 1_000).toISOString(),
      path: `/${index}`,
    })),
    { agent: 'GPTBot' },
  );
  const before = await readIds();
  const unknown = await archive('unknown');
  const agents = await archive('agents');
  expect([unknown.dropped, agents.dropped]).toEqual([[TODAY - 2], [TODAY - 2]]);
  const saved = [...unknown.saved, ...agents.saved];
  expect(saved.map(({ id }) => id).toSorted()).toEqual(before);
  const keys = unknown.saved.map(({ occurred_at: at, id }) => `${at} ${id}`);
  expect(keys).toEqual(keys.toSorted());
  expect(await readIds()).toEqual([]);
});

it("doesn't drop visits that arrive while their day is being archived", async () => {
  await store(1, { agent: 'GPTBot' });
  const { dropped, failures } = await archive('agents', () => store(1, { agent: 'GPTBot' }));
  expect([dropped, failures]).toEqual([[], [expect.objectContaining({ message: expect.stringContaining('changed') })]]);
  expect(await readIds()).toHaveLength(2);
});

it("doesn't drop visits that were accepted but aren't in ClickHouse yet", async () => {
  await store(1, { agent: 'GPTBot' });
  const { dropped, failures } = await archive('agents', async () => {
    const insert = clickhouse.insert.bind(clickhouse);
    const inserting = new Promise<void>((resolve) => {
      jest.spyOn(clickhouse, 'insert').mockImplementationOnce(async (...parameters) => {
        resolve();
        // Until the check before the drop waits for this batch.
        await until(
          async () =>
            (await query(`SELECT FROM pg_locks WHERE mode = 'ShareLock' AND granted AND relation IS NOT NULL`)).length >
            0,
          {
            condition: 'the day is locked',
          },
        );
        await insert(...parameters);
      });
    });
    void store(1, { agent: 'GPTBot' });
    await inserting;
  });
  expect([dropped, failures]).toEqual([[], [expect.objectContaining({ message: expect.stringContaining('changed') })]]);
  expect(await readIds()).toHaveLength(2);
});

it('blocks visits that are received again on a day until it has been dropped', async () => {
  await store(1, { agent: 'GPTBot' });
  const command = clickhouse.command.bind(clickhouse);
  let late: Promise<void> | undefined;
  jest.spyOn(clickhouse, 'command').mockImplementation(async (text, ...rest) => {
    if (text.includes('DROP PARTITION')) {
      late = store(1, { agent: 'GPTBot', path: '/late' });
      await until(
        async () => (await query(`SELECT FROM pg_locks WHERE relation IS NOT NULL AND NOT granted`)).length > 0,
        {
          condition: 'the visit waits',
        },
      );
    }
    await command(text, ...rest);
  });
  expect((await archive('agents')).dropped).toEqual([TODAY - 1]);
  await late;
  expect(await readIds()).toHaveLength(1);
});

it("doesn't drop visits that are re-identified while their day is being archived", async () => {
  await store(1, { agent: 'GPTBot' });
  const { dropped } = await archive('agents', async ({ day }) => {
    // Like a re-identification, another batch replaces the row.
    await clickhouse.command(
      `INSERT INTO ${clickhouse.visits} SELECT * REPLACE (batch + 1 AS batch) FROM ${clickhouse.visits} WHERE day = {day:Date}`,
      { day },
    );
    await clickhouse.command(`DELETE FROM ${clickhouse.visits} WHERE batch = 1`);
  });
  expect(dropped).toEqual([]);
  expect(await readIds()).toHaveLength(1);
});

it('restores only visits that are missing, even if two commands run at the same time', async () => {
  await store(2, { agent: 'GPTBot' }, { agent: 'GPTBot', path: '/a', status: 404.5 });
  const before = await clickhouse.query(`SELECT * EXCEPT (batch) FROM ${clickhouse.visits} ORDER BY UUIDToNum(id)`);
  const { saved } = await archive('agents');
  await restored.prepareDay(formatDay(TODAY - 2), 1);
  expect(await restored.store('agents', saved.slice(1))).toBe(1);
  const counts = await Promise.all([restored.store('agents', saved), restored.store('agents', saved)]);
  expect(counts.toSorted()).toEqual([0, 1]);
  expect(await clickhouse.query(`SELECT * EXCEPT (batch) FROM ${clickhouse.visits} ORDER BY UUIDToNum(id)`)).toEqual(
    before,
  );
  // Restored days are kept.
  expect((await archive('agents')).dropped).toEqual([]);
  await query('UPDATE restored_days SET kept_until = now()');
  expect(await partitions.dropBefore('agents', TODAY)).toEqual([TODAY - 2]);
  // Visits can be restored again after they were deleted.
  expect(await restored.store('agents', saved)).toBe(2);
  expect(await readIds()).toHaveLength(2);
});

it('drops the IDs of visits that can no longer be delivered again', async () => {
  for (const daysAgo of [LEDGER_DAYS + 2, LEDGER_DAYS, 0]) await store(daysAgo, { path: '/' });
  await partitions.dropOldIds();
  expect(await partitions.list('unknown_visits')).toEqual([TODAY - LEDGER_DAYS, TODAY]);
  expect(await readIds()).toHaveLength(3);
});

it('keeps the IDs of a day while visits are waiting to be inserted', async () => {
  jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
  await expect(store(LEDGER_DAYS + 2, { path: '/' })).rejects.toThrow('connection lost');
  const start = performance.now();
  jest
    .spyOn(performance, 'now')
    .mockImplementation(() => start + 11_000)
    .mockImplementationOnce(() => start);
  await expect(partitions.dropOldIds()).rejects.toThrow('still not in ClickHouse');
  expect(await partitions.list('unknown_visits')).toEqual([TODAY - LEDGER_DAYS - 2]);
  jest.restoreAllMocks();
  await batches.insertPending();
  await partitions.dropOldIds();
  expect(await partitions.list('unknown_visits')).toEqual([]);
});

it('returns the size and the number of visits of each day', async () => {
  await store(2, { agent: 'GPTBot' }, { path: '/a' }, { keptAs: 'counted' });
  await store(1, { agent: 'GPTBot' });
  const size = new ClickHouseStoreSizeRepository(database.dataSource, clickhouse);
  const days = await size.days();
  expect(days).toEqual([
    { day: formatDay(TODAY - 1), visits: 1, bytes: expect.any(Number), unknown_bytes: 0 },
    { day: formatDay(TODAY - 2), visits: 3, bytes: expect.any(Number), unknown_bytes: expect.any(Number) },
  ]);
  expect(days.map(({ bytes, unknown_bytes: unknown }) => [bytes > 0, unknown > 0])).toEqual([
    [true, false],
    [true, true],
  ]);
  expect(await partitions.findOldest()).toBe(TODAY - 2);
});

it('counts deleted rows as neither partitions nor days', async () => {
  await store(1, { agent: 'GPTBot' }, { agent: 'ClaudeBot' });
  const [id] = await readIds();
  await clickhouse.command(
    `DELETE FROM ${clickhouse.visits} WHERE id = {id:UUID}`,
    { id, unused: randomUUID() },
    { settings: { lightweight_delete_mode: 'lightweight_update_force', lightweight_deletes_sync: '2' } },
  );
  expect(await partitions.listExpired('agents', TODAY)).toEqual([TODAY - 1]);
  expect(await partitions.listExpired('unknown', TODAY)).toEqual([]);
  const { saved, dropped } = await archive('agents');
  expect([saved.length, dropped]).toEqual([1, [TODAY - 1]]);
});
