import { parseDimension, formatDimension, createBatchId } from '#libs/contracts';
import { CountsRepository, DimensionsRepository } from '#libs/visit-store';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { createLatestSnapshot } from '../../../../test/kit/snapshot.js';
import { storeVisits, rollUpCounts } from '../../../../test/kit/stored-visits.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const NOW = Date.parse('2026-11-21T08:31:05Z');
const HOUR_MS = 3_600_000;
const from = Date.parse('2026-11-19T00:00:00Z');
const range = { from, to: NOW };
/** Day starts in a time zone two hours ahead of UTC. */
const dayStarts = [0, 22, 46].map((hours) => from + hours * HOUR_MS);

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const query = (text: string, parameters: unknown[] = []) => database.dataSource.query(text, parameters);

/** Creates new repositories for each read, because they cache which counts aren't rolled up yet. */
const read = () => {
  const repository = new DimensionsRepository(new CountsRepository());
  const snapshot = createLatestSnapshot(database.dataSource);
  return {
    sums: (dimension: string) => repository.sums(snapshot, PROJECT, range, dimension),
    series: (dimension: string) =>
      repository.series(
        snapshot,
        PROJECT,
        { ...range, starts: dayStarts, bucket: '1d', timeZone: 'Etc/GMT-2' },
        dimension,
      ),
  };
};

it('counts each visit once per dimension value, before and after the roll-up', async () => {
  const at = (hours: number): string => new Date(from + hours * HOUR_MS).toISOString();
  const visits = [
    { at: at(1), dimensions: [['sent', 'a'] as const, ['sent', 'b'] as const, ['asked', 'a'] as const] },
    { at: at(1), agent: 'GPTBot', dimensions: [['sent', 'a'] as const] },
    { at: at(23), keptAs: 'counted' as const, dimensions: [['sent', 'a'] as const] },
    { at: at(50), dimensions: [] },
    { at: at(56), dimensions: [['sent', 'c'] as const] },
  ];
  const batch = createBatchId(NOW);
  await storeVisits(database.dataSource, PROJECT, NOW, visits, batch);
  await storeVisits(database.dataSource, PROJECT, NOW, visits, batch);
  const expectCounts = async (): Promise<void> => {
    expect(await read().sums('sent')).toEqual([
      { value: 'a', visits: 3 },
      { value: 'b', visits: 1 },
      { value: 'c', visits: 1 },
    ]);
    expect(await read().sums('asked')).toEqual([{ value: 'a', visits: 1 }]);
    expect(await read().sums('page')).toEqual([]);
    const series = await read().series('sent');
    expect(series.toSorted((one, other) => one.item - other.item || (one.value < other.value ? -1 : 1))).toEqual([
      { item: 0, value: 'a', visits: 2 },
      { item: 0, value: 'b', visits: 1 },
      { item: 1, value: 'a', visits: 1 },
      { item: 2, value: 'c', visits: 1 },
    ]);
  };
  await expectCounts();
  await rollUpCounts(database.dataSource, NOW);
  await expectCounts();
});

it('reads rolled-up hours from the daily sums, unless visits arrived late', async () => {
  const today = Date.parse('2026-11-21T00:00:00Z');
  const visit = (hours: number, value: string) => ({
    at: new Date(today + hours * HOUR_MS).toISOString(),
    dimensions: [['today', value] as const],
  });
  await storeVisits(database.dataSource, PROJECT, NOW, [visit(1, 'a'), visit(7.9, 'b'), visit(8.1, 'c')]);
  await rollUpCounts(database.dataSource, NOW);
  const counted = async () =>
    Object.fromEntries((await read().sums('today')).map(({ value, visits }) => [value, visits]));
  expect(await counted()).toEqual({ a: 1, b: 1, c: 1 });
  // Changes the sums in one table, so that a read's result shows whether it used this table.
  const overwriteVisits = (visits: number, table: string) =>
    query(`UPDATE ${table} SET visits = $1 WHERE dimension = 'today' AND bucket < $2`, [visits, new Date(NOW)]);
  await overwriteVisits(10, 'visit_day_top_counts');
  expect(await counted()).toEqual({ a: 10, b: 10, c: 1 });
  await storeVisits(database.dataSource, PROJECT, NOW, [visit(2, 'a')]);
  expect(await counted()).toEqual({ a: 2, b: 1, c: 1 });
  await rollUpCounts(database.dataSource, NOW);
  await overwriteVisits(5, 'visit_top_counts');
  expect(await counted()).toEqual({ a: 2, b: 1, c: 5 });
  await rollUpCounts(database.dataSource, today + 24 * HOUR_MS);
  expect(await counted()).toEqual({ a: 10, b: 5, c: 5 });
});

it('reads pages from hourly sums where they exist, and from quarter-hour counts otherwise', async () => {
  const rangeStart = Date.parse('2026-11-18T01:00:00Z');
  const visit = (minutes: number, path: string) => ({
    at: new Date(rangeStart + minutes * 60_000).toISOString(),
    path,
  });
  const visits = [visit(0, '/a'), visit(20, '/a'), visit(30, '/b'), visit(70, '/b'), visit(130, '/b')];
  await storeVisits(database.dataSource, PROJECT, NOW, visits);
  const counted = async () => {
    const snapshot = createLatestSnapshot(database.dataSource);
    const of = { from: rangeStart, to: rangeStart + 2.25 * HOUR_MS };
    const repository = new CountsRepository();
    const list = { of: 'page', visitors: 'all' } as const;
    const top = await repository.topValues(snapshot, PROJECT, of, list, 2);
    const sameValues = (await repository.countValues(snapshot, PROJECT, of, list, top)).toSorted(
      (one, other) => other.visits - one.visits,
    );
    expect(sameValues).toEqual(top);
    return top.map(({ value, visits: count }) => [value, count]);
  };
  const all = [
    ['/b', 3],
    ['/a', 2],
  ];
  expect(await counted()).toEqual(all);
  await rollUpCounts(database.dataSource, NOW);
  expect(await counted()).toEqual(all);
  // Change the sums in this table, so that a read's result shows whether it used the table.
  await query(`UPDATE visit_hour_top_counts SET top_visits = '{10,20}' WHERE bucket = $1`, [new Date(rangeStart)]);
  expect(await counted()).toEqual([
    ['/b', 22],
    ['/a', 10],
  ]);
  await storeVisits(database.dataSource, PROJECT, NOW, [visit(40, '/b')]);
  expect(await counted()).toEqual([['/b', 4], all[1]]);
  await rollUpCounts(database.dataSource, NOW);
  expect(await counted()).toEqual([['/b', 4], all[1]]);
  // The table is empty after an update from a version without these sums.
  await query(`DELETE FROM visit_hour_top_counts`, []);
  expect(await counted()).toEqual([['/b', 4], all[1]]);
});

it('returns the same counts with and without rollups, for any start of the range', async () => {
  const rangeStart = Date.parse('2026-11-16T00:00:00Z');
  const project = '019a0000-0000-7000-8000-000000000002';
  const snapshot = createLatestSnapshot(database.dataSource);
  // Three visits per hour, one of them by an agent.
  const visits = Array.from({ length: 3 * 40 }, (_, index) => ({
    at: new Date(rangeStart + index * 20 * 60_000).toISOString(),
    path: `/${index % 5}`,
    ...(index % 3 === 0 && { agent: 'GPTBot' }),
  }));
  await storeVisits(database.dataSource, project, NOW, visits);
  const lists = (['agents', 'all'] as const).flatMap((visitors) => [
    { of: 'page', visitors } as const,
    { of: 'status', visitors } as const,
  ]);
  const counted = async () => {
    const all: unknown[] = [];
    for (let quarter = 0; quarter < 98; quarter += 1) {
      const of = { from: rangeStart + quarter * 900_000, to: rangeStart + 30.25 * HOUR_MS };
      for (const list of lists) {
        const top = await new CountsRepository().topValues(snapshot, project, of, list, 4);
        const sameValues = await new CountsRepository().countValues(snapshot, project, of, list, top);
        all.push(
          top,
          sameValues.toSorted((one, other) => (one.value < other.value ? -1 : 1)),
        );
      }
    }
    return all;
  };
  const all = await counted();
  await rollUpCounts(database.dataSource, NOW);
  expect(await counted()).toEqual(all);
  // Hours without a rollup are read as 15-minute counts.
  await query(`DELETE FROM visit_hour_top_counts`, []);
  expect(await counted()).toEqual(all);
});

it('returns the most frequent values and combines the rest into one', async () => {
  const at = (quarter: number): string => new Date(from + 200 * HOUR_MS + quarter * 900_000).toISOString();
  const visits = Array.from({ length: 5_100 }, (_, index) => ({
    at: at(Math.floor(index / 1_000)),
    dimensions: [['named', `value ${index}`] as const],
  }));
  const frequentVisit = { at: at(0), dimensions: [['named', 'often'] as const, ['named', 'often too'] as const] };
  await storeVisits(database.dataSource, PROJECT, from + 202 * HOUR_MS, [
    frequentVisit,
    { ...frequentVisit },
    ...visits,
  ]);
  const repository = new DimensionsRepository(new CountsRepository());
  const fullRange = { from: from + 200 * HOUR_MS, to: from + 202 * HOUR_MS };
  const counted = await repository.sums(createLatestSnapshot(database.dataSource), PROJECT, fullRange, 'named');
  expect(counted.length).toBeLessThanOrEqual(5_001);
  expect(counted.reduce((sum, { visits: count }) => sum + count, 0)).toBe(5_104);
  expect(counted.find(({ value }) => value === 'often')!.visits).toBe(2);
});

it('truncates values to fit in an index entry', () => {
  const long = [0x4e00, 0xd83d, 1].map((code) => String.fromCharCode(code).repeat(600));
  const value = formatDimension('GPTBot', ...long);
  expect(Buffer.byteLength(value)).toBeLessThanOrEqual(1_500);
  expect(parseDimension(value)[0]).toBe('GPTBot');
  expect(parseDimension(formatDimension('x'.repeat(400), 'y'))).toEqual(['x'.repeat(400), 'y']);
});

it('stores at most 1,000 values per quarter-hour', async () => {
  const visits = Array.from({ length: 1_100 }, (_, index) => ({
    at: new Date(from + 70 * HOUR_MS).toISOString(),
    dimensions: [['many', `value ${index}`] as const],
  }));
  await storeVisits(database.dataSource, PROJECT, from + 71 * HOUR_MS, visits);
  const counted = await new DimensionsRepository(new CountsRepository()).sums(
    createLatestSnapshot(database.dataSource),
    PROJECT,
    { from, to: from + 72 * HOUR_MS },
    'many',
  );
  expect(counted).toHaveLength(1_001);
  expect(counted[0]).toEqual({ value: '', visits: 100 });
});
